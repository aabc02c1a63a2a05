import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lengthInWords } from '../../../src/core/duration.ts'
import type { SubjectName, WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { SUBJECT_KINDS, SUBJECT_NAMES, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { pageOfSubject } from '../../data/subjects/shown-kinds.ts'
import { sayCount } from '../../language/count.ts'
import { say } from '../../language/faults.ts'
import { rich, t } from '../../language/language.ts'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { NextTimes } from '../../parts/maintenance/next-times.tsx'
import { sayOnPages } from '../../parts/maintenance/on-pages.ts'
import { readerHere } from '../../parts/maintenance/reader.ts'
import { DayTime, SpanTime } from '../../parts/maintenance/window-time.tsx'
import { untilNextTurn } from '../../parts/maintenance/windows.ts'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { RecordScreen } from '../../parts/records/record-screen.tsx'
import { TagList } from '../../parts/tags/tag-chips.tsx'
import { Time } from '../../parts/time.tsx'
import { PastOccurrences } from './past-occurrences.tsx'
import { WindowActions } from './window-actions.tsx'
import { WindowAddresses } from './window-addresses.tsx'
import { CallOff } from './window-call-off.tsx'
import { WindowPost } from './window-post.tsx'

const KIND_WORDS = {
  one_off: t('Maintenance window, once'),
  recurring: t('Maintenance window, recurring'),
  switch: t('Maintenance switch'),
} as const

/** The word for a window: the plan of a team and the next page are other words in other languages. */
const PLAN = t('{of, select, other {Plan}}', { of: 'window' })
const NEXT = t('{of, select, other {Next}}', { of: 'window' })

/** The names of more would be a wall to read. */
const SHOWN_SUBJECTS = 100

export default function WindowScreen() {
  const { id: team } = useTeam()
  const { window: named } = useParams({ from: '/signed-in/teams/$team/maintenance/$window' })
  const window = useWindow(team, Number(named))
  return <RecordScreen record={window}>{(shown) => <WindowPage window={shown} />}</RecordScreen>
}

export function useWindow(team: number, window: number) {
  return useQuery({
    ...question(team, 'getMaintenanceWindow', {
      id: window,
      query: readerHere(),
    }),
    refetchInterval: ({ state }) => untilNextTurn(state.data && [state.data.data]),
  })
}

function WindowPage({ window }: { window: WindowDetail }) {
  const { may } = useTeam()
  const { kind, name, note, preview, sentence, fault } = window
  return (
    <>
      <PageHead title={name} actions={may('write') && <WindowActions window={window} />}>
        {KIND_WORDS[kind]}
      </PageHead>
      <div className="flex flex-col gap-5">
        {fault !== null && (
          <p role="alert" className="rounded-lg border border-degraded bg-panel px-4 py-3 text-degraded">
            {t('This window has no effect. {fault}', { fault: say(fault) })}
          </p>
        )}
        <Turns window={window} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <Panel title={PLAN}>
              <div className="flex flex-col gap-4 p-4">
                <p className="font-medium break-words">{sentence}.</p>
                <p className="text-soft">{sayOnPages(window) || t('Status pages show it by its name.')}</p>
                {note && <p className="break-words whitespace-pre-line">{note}</p>}
                <NextTimes preview={preview} />
                {may('write') && kind !== 'switch' && <CallOff window={window} />}
                {may('write') && <WindowPost window={window} />}
              </div>
            </Panel>
            {window.addresses && <WindowAddresses window={window} addresses={window.addresses} />}
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <Subjects window={window} />
            <PastOccurrences window={window.id} />
          </div>
        </div>
      </div>
    </>
  )
}

function Turns({ window: { kind, current, next, fields } }: { window: WindowDetail }) {
  const maxMinutes = Number(fields.max_minutes)
  return (
    <FactTiles className="border border-line sm:grid-cols-2">
      <FactTile name={t('Now')}>
        {current ? (
          <>
            {rich(kind === 'switch' ? 'On until {time}' : 'Under maintenance until {time}', {
              time: <DayTime at={current.ends_at} />,
            })}
            <span className="block text-sm font-normal text-soft">
              {rich('Started {start}, ends {end}', {
                start: <Time at={current.starts_at} />,
                end: <Time at={current.ends_at} />,
              })}
            </span>
          </>
        ) : kind === 'switch' ? (
          t('Off')
        ) : (
          t('Not under maintenance')
        )}
      </FactTile>
      {kind === 'switch' ? (
        <FactTile name={t('Turns itself off after')}>{lengthInWords(maxMinutes * 60, t)}</FactTile>
      ) : (
        <FactTile name={NEXT}>
          {next ? (
            <>
              <SpanTime span={next} />
              <span className="block text-sm font-normal text-soft">
                <Time at={next.starts_at} />
              </span>
            </>
          ) : (
            t('No more occurrences')
          )}
        </FactTile>
      )}
    </FactTiles>
  )
}

/** A panel for each kind of subjects that the window covers. */
function Subjects({ window }: { window: WindowDetail }) {
  if (window.all_subjects) {
    return (
      <Panel title={t('Monitors, servers and sites')}>
        <p className="px-4 py-3">{t('Everything in this team, including what you add later.')}</p>
      </Panel>
    )
  }
  const kinds = SUBJECT_KINDS.filter((kind) => window[`${kind}_count`] > 0)
  const panels = (kinds.length > 0 ? kinds : (['monitor'] as const)).map((kind) => (
    <SubjectsOf key={kind} kind={kind} subjects={window[`${kind}s`]} count={window[`${kind}_count`]} />
  ))
  if (window.tags.length === 0) return panels
  return (
    <>
      <Panel title={t('Tags')}>
        <div className="px-4 py-3">
          <TagList tags={window.tags} />
          <p className="mt-2 text-sm text-soft">
            {t(
              '{count, plural, one {Covers everything with this tag, including what you tag later. At the moment:} other {Covers everything with all of these tags, including what you tag later. At the moment:}}',
              { count: window.tags.length },
            )}
          </p>
        </div>
      </Panel>
      {panels}
    </>
  )
}

function SubjectsOf({
  kind,
  subjects,
  count,
}: {
  kind: SubjectKind
  subjects: SubjectName[]
  count: number
}) {
  const { id } = useTeam()
  const rest = count - Math.min(SHOWN_SUBJECTS, subjects.length)
  return (
    <Panel title={`${t(SUBJECT_NAMES[kind])} (${sayCount(count)})`}>
      <ul className="max-h-80 divide-y divide-line scrolls">
        {subjects.slice(0, SHOWN_SUBJECTS).map((subject) => (
          <li key={subject.id}>
            <Link
              {...pageOfSubject(id, { kind, id: subject.id })}
              className="block px-4 py-2.5 break-words hover:bg-sunken"
            >
              {subject.name}
            </Link>
          </li>
        ))}
        {rest > 0 && (
          <li className="px-4 py-2.5 text-soft">{t('and {count} more', { count: sayCount(rest) })}</li>
        )}
      </ul>
    </Panel>
  )
}

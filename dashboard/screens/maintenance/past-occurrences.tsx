import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatDuration } from '../../../src/core/duration.ts'
import { MAX_OCCURRENCE_DAYS, type OccurrenceRow } from '../../../src/core/maintenance/shown-window.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { HeldArea } from '../../parts/lists/held-list.tsx'
import { useOlder } from '../../parts/lists/older.tsx'
import { saySubjectCount } from '../../parts/maintenance/subject-words.ts'
import { SpanTime } from '../../parts/maintenance/window-time.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Row, Rows, Tag } from '../../parts/rows.tsx'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SHOWN = 20
/** The days for the whole team. */
const TEAM_DAYS = 25

const ENDS = {
  person: t('ended by hand'),
  address: t('ended by its address'),
  passing: t('ended early: everything passed'),
  change: t('ended as the window was changed or deleted'),
} as const satisfies Record<NonNullable<OccurrenceRow['ended_by']>, string>

/** The last 100 days of a team or of one window, newest first, and how each ended. */
export function PastOccurrences({ window }: { window?: number }) {
  const answer = usePast(window)
  const days = (answer.data?.pages.length ?? 0) * spanDays(window)
  const { held, older } = useOlder(answer, { first: SHOWN, more: SHOWN, keyOf, inOrder: newestFirst })
  return (
    <Panel title={t('Past')}>
      <Answered answer={answer}>
        {() =>
          held.rows.length === 0 ? (
            <p className="px-4 py-5 text-soft">
              {t('{days, plural, one {Nothing in the last day.} other {Nothing in the last # days.}}', {
                days,
              })}
            </p>
          ) : (
            <HeldArea held={held}>
              <Rows label={t('Past maintenance')}>
                {held.rows.map((occurrence) => (
                  <Past key={keyOf(occurrence)} occurrence={occurrence} isNamed={window === undefined} />
                ))}
              </Rows>
            </HeldArea>
          )
        }
      </Answered>
      {older}
    </Panel>
  )
}

/** One window has few occurrences; those of a team are asked for in shorter spans, as an answer is limited. */
function spanDays(window: number | undefined): number {
  return window === undefined ? TEAM_DAYS : MAX_OCCURRENCE_DAYS
}

function usePast(window: number | undefined) {
  const { id: team } = useTeam()
  const spanMs = spanDays(window) * DAY_MS
  return useInfiniteQuery({
    queryKey: [team, 'listMaintenanceOccurrences', null, { window, past: true }],
    queryFn: ({ pageParam: back }) => {
      // A moment more: what ended just now is over.
      const to = new Date(Date.now() + HOUR_MS - back * spanMs)
      const from = new Date(to.getTime() - spanMs)
      const query = { from: from.toISOString(), to: to.toISOString(), window }
      return ask(team, 'listMaintenanceOccurrences', { query })
    },
    initialPageParam: 0,
    getNextPageParam: (_, pages) =>
      (pages.length + 1) * spanMs <= MAX_OCCURRENCE_DAYS * DAY_MS ? pages.length : undefined,
  })
}

/** One that lies in two spans is there twice. */
function newestFirst(rows: readonly OccurrenceRow[]): OccurrenceRow[] {
  const over = rows.filter(({ state }) => state === 'over')
  const once = new Map(over.map((row) => [keyOf(row), row]))
  return [...once.values()].sort((one, other) => other.starts_at.localeCompare(one.starts_at))
}

function keyOf({ window_id, starts_at }: OccurrenceRow): string {
  return `${window_id} ${starts_at}`
}

function Past({ occurrence, isNamed }: { occurrence: OccurrenceRow; isNamed: boolean }) {
  const { id } = useTeam()
  const { window_id, window_name, exists, all_subjects } = occurrence
  const subjects = all_subjects ? t('Everything') : saySubjectCount(occurrence)
  return (
    <Row
      title={
        !isNamed ? (
          <SpanTime span={occurrence} />
        ) : exists ? (
          <Link
            to="/teams/$team/maintenance/$window"
            params={{ team: String(id), window: String(window_id) }}
            className="min-w-0 py-1 break-words hover:underline"
          >
            {window_name}
          </Link>
        ) : (
          <>
            {window_name} <Tag>{t('deleted')}</Tag>
          </>
        )
      }
    >
      {isNamed && (
        <p className="text-ink">
          <SpanTime span={occurrence} />
        </p>
      )}
      <p>
        {subjects}, {sayEnd(occurrence)}.
      </p>
    </Row>
  )
}

function sayEnd({ starts_at, ends_at, ended_by }: OccurrenceRow): string {
  const seconds = (Date.parse(ends_at) - Date.parse(starts_at)) / 1_000
  if (seconds <= 0) return t('called off')
  return `${formatDuration(seconds)}, ${ended_by === null ? t('ended as planned') : ENDS[ended_by]}`
}

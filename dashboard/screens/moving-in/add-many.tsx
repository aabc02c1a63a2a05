import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import {
  listIntervals,
  MAX_LIST_BYTES,
  MAX_LIST_ROWS,
  matchAddresses,
  readAddressList,
} from '../../../src/core/moving-in/address-list.ts'
import type { Team } from '../../../src/core/teams/team.ts'
import { question } from '../../data/ask.ts'
import { allMonitorsQuestion } from '../../data/moving-in/all-monitors.ts'
import { createMissing } from '../../data/moving-in/create-missing.ts'
import { useTeam } from '../../data/session.ts'
import { LeaveGuard } from '../../forms/form-frame.tsx'
import { contextOf } from '../../forms/rule-context.ts'
import { say } from '../../language/faults.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Field, INPUT_LOOK, SelectField } from '../../parts/field.tsx'
import { sayInterval } from '../../parts/figures.ts'
import { FileDrop } from '../../parts/file-drop.tsx'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { ForWriters } from '../../parts/records/form-screen.tsx'
import { AddressTable } from './address-table.tsx'
import { countFates, fateOf, type Result } from './fates.ts'

/** Adds the monitors of a list that is pasted, typed or dropped. */
export default function AddMany() {
  const { id, name, may } = useTeam()
  const params = { team: String(id) }
  const team = useQuery({ ...question(id, 'getTeam', {}), refetchOnMount: 'always' })
  const known = useQuery(allMonitorsQuestion(id))
  return (
    <>
      <PageHead
        title={t('Add many monitors')}
        actions={
          may('write') && (
            <>
              <Link to="/teams/$team/monitors" params={params} className={buttonLook('quiet')}>
                {t('View monitors')}
              </Link>
              <Link to="/teams/$team/monitors/import" params={params} className={buttonLook()}>
                {t('Import from another tool')}
              </Link>
            </>
          )
        }
      >
        {t('Paste addresses, and see what would be added before anything is.')}
      </PageHead>
      <ForWriters
        back={{ to: '/teams/$team/monitors', params }}
        view={t('View monitors')}
        readOnly={t('Ask an owner or admin of {name} to add the monitors.', { name })}
        needs={{ team, known }}
      >
        {(asked) => <Form team={asked.team.data} known={asked.known} />}
      </ForWriters>
    </>
  )
}

function Form({ team, known }: { team: Team; known: Monitor[] }) {
  const queries = useQueryClient()
  const notices = useNotices()
  const intervals = listIntervals(team.min_interval_minutes)
  const [text, setText] = useState('')
  const [minutes, setMinutes] = useState(intervals[0] ?? 5)
  const [fileFault, setFileFault] = useState<string | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [result, setResult] = useState<Result | null>(null)
  const shown = useDeferredValue(text)
  const list = useMemo(() => readAddressList(shown, minutes, contextOf(team)), [shown, minutes, team])
  const matches = useMemo(() => matchAddresses(list, known), [list, known])
  const fates = list.rows.map((row) => fateOf(row, matches, result))
  const counts = countFates(fates)
  const room = team.max_monitors === null ? null : Math.max(0, team.max_monitors - team.monitors_count)
  const isOver = room !== null && counts.new > room
  const isBusy = progress !== null
  const fault = list.fault && say(list.fault)

  async function take([file]: File[]) {
    if (!file) return
    const isFit = file.size <= MAX_LIST_BYTES
    setFileFault(
      isFit
        ? null
        : t('{file} is too large: a list has at most {max} KiB.', {
            file: file.name,
            max: MAX_LIST_BYTES / 1_024,
          }),
    )
    if (!isFit) return
    setText(await file.text())
    setResult(null)
  }

  async function add() {
    if (isBusy) return
    setProgress(0)
    try {
      // A colleague, or an attempt whose answer was lost, may have added some since.
      const now = await queries.fetchQuery({ ...allMonitorsQuestion(team.id), staleTime: 0 })
      const created = await createMissing(team.id, matchAddresses(list, now), () =>
        setProgress((done) => (done ?? 0) + 1),
      )
      setResult((before) => ({
        monitors: new Map([...(before?.monitors ?? []), ...created.monitors]),
        refused: created.refused,
      }))
      const count = created.monitors.size
      if (count > 0)
        notices.done(t('{count, plural, one {# monitor added.} other {# monitors added.}}', { count }))
    } catch (error) {
      notices.problem(error)
    } finally {
      setProgress(null)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === team.id })
    }
  }

  const isDirty = { current: counts.new > 0 }
  return (
    <div className="flex flex-col gap-5">
      <Panel>
        <div className="flex flex-col gap-4 p-4">
          <FileDrop
            label={t('Choose a file')}
            accept=".csv,.txt,text/csv,text/plain"
            disabled={isBusy}
            onFiles={(files) => void take(files)}
          >
            <Field
              label={t('Addresses')}
              hint={t(
                'One a line, with or without a name after it, or CSV whose first row names its columns: url, name, type, interval, port, username, password, keyword, tags, and options such as options.attempts. At most {rows} rows.',
                { rows: MAX_LIST_ROWS },
              )}
              faults={[fault, fileFault].filter((said) => said !== null)}
            >
              {(wired) => (
                <textarea
                  {...wired}
                  // biome-ignore lint/a11y/noAutofocus: the screen is about this field alone
                  autoFocus
                  rows={8}
                  spellCheck={false}
                  readOnly={isBusy}
                  value={text}
                  placeholder={'https://shop.example.com, Shop\ndb.example.com:5432, Database\n203.0.113.7'}
                  className={`${INPUT_LOOK} py-2 font-mono text-sm`}
                  onChange={({ target }) => {
                    setText(target.value)
                    setResult(null)
                  }}
                />
              )}
            </Field>
          </FileDrop>
          <SelectField
            label={t('Interval of rows without one')}
            className="max-w-xs"
            value={minutes}
            disabled={isBusy}
            onChange={({ target }) => setMinutes(Number(target.value))}
          >
            {intervals.map((offered) => (
              <option key={offered} value={offered}>
                {sayInterval(offered * 60)}
              </option>
            ))}
          </SelectField>
        </div>
      </Panel>
      {fates.length > 0 && <AddressTable fates={fates} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="main" busy={isBusy} disabled={counts.new === 0 || isOver} onClick={() => void add()}>
          {counts.new === 0
            ? t('Add monitors')
            : t('{count, plural, one {Add # monitor} other {Add # monitors}}', { count: counts.new })}
        </Button>
        <p role="status" className="min-w-0 text-soft">
          {isBusy
            ? t('{done, number} of {all, number} requests answered', { done: progress, all: counts.new })
            : fates.length > 0 &&
              t(
                '{added, number} added, {there, number} there already, {faulty, number} cannot be added',
                counts,
              )}
        </p>
      </div>
      {isOver && (
        <p role="alert" className="text-down">
          {t(
            'The {plan} plan leaves room for {room, number} more: take {more, number} out of the list, or nothing is added.',
            { plan: team.plan, room, more: counts.new - room },
          )}
        </p>
      )}
      <p className="text-sm text-soft">
        {t(
          'The new monitors alert every contact of the team. Choose them in the list of monitors to change that for all at once.',
        )}
      </p>
      <LeaveGuard form={{ isDirty }} />
    </div>
  )
}

import { useState } from 'react'
import { phrase } from '../../src/core/language/phrase.ts'
import type { SubjectName } from '../../src/core/maintenance/shown-window.ts'
import type { SubjectKind } from '../../src/core/maintenance/subject-kind.ts'
import { MonitorType } from '../../src/core/monitors/monitor.ts'
import { askForAll, useFound } from '../data/lists/found-subjects.ts'
import { sayProblem } from '../data/problem.ts'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { useNotices } from '../parts/feedback/notices.tsx'
import { SelectField, TextField, Tick } from '../parts/field.tsx'
import { typeWord } from '../parts/monitors/type-word.ts'
import { Waiting } from '../parts/panel.tsx'
import { useSettled } from '../parts/use-settled.ts'

export const SHOWN_FOUND = 20

const WORDS = {
  monitor: {
    find: phrase('Find monitors'),
    by: phrase('Name or address'),
    none: phrase('No matching monitors.'),
    found: phrase('{count, number} found'),
    shown: phrase('{shown, number} of {count, number} shown'),
    add: phrase('Add all {count, number}'),
  },
  server: {
    find: phrase('Find servers'),
    by: phrase('Name or host name'),
    none: phrase('No matching servers.'),
    found: phrase('{count, plural, one {# server found} other {# servers found}}'),
    shown: phrase('{shown, number} of {count, number} servers shown'),
    add: phrase('{count, plural, one {Add all servers} other {Add all # servers}}'),
  },
  site: {
    find: phrase('Find sites'),
    by: phrase('Name or address'),
    none: phrase('No matching sites.'),
    found: phrase('{count, plural, one {# site found} other {# sites found}}'),
    shown: phrase('{shown, number} of {count, number} sites shown'),
    add: phrase('{count, plural, one {Add all sites} other {Add all # sites}}'),
  },
} as const satisfies Record<SubjectKind, object>

/** Finds monitors, servers or sites of thousands: the service searches them. */
export function SubjectFinder({
  kind,
  team,
  chosen,
  max,
  faults,
  onAdd,
  onRemove,
}: {
  kind: SubjectKind
  team: number
  chosen: ReadonlySet<number>
  /** The most that are added at once. */
  max: number
  faults?: string[] | undefined
  onAdd: (subjects: SubjectName[]) => void
  onRemove: (id: number) => void
}) {
  const [text, setText] = useState('')
  const [type, setType] = useState('')
  const [isAdding, setAdding] = useState(false)
  const say = useNotices()
  const words = WORDS[kind]
  const wanted = { search: useSettled(text.trim()), ...(type && { type }) }
  const { rows, total, isPending, error } = useFound(team, kind, wanted, SHOWN_FOUND)

  async function addAllFound() {
    setAdding(true)
    try {
      onAdd(await askForAll(team, kind, wanted, max))
    } catch (problem) {
      say.problem(problem)
    } finally {
      setAdding(false)
    }
  }

  const field = (
    <TextField
      label={t(words.find)}
      type="search"
      placeholder={t(words.by)}
      value={text}
      faults={faults}
      onChange={({ target }) => setText(target.value)}
      // It searches as one types; the form is not sent.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    />
  )
  return (
    <>
      {kind === 'monitor' ? (
        <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
          {field}
          <SelectField label={t('Type')} value={type} onChange={({ target }) => setType(target.value)}>
            <option value="">{t('Any')}</option>
            {MonitorType.options.map((one) => (
              <option key={one} value={one}>
                {typeWord(one)}
              </option>
            ))}
          </SelectField>
        </div>
      ) : (
        field
      )}
      <div className="rounded-md border border-line">
        <div className="max-h-56 overflow-y-auto p-3">
          {error && <p className="text-down">{sayProblem(error)}</p>}
          {isPending && <Waiting lines={3} className="p-0" />}
          {!isPending && !error && rows.length === 0 && <p className="text-soft">{t(words.none)}</p>}
          <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            {rows.map(({ id, name, hint }) => (
              <Tick
                key={id}
                label={name}
                hint={hint ?? undefined}
                checked={chosen.has(id)}
                onChange={({ target: { checked } }) => (checked ? onAdd([{ id, name }]) : onRemove(id))}
              />
            ))}
          </div>
        </div>
        {total > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-sm text-soft">
            {total > rows.length
              ? t(words.shown, { shown: rows.length, count: total })
              : t(words.found, { count: total })}
            <Button size="small" busy={isAdding} onClick={() => void addAllFound()}>
              {t(words.add, { count: total })}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

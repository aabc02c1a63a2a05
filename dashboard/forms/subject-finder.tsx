import { useState } from 'react'
import type { SubjectName } from '../../src/core/maintenance/shown-window.ts'
import type { SubjectKind } from '../../src/core/maintenance/subject-kind.ts'
import { MonitorType } from '../../src/core/monitors/monitor.ts'
import { sayProblem } from '../data/problem.ts'
import { askForAll, useFound } from '../data/subjects/found-subjects.ts'
import { SHOWN_KINDS } from '../data/subjects/shown-kinds.ts'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { useNotices } from '../parts/feedback/notices.tsx'
import { SelectField, TextField, Tick } from '../parts/field.tsx'
import { typeWord } from '../parts/monitors/type-word.ts'
import { Waiting } from '../parts/panel.tsx'
import { useSettled } from '../parts/use-settled.ts'

export const SHOWN_FOUND = 20

/** Finds subjects of thousands: the service searches them. */
export function SubjectFinder({
  kind,
  team,
  chosen,
  max,
  without,
  faults,
  onAdd,
  onRemove,
}: {
  kind: SubjectKind
  team: number
  chosen: ReadonlySet<number>
  /** The most that are added at once. */
  max: number
  /** The ID of one that is not offered. */
  without?: number | undefined
  faults?: string[] | undefined
  onAdd: (subjects: SubjectName[]) => void
  onRemove: (id: number) => void
}) {
  const [text, setText] = useState('')
  const [type, setType] = useState('')
  const [isAdding, setAdding] = useState(false)
  const say = useNotices()
  const { words } = SHOWN_KINDS[kind]
  const wanted = { search: useSettled(text.trim()), ...(type && { type }) }
  const found = useFound(team, kind, wanted, SHOWN_FOUND + (without === undefined ? 0 : 1))
  const { isPending, error } = found
  const offered = found.rows.filter(({ id }) => id !== without)
  const rows = offered.slice(0, SHOWN_FOUND)
  const total = found.total - (found.rows.length - offered.length)

  async function addAllFound() {
    setAdding(true)
    try {
      onAdd((await askForAll(team, kind, wanted, max)).filter(({ id }) => id !== without))
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
      placeholder={t(words.findBy)}
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
        <div className="max-h-56 scrolls p-3">
          {error && <p className="text-down">{sayProblem(error)}</p>}
          {isPending && <Waiting lines={3} className="p-0" />}
          {!isPending && !error && rows.length === 0 && <p className="text-soft">{t(words.noneFound)}</p>}
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
              ? t(words.foundOf, { shown: rows.length, count: total })
              : t(words.found, { count: total })}
            <Button size="small" busy={isAdding} onClick={() => void addAllFound()}>
              {t(words.addFound, { count: total })}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MonitorName } from '../../src/core/maintenance/shown-window.ts'
import { MonitorType } from '../../src/core/monitors/monitor.ts'
import { MAX_PER_PAGE } from '../../src/core/pagination.ts'
import { ask, question } from '../data/ask.ts'
import { readMonitorSearch } from '../data/monitor-search.ts'
import { sayProblem } from '../data/problem.ts'
import { t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { useNotices } from '../parts/feedback/notices.tsx'
import { SelectField, TextField, Tick } from '../parts/field.tsx'
import { typeWord } from '../parts/monitors/type-word.ts'
import { Waiting } from '../parts/panel.tsx'
import { useSettled } from '../parts/use-settled.ts'

const SHOWN_FOUND = 20

/** Finds monitors of thousands: the service searches them, by name or address, and by type. */
export function MonitorFinder({
  team,
  chosen,
  max,
  faults,
  onAdd,
  onRemove,
}: {
  team: number
  chosen: ReadonlySet<number>
  /** The most that are added at once. */
  max: number
  faults?: string[] | undefined
  onAdd: (monitors: MonitorName[]) => void
  onRemove: (id: number) => void
}) {
  const [text, setText] = useState('')
  const [type, setType] = useState<MonitorType | undefined>(undefined)
  const [isAdding, setAdding] = useState(false)
  const say = useNotices()
  const search = useSettled(text.trim())
  const found = useQuery({
    ...question(team, 'listMonitorRows', { query: rowsQuery(search, type, SHOWN_FOUND) }),
    placeholderData: keepPreviousData,
  })
  const rows = found.data?.data ?? []
  const total = found.data?.meta.total ?? 0

  /** Page by page, as the service gives them. */
  async function addAllFound() {
    setAdding(true)
    try {
      const all: MonitorName[] = []
      for (let page = 1; all.length < Math.min(total, max); page++) {
        const { data } = await ask(team, 'listMonitorRows', {
          query: { ...rowsQuery(search, type, MAX_PER_PAGE), page },
        })
        if (data.length === 0) break
        all.push(...data)
      }
      onAdd(all)
    } catch (error) {
      say.problem(error)
    } finally {
      setAdding(false)
    }
  }

  return (
    <>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <TextField
          label={t('Find monitors')}
          type="search"
          placeholder={t('Name or address')}
          value={text}
          faults={faults}
          onChange={({ target }) => setText(target.value)}
          // It searches as one types; the form is not sent.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <SelectField
          label={t('Type')}
          value={type ?? ''}
          onChange={({ target }) => setType(readMonitorSearch({ type: target.value }).type)}
        >
          <option value="">{t('Any')}</option>
          {MonitorType.options.map((one) => (
            <option key={one} value={one}>
              {typeWord(one)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="rounded-md border border-line">
        <div className="max-h-56 overflow-y-auto p-3">
          {found.error && <p className="text-down">{sayProblem(found.error)}</p>}
          {!found.data && !found.error && <Waiting lines={3} className="p-0" />}
          {found.data && rows.length === 0 && <p className="text-soft">{t('No matching monitors.')}</p>}
          <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            {rows.map(({ id, name, target }) => (
              <Tick
                key={id}
                label={name}
                hint={target ?? undefined}
                checked={chosen.has(id)}
                onChange={({ target: { checked } }) => (checked ? onAdd([{ id, name }]) : onRemove(id))}
              />
            ))}
          </div>
        </div>
        {total > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-sm text-soft">
            {total > rows.length
              ? t('{shown, number} of {total, number} shown', { shown: rows.length, total })
              : t('{count, number} found', { count: total })}
            <Button size="small" busy={isAdding} onClick={() => void addAllFound()}>
              {t('Add all {count, number}', { count: total })}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function rowsQuery(search: string, type: MonitorType | undefined, per_page: number) {
  return { per_page, sort: 'name', ...(search && { search }), ...(type && { type }) } as const
}

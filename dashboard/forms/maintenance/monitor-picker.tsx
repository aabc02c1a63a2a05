import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { MonitorName } from '../../../src/core/maintenance/shown-window.ts'
import { MAX_WINDOW_MONITORS } from '../../../src/core/maintenance/window.ts'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import { useNotices } from '../../app/notices.tsx'
import { ask, question } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { Button } from '../../parts/button.tsx'
import { TextField, Tick } from '../../parts/field.tsx'
import { sayCount } from '../../parts/locale.ts'
import { Waiting } from '../../parts/panel.tsx'
import type { Form } from '../use-form.ts'
import { useSettled } from './use-preview.ts'

const NAME = 'monitor_ids'
const SHOWN_FOUND = 20
/** The names of more would be a wall to read. */
const SHOWN_CHOSEN = 50

/** Chooses monitors of thousands: the service searches them, by name or address. */
export function MonitorPicker({ team, form, named }: { team: number; form: Form; named: MonitorName[] }) {
  const [text, setText] = useState('')
  const [names, setNames] = useState(() => new Map(named.map(({ id, name }) => [id, name])))
  const [isAdding, setAdding] = useState(false)
  const say = useNotices()
  const search = useSettled(text.trim())
  const found = useQuery({
    ...question(team, 'listMonitorRows', { query: rowsQuery(search, SHOWN_FOUND) }),
    placeholderData: keepPreviousData,
  })
  const rows = found.data?.data ?? []
  const total = found.data?.meta.total ?? 0
  const chosen = String(form.draft[NAME]).split(', ').filter(Boolean).map(Number)
  const isChosen = new Set(chosen)

  function choose(ids: readonly number[]) {
    form.set(NAME, ids.join(', '))
  }

  function add(more: readonly MonitorName[]) {
    setNames((known) => new Map([...known, ...more.map(({ id, name }) => [id, name] as const)]))
    choose([...new Set([...chosen, ...more.map(({ id }) => id)])])
  }

  /** Page by page, as the service gives them. */
  async function addAllFound() {
    setAdding(true)
    try {
      const all: MonitorName[] = []
      for (let page = 1; all.length < Math.min(total, MAX_WINDOW_MONITORS); page++) {
        const { data } = await ask(team, 'listMonitorRows', {
          query: { ...rowsQuery(search, MAX_PER_PAGE), page },
        })
        if (data.length === 0) break
        all.push(...data)
      }
      add(all)
    } catch (error) {
      say.problem(error)
    } finally {
      setAdding(false)
    }
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Monitors</legend>
      <TextField
        label="Find monitors"
        type="search"
        placeholder="Name or address"
        value={text}
        faults={form.faults(NAME)}
        onChange={({ target }) => setText(target.value)}
        // It searches as one types; the form is not sent.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="rounded-md border border-line">
        <div className="max-h-56 overflow-y-auto p-3">
          {found.error && <p className="text-down">{sayProblem(found.error)}</p>}
          {!found.data && !found.error && <Waiting lines={3} className="p-0" />}
          {found.data && rows.length === 0 && <p className="text-soft">No matching monitors.</p>}
          <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            {rows.map(({ id, name, target }) => (
              <Tick
                key={id}
                label={name}
                hint={target ?? undefined}
                checked={isChosen.has(id)}
                onChange={({ target: { checked } }) =>
                  checked ? add([{ id, name }]) : choose(chosen.filter((one) => one !== id))
                }
              />
            ))}
          </div>
        </div>
        {total > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-1.5 text-sm text-soft">
            {total > rows.length ? `${rows.length} of ${sayCount(total)} shown` : `${sayCount(total)} found`}
            <Button size="small" busy={isAdding} onClick={() => void addAllFound()}>
              Add all {sayCount(total)}
            </Button>
          </div>
        )}
      </div>
      <Chosen chosen={chosen} names={names} onChoose={choose} />
    </fieldset>
  )
}

function Chosen({
  chosen,
  names,
  onChoose,
}: {
  chosen: number[]
  names: Map<number, string>
  onChoose: (ids: number[]) => void
}) {
  if (chosen.length === 0) return <p className="text-sm text-soft">None chosen yet.</p>
  const rest = chosen.length - SHOWN_CHOSEN
  const nameOf = (id: number) => names.get(id) ?? `Monitor ${id}`
  return (
    <div>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <p className="font-medium">{sayCount(chosen.length)} chosen</p>
        <Button size="small" tone="quiet" onClick={() => onChoose([])}>
          Remove all
        </Button>
      </div>
      <ul aria-label="Chosen monitors" className="flex flex-wrap gap-1.5">
        {chosen.slice(0, SHOWN_CHOSEN).map((id) => (
          <li
            key={id}
            className="flex h-9 max-w-full items-center gap-1 rounded-md border border-line bg-sunken pl-2.5 text-sm"
          >
            <span className="truncate">{nameOf(id)}</span>
            <button
              type="button"
              aria-label={`Remove ${nameOf(id)}`}
              className="flex h-9 shrink-0 items-center rounded-md px-2 text-soft hover:text-ink"
              onClick={() => onChoose(chosen.filter((one) => one !== id))}
            >
              <X aria-hidden size={16} />
            </button>
          </li>
        ))}
        {rest > 0 && (
          <li className="flex h-9 items-center px-1 text-sm text-soft">and {sayCount(rest)} more</li>
        )}
      </ul>
    </div>
  )
}

function rowsQuery(search: string, per_page: number) {
  return { per_page, sort: 'name', ...(search && { search }) }
}

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { type MonitorSearch, readMonitorSearch } from '../../data/monitor-search.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { statusWord } from '../../parts/monitors/status.tsx'
import { typeWord } from '../../parts/monitors/type-word.ts'

const TYPING_MS = 250

const SORTS = [
  { value: 'attention', label: 'Problems first' },
  { value: 'name', label: 'Name' },
  { value: 'last_checked_at', label: 'Last check' },
  { value: 'created_at', label: 'Oldest first' },
] as const

/** The filters and the sort order of the list, which are also in the address. */
export function MonitorFilters({
  search,
  onChange,
  children,
}: {
  search: MonitorSearch
  onChange: (change: MonitorSearch) => void
  /** Fills the place beside the sort order where there are two columns. */
  children: ReactNode
}) {
  return (
    <search className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,1fr)_10rem_10rem_10rem]">
      <SearchBox value={search.search ?? ''} onChange={(text) => onChange({ search: text || undefined })} />
      <SelectField
        label="Status"
        value={search.status ?? ''}
        onChange={({ target }) =>
          onChange({ status: undefined, ...readMonitorSearch({ status: target.value }) })
        }
      >
        <option value="">Any</option>
        {LiveStatus.options.map((status) => (
          <option key={status} value={status}>
            {statusWord(status)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Type"
        value={search.type ?? ''}
        onChange={({ target }) => onChange({ type: undefined, ...readMonitorSearch({ type: target.value }) })}
      >
        <option value="">Any</option>
        {MonitorType.options.map((type) => (
          <option key={type} value={type}>
            {typeWord(type)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Sort by"
        value={search.sort ?? 'attention'}
        onChange={({ target }) =>
          onChange({ ...readMonitorSearch({ sort: target.value }), order: undefined })
        }
      >
        {SORTS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {children}
    </search>
  )
}

/** Searches once the typing pauses. */
function SearchBox({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value)
  const asked = useRef(value)
  useEffect(() => {
    // Something other than this box changed the address.
    if (value !== asked.current) setText(value)
    asked.current = value
  }, [value])
  useEffect(() => {
    if (text === asked.current) return
    const timer = setTimeout(() => {
      asked.current = text
      onChange(text)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  })
  return (
    <TextField
      label="Search"
      type="search"
      value={text}
      placeholder="Name or address"
      className="col-span-2 lg:col-span-1"
      onChange={({ target }) => setText(target.value)}
    />
  )
}

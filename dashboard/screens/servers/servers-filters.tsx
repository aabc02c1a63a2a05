import type { ReactNode } from 'react'
import { readServerSearch, type ServerSearch } from '../../data/servers/server-search.ts'
import { TagFilter, useHasTags } from '../../forms/tags/tag-filter.tsx'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import { countUsed, Filters } from '../../parts/lists/filters.tsx'
import { StatusField } from '../../parts/monitors/status-field.tsx'
import { SearchBox } from '../../parts/search-box.tsx'

const SORTS = [
  { value: 'attention', label: t('Problems first') },
  { value: 'name', label: t('Name') },
  { value: 'cpu', label: 'CPU' },
  { value: 'memory', label: t('Memory') },
  { value: 'disk', label: t('Fullest disk') },
  { value: 'load', label: t('Load') },
  { value: 'last_report_at', label: t('Last report') },
] as const

/** The filters and the sort order of the list, which are also in the address. */
export function ServerFilters({
  search,
  onChange,
  children,
}: {
  search: ServerSearch
  onChange: (change: ServerSearch) => void
  /** Fills the place beside the sort order where there are two columns. */
  children: ReactNode
}) {
  return (
    <Filters
      used={countUsed(search.status, search.tags, search.group)}
      columns={`lg:grid-cols-[minmax(0,1fr)_10rem_10rem] ${useHasTags(search) ? 'xl:grid-cols-[minmax(0,1fr)_10rem_10rem_15rem_8rem]' : ''}`}
      search={
        <SearchBox
          value={search.search ?? ''}
          placeholder={t('Name or host name')}
          onChange={(text) => onChange({ search: text || undefined })}
        />
      }
    >
      <StatusField status={search.status} onChange={(status) => onChange({ status })} />
      <SelectField
        label={t('Sort by')}
        value={search.sort ?? 'attention'}
        onChange={({ target }) =>
          onChange({ sort: readServerSearch({ sort: target.value }).sort, order: undefined })
        }
      >
        {SORTS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {children}
      <TagFilter search={search} onChange={onChange} />
    </Filters>
  )
}

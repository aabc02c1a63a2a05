import type { ReactNode } from 'react'
import { MonitorType } from '../../../src/core/monitors/monitor.ts'
import { type MonitorSearch, readMonitorSearch } from '../../data/monitor-search.ts'
import { TagFilter, useHasTags } from '../../forms/tags/tag-filter.tsx'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import { countUsed, Filters } from '../../parts/lists/filters.tsx'
import { StatusField } from '../../parts/monitors/status-field.tsx'
import { typeWord } from '../../parts/monitors/type-word.ts'
import { SearchBox } from '../../parts/search-box.tsx'

const SORTS = [
  { value: 'attention', label: t('Problems first') },
  { value: 'name', label: t('Name') },
  { value: 'last_checked_at', label: t('Last check') },
  { value: 'created_at', label: t('Oldest first') },
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
    <Filters
      used={countUsed(search.status, search.type, search.tags, search.group)}
      columns={`lg:grid-cols-[minmax(0,1fr)_10rem_10rem_10rem] ${useHasTags(search) ? 'xl:grid-cols-[minmax(0,1fr)_9rem_9rem_10rem_15rem_8rem]' : ''}`}
      search={
        <SearchBox
          value={search.search ?? ''}
          placeholder={t('Name or address')}
          onChange={(text) => onChange({ search: text || undefined })}
        />
      }
    >
      <StatusField status={search.status} onChange={(status) => onChange({ status })} />
      <SelectField
        label={t('Type')}
        value={search.type ?? ''}
        onChange={({ target }) => onChange({ type: readMonitorSearch({ type: target.value }).type })}
      >
        <option value="">{t('Any')}</option>
        {MonitorType.options.map((type) => (
          <option key={type} value={type}>
            {typeWord(type)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('Sort by')}
        value={search.sort ?? 'attention'}
        onChange={({ target }) =>
          onChange({ sort: readMonitorSearch({ sort: target.value }).sort, order: undefined })
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

import { IncidentKind } from '../../../src/core/monitors/incidents/incident-kind.ts'
import { type IncidentSearch, readIncidentSearch } from '../../data/history-search.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import { countUsed, Filters } from '../../parts/lists/filters.tsx'
import { SubjectFilter } from '../../parts/lists/subject-filter.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { isRange, PeriodField, RangeFields, usePeriod } from './incidents-period.tsx'

const KIND_WORDS = {
  monitor: t('Monitors'),
  server: t('Servers'),
  site: t('Sites'),
} as const satisfies Record<IncidentKind, string>

/** The search and the filters of the list, which are also in the address. */
export function IncidentFilters({
  team,
  search,
  onChange,
}: {
  team: number
  search: IncidentSearch
  onChange: (change: IncidentSearch) => void
}) {
  const { kind, monitor, server, site, from, to } = search
  const period = usePeriod(search)
  const hasRange = isRange(period.value)
  return (
    <Filters
      used={countUsed(kind, monitor ?? server ?? site, from ?? to)}
      columns={
        hasRange
          ? 'lg:grid-cols-[minmax(0,1fr)_8rem_12rem_9rem_9.5rem_9.5rem]'
          : 'lg:grid-cols-[minmax(0,1fr)_8rem_13rem_10rem]'
      }
      search={
        <SearchBox
          value={search.search ?? ''}
          placeholder={t('Name or cause')}
          onChange={(text) => onChange({ search: text || undefined })}
        />
      }
    >
      <SelectField
        label={t('Kind')}
        value={kind ?? ''}
        onChange={({ target }) => onChange({ kind: readIncidentSearch({ kind: target.value }).kind })}
      >
        <option value="">{t('Any')}</option>
        {IncidentKind.options.map((option) => (
          <option key={option} value={option}>
            {KIND_WORDS[option]}
          </option>
        ))}
      </SelectField>
      <SubjectFilter team={team} value={{ monitor, server, site }} onChange={onChange} />
      <PeriodField
        value={period.value}
        onChoose={(value) => {
          const days = period.choose(value)
          if (days) onChange(days)
        }}
      />
      {hasRange && <RangeFields search={search} onChange={onChange} />}
    </Filters>
  )
}

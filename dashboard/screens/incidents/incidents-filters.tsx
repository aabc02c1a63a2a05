import { IncidentKind } from '../../../src/core/monitors/incidents/incident-kind.ts'
import { type IncidentSearch, readIncidentSearch } from '../../data/history-search.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { countUsed, Filters } from '../../parts/lists/filters.tsx'
import { SubjectFilter } from '../../parts/lists/subject-filter.tsx'
import { SearchBox } from '../../parts/search-box.tsx'

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
  const day = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      value={search[name] ?? ''}
      onChange={({ target }) => onChange({ [name]: readIncidentSearch({ [name]: target.value })[name] })}
    />
  )
  return (
    <Filters
      used={countUsed(kind, monitor ?? server ?? site, from, to)}
      columns="lg:grid-cols-[minmax(0,1fr)_8rem_13rem_10rem_10rem]"
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
      {day('from', t('From'))}
      {day('to', t('To'))}
    </Filters>
  )
}

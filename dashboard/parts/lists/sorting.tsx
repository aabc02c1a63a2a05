import type { List, SortName } from '../../../src/core/lists/list.ts'
import type { SearchOf } from '../../../src/core/lists/search.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../field.tsx'

type Order = 'asc' | 'desc'
/** The order in an address. */
type Sorted = { sort?: string | undefined; order?: Order | undefined }

/** Chooses the order of a list; nothing where it has only one. */
export function SortField<L extends List>({
  list,
  search,
  onChange,
}: {
  list: L
  search: SearchOf<L>
  onChange: (change: Partial<SearchOf<L>>) => void
}) {
  const sorts = Object.entries(list.sorts)
  const [usual] = sorts
  if (!usual || sorts.length === 1) return null
  return (
    <SelectField
      label={t('Sort by')}
      value={(search as Sorted).sort ?? usual[0]}
      onChange={({ target }) => onChange({ sort: target.value, order: undefined } as Partial<SearchOf<L>>)}
    >
      {sorts.map(([sort, { label }]) => (
        <option key={sort} value={sort}>
          {t(label)}
        </option>
      ))}
    </SelectField>
  )
}

/** The head of a column by which a list is sorted; pressed again, the other way round. */
export function SortHead<L extends List>({
  list,
  search,
  sort,
  label,
  onSort,
  className = 'pl-4',
}: {
  list: L
  search: Sorted
  sort: SortName<L>
  label: string
  onSort: (sort: SortName<L>, order: Order) => void
  className?: string
}) {
  const first = list.sorts[sort]?.first ?? 'asc'
  const order = search.sort === sort ? (search.order ?? first) : null
  const other = first === 'asc' ? 'desc' : 'asc'
  return (
    <th
      className={`px-3 py-2 font-medium ${className}`}
      {...(order && { 'aria-sort': order === 'desc' ? 'descending' : 'ascending' })}
    >
      <button
        type="button"
        className="hover:text-ink"
        onClick={() => onSort(sort, order === first ? other : first)}
      >
        {label}
        {order && <span aria-hidden> {order === 'desc' ? '↓' : '↑'}</span>}
      </button>
    </th>
  )
}

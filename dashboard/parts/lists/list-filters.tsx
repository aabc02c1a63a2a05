import { SlidersHorizontal } from 'lucide-react'
import { type CSSProperties, Fragment, type ReactNode, useId, useState } from 'react'
import { phrase } from '../../../src/core/language/phrase.ts'
import type { Filter, List } from '../../../src/core/lists/list.ts'
import { countUsed, readSearch, type SearchOf } from '../../../src/core/lists/search.ts'
import { useHasTags } from '../../data/tags/has-tags.ts'
import type { TagSearch } from '../../data/tags/tag-search.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { SelectField } from '../field.tsx'
import { SearchBox } from '../search-box.tsx'
import { SortField } from './sorting.tsx'

const WIDTH = '10rem'
/** The choice of a key of tags, behind that of tags. */
const GROUPS_WIDTH = '8rem'

/** The fields of filters that are no plain choice of a few values. */
export type OwnFields<L extends List> = {
  [Name in keyof L['filters'] & string as L['filters'][Name] extends { choice: object }
    ? never
    : L['filters'][Name] extends { field: infer Field }
      ? Extract<Field, string>
      : Name]: ReactNode
}

type Given<L extends List> = {
  list: L
  search: SearchOf<L>
  onChange: (change: Partial<SearchOf<L>>) => void
  fields: OwnFields<L>
  /** Columns that a field adds to its own now. */
  more?: readonly string[]
  /** Fills the place beside the sort order where there are two columns. */
  children?: ReactNode
}

/**
 * The search, the filters and the sort order of a list, which are also in the address. On a narrow screen the filters are
 * folded behind a button that says how many are in use.
 */
export function ListFilters<L extends List>(given: Given<L>) {
  const { list, search, onChange, more = [], children } = given
  const fields = given.fields as Record<string, ReactNode>
  const { search: words, tags, ...filters } = list.filters as Record<string, Filter>
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const hasTags = useHasTags(search as TagSearch) && tags !== undefined
  const values = search as Record<string, string | undefined>
  const change = (name: string, value: string) =>
    onChange({ [name]: readSearch(list, { [name]: value })[name as keyof SearchOf<L>] } as Partial<
      SearchOf<L>
    >)

  const shown = Map.groupBy(
    Object.entries(filters).filter(([, { field }]) => field !== null),
    ([name, { field }]) => field ?? name,
  )
  const columns = [
    ...(words ? ['minmax(0,1fr)'] : []),
    ...[...shown.values()].map(([first]) => first?.[1].width ?? WIDTH),
    ...more,
    ...(Object.keys(list.sorts).length > 1 ? [WIDTH] : []),
  ]
  const used = countUsed(list, search)
  return (
    <search
      className="mb-4 grid gap-3 lg:grid-cols-(--columns) xl:grid-cols-(--wide-columns)"
      style={
        {
          '--columns': columns.join(' '),
          '--wide-columns': [...columns, ...(hasTags ? [tags.width, GROUPS_WIDTH] : [])].join(' '),
        } as CSSProperties
      }
    >
      <div className="flex items-end gap-2 lg:contents">
        {words && (
          <div className="min-w-0 flex-1 lg:contents">
            <SearchBox
              value={values.search ?? ''}
              placeholder={t(words.placeholder ?? '')}
              onChange={(text) => change('search', text)}
            />
          </div>
        )}
        <Button
          className="lg:hidden"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden size={16} />
          {used > 0 ? t('Filters ({count})', { count: used }) : t('Filters')}
        </Button>
      </div>
      <div id={id} className={`${isOpen ? 'grid grid-cols-2 items-end gap-3' : 'hidden'} lg:contents`}>
        {[...shown].map(([field, [first]]) =>
          first?.[1].choice ? (
            <ChoiceField
              key={field}
              {...first[1].choice}
              value={values[field]}
              onChange={(value) => change(field, value)}
            />
          ) : (
            <Fragment key={field}>{fields[field]}</Fragment>
          ),
        )}
        <SortField list={list} search={search} onChange={onChange} />
        {children}
        {tags && fields.tags}
      </div>
    </search>
  )
}

function ChoiceField({
  label,
  words,
  any = phrase('Any'),
  value = '',
  onChange,
}: NonNullable<Filter['choice']> & { value: string | undefined; onChange: (value: string) => void }) {
  return (
    <SelectField label={t(label)} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t(any)}</option>
      {Object.entries(words).map(([option, word]) => (
        <option key={option} value={option}>
          {t(word)}
        </option>
      ))}
    </SelectField>
  )
}

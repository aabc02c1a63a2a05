import { SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type * as z from 'zod'
import type { List } from '../../../src/core/lists/list.ts'
import { changed, isFiltered, type SearchChange, type SearchOf } from '../../../src/core/lists/search.ts'
import type { PageMeta } from '../../../src/core/pagination.ts'
import type { CsvList } from '../../../src/core/reports/csv-list.ts'
import type { TagGroup } from '../../../src/core/tags/tag-group.ts'
import { useTeam } from '../../data/session.ts'
import { selectorsOf, type TagSearch, withSelector } from '../../data/tags/tag-search.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { Trouble } from '../feedback/trouble.tsx'
import { Pages } from '../pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../panel.tsx'
import { ListMenu } from '../reports/list-menu.tsx'
import type { Choosing } from '../tags/choose.tsx'
import { GroupBar } from '../tags/group-bar.tsx'
import { type Chosen, OnlyChosen } from './chosen.tsx'
import { HeldArea, type UseRows, useLiveRows } from './held-list.tsx'
import { ListFilters, type OwnFields } from './list-filters.tsx'

type Subject = { id: number; name: string; tags: readonly string[] }
type Answer<Row> = {
  data: { data: Row[]; groups: TagGroup[] | null; meta: z.infer<typeof PageMeta> } | undefined
  error: Error | null
  isPlaceholderData: boolean
  isFetching: boolean
}
/** The parts that the addresses of these lists have in common. */
type SubjectSearch = TagSearch & {
  page?: number | undefined
  ids?: string | undefined
  search?: string | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
}

/** The rows of a list, with what the address says and what they change. */
export type Shown<Search, Row> = {
  rows: readonly Row[]
  groups: readonly TagGroup[] | null
  search: Search
  onTag: (tag: string) => void
  onSort: (sort: string, order: 'asc' | 'desc') => void
} & Partial<Choosing>

/** The screen of a list of subjects: the service searches, filters, sorts, groups and pages them. */
export function SubjectList<L extends List, Search extends SubjectSearch & SearchOf<L>, Row extends Subject>({
  list,
  csv,
  title,
  search,
  onSearch,
  useRows,
  actions,
  fields,
  chosenBar,
  noneYet,
  noMatch,
  children,
}: {
  list: L
  csv: CsvList
  title: string
  search: Search
  onSearch: (step: (before: Search) => Search, options: { replace: boolean }) => void
  useRows: UseRows<Search, Answer<Row>>
  /** Buttons beside the title; `isEmpty`: there is nothing to list, whatever is searched. */
  actions: (isEmpty: boolean) => ReactNode
  fields: (show: (change: TagSearch) => void) => OwnFields<L>
  chosenBar: (chosen: Chosen) => ReactNode
  noneYet: ReactNode
  noMatch: { title: string; text: string }
  children: (shown: Shown<Search, Row>) => ReactNode
}) {
  const { may } = useTeam()
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map())
  const { answer, held } = useLiveRows(useRows, search, { keyOf, isBusy: chosen.size > 0 })
  const { data, error, isPlaceholderData } = answer
  const { rows } = held
  const { group } = search
  const isEmpty = data?.data.length === 0 && data.meta.total === 0 && !isFiltered(list, search)

  const show = (change: SearchChange<SubjectSearch>) => {
    // A choice stays on other pages: the bar says how many are there.
    if (!('page' in change || 'ids' in change)) setChosen(new Map())
    onSearch(changed(change as SearchChange<Search>), { replace: 'search' in change })
  }
  const onTag = (tag: string) => show((before) => withSelector(before, tag))

  // Rows were removed, or the address names a page behind the end.
  const last =
    data && !isPlaceholderData && held.changed === 0 && data.meta.current_page > data.meta.last_page
      ? data.meta.last_page
      : null
  useEffect(() => {
    if (last !== null) onSearch((before) => ({ ...before, page: last }), { replace: true })
  })

  const onShown = new Set(rows.map(({ id }) => id))
  const bar: Chosen = {
    chosen: new Set(chosen.keys()),
    names: [...chosen.values()],
    away: [...chosen.keys()].filter((id) => !onShown.has(id)).length,
    onShow: () => onSearch(() => ({ ids: [...chosen.keys()].join() }) as Search, { replace: false }),
    onClear: () => setChosen(new Map()),
    onDone: () => {
      setChosen(new Map())
      held.release()
    },
  }
  const onChoose = (ids: ReadonlySet<number>) => {
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    setChosen((before) => new Map([...ids].map((id) => [id, names.get(id) ?? before.get(id) ?? ''])))
  }
  return (
    <>
      <PageHead
        title={title}
        actions={
          <>
            {actions(isEmpty)}
            {!isEmpty && <ListMenu list={csv} query={search as SubjectSearch} />}
          </>
        }
      />
      {!isEmpty && <ListFilters list={list} search={search} onChange={show} fields={fields(show)} />}
      {data?.groups && group !== undefined && (
        <GroupBar groups={data.groups} groupKey={group} chosen={selectorsOf(search)} onPick={onTag} />
      )}
      {search.ids !== undefined && <OnlyChosen ids={search.ids} onShowAll={() => show({ ids: undefined })} />}
      {chosen.size > 0 && chosenBar(bar)}
      <HeldArea held={held} isLow={chosen.size > 0}>
        <Panel isStale={isPlaceholderData}>
          {error && !data ? (
            <Trouble error={error} within />
          ) : !data || last !== null || (isPlaceholderData && rows.length === 0) ? (
            // Nothing found by the search before says nothing about this one.
            <Waiting lines={12} />
          ) : isEmpty ? (
            noneYet
          ) : rows.length === 0 ? (
            <Empty
              icon={SearchX}
              title={noMatch.title}
              action={
                <Button onClick={() => onSearch(() => ({}) as Search, { replace: false })}>
                  {t('Show all')}
                </Button>
              }
            >
              {noMatch.text}
            </Empty>
          ) : (
            <>
              {children({
                rows,
                groups: data.groups,
                search,
                onTag,
                onSort: (sort, order) => show({ sort, order }),
                ...(may('write') && { chosen: bar.chosen, onChoose }),
              })}
              <Pages meta={data.meta} onPage={(page) => show({ page })} />
            </>
          )}
        </Panel>
      </HeldArea>
    </>
  )
}

function keyOf({ id }: Subject): string {
  return String(id)
}

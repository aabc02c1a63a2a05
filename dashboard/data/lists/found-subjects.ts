import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import { type AnswerOf, ask } from '../ask.ts'

/** A monitor, server or site of a team, and what else there is to find it by. */
export type FoundSubject = SubjectName & { hint: string | null }

/** The parameters that the three lists have in common, and the type of monitors. */
export type Wanted = { search?: string; tags?: string; type?: string }

const LISTS = {
  monitor: 'listMonitorRows',
  server: 'listServers',
  site: 'listSites',
} as const satisfies Record<SubjectKind, string>
type Page = AnswerOf<(typeof LISTS)[SubjectKind]>

/** Subjects by name, the first of those that a search finds. */
export function useFound(team: number, kind: SubjectKind, { search, ...wanted }: Wanted, shown: number) {
  const query = { sort: 'name', per_page: shown, ...wanted, ...(search && { search }) }
  const { data, error } = useQuery({
    ...queryOptions<Page>({
      queryKey: [team, LISTS[kind], null, query],
      queryFn: () => ask(team, LISTS[kind], { query }),
    }),
    placeholderData: keepPreviousData,
  })
  const rows = data?.data.map((row): FoundSubject => ({ id: row.id, name: row.name, hint: hintOf(row) }))
  return { rows: rows ?? [], total: data?.meta.total ?? 0, isPending: !data && !error, error }
}

function hintOf(row: Page['data'][number]): string | null {
  if ('target' in row) return row.target
  return 'url' in row ? row.url : row.host_name
}

/** All that are found, page by page, as the service gives them: up to `max`. */
export async function askForAll(
  team: number,
  kind: SubjectKind,
  { search, ...wanted }: Wanted,
  max: number,
): Promise<SubjectName[]> {
  const query = { sort: 'name', per_page: MAX_PER_PAGE, ...wanted, ...(search && { search }) }
  const all: SubjectName[] = []
  for (let page = 1; ; page++) {
    const { data, meta }: Page = await ask(team, LISTS[kind], { query: { ...query, page } })
    all.push(...data.map(({ id, name }) => ({ id, name })))
    if (all.length >= max || page >= meta.last_page) return all.slice(0, max)
  }
}

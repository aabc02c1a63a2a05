import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import { ofEachKind, SUBJECT_KINDS, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import { type AnswerOf, ask } from '../ask.ts'
import { SHOWN_KINDS } from './shown-kinds.ts'

/** A subject of a team, and what else there is to find it by. */
export type FoundSubject = SubjectName & { hint: string | null }

/** The parameters that all lists have in common, and the type of monitors. */
export type Wanted = { search?: string; tags?: string; type?: string }

type Page = AnswerOf<(typeof SHOWN_KINDS)[SubjectKind]['lists']>
type Hint = (typeof SHOWN_KINDS)[SubjectKind]['hint']

/** Asks for one page of a list; the page before stands until it arrives. */
function foundPage(team: number, kind: SubjectKind, query: object) {
  return queryOptions<Page>({
    queryKey: [team, SHOWN_KINDS[kind].lists, null, query],
    queryFn: () => ask(team, SHOWN_KINDS[kind].lists, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Subjects by name, the first of those that a search finds. */
export function useFound(team: number, kind: SubjectKind, wanted: Wanted, shown: number) {
  return foundIn(kind, useQuery(foundPage(team, kind, queryOf(wanted, shown))))
}

/** Finds the first of every kind in the same way. */
export function useFoundOfEach(team: number, wanted: Wanted, shown: number) {
  const pages = useFoundPages(team, () => ({ query: queryOf(wanted, shown) }))
  return ofEachKind((kind) => foundIn(kind, pages[kind]))
}

/** Asks for one page of the list of every kind. A query among several keeps no page by itself, so the hook holds the last ones. */
export function useFoundPages(
  team: number,
  askedOf: (kind: SubjectKind) => { query: object; enabled?: boolean },
) {
  const held = useRef(new Map<SubjectKind, Page>())
  const results = useQueries({
    queries: SUBJECT_KINDS.map((kind) => {
      const { query, enabled = true } = askedOf(kind)
      return { ...foundPage(team, kind, query), enabled, placeholderData: () => held.current.get(kind) }
    }),
  })
  useEffect(() => {
    for (const [at, kind] of SUBJECT_KINDS.entries()) {
      const data = results[at]?.data
      if (data) held.current.set(kind, data)
    }
  })
  return ofEachKind((kind) => results[SUBJECT_KINDS.indexOf(kind)])
}

function queryOf({ search, ...wanted }: Wanted, shown: number) {
  return { sort: 'name', per_page: shown, ...wanted, ...(search && { search }) }
}

function foundIn(kind: SubjectKind, result?: { data: Page | undefined; error: Error | null }) {
  const { data, error = null } = result ?? {}
  const rows = data?.data.map(
    (row): FoundSubject => ({ id: row.id, name: row.name, hint: hintOf(kind, row) }),
  )
  return { rows: rows ?? [], total: data?.meta.total ?? 0, isPending: !data && !error, error }
}

export function hintOf(kind: SubjectKind, row: { [Name in Hint]?: string | null }): string | null {
  return row[SHOWN_KINDS[kind].hint] ?? null
}

/** All that are found, page by page, as the service gives them: up to `max`. */
export async function askForAll(
  team: number,
  kind: SubjectKind,
  wanted: Wanted,
  max: number,
): Promise<SubjectName[]> {
  const query = queryOf(wanted, MAX_PER_PAGE)
  const all: SubjectName[] = []
  for (let page = 1; ; page++) {
    const { data, meta }: Page = await ask(team, SHOWN_KINDS[kind].lists, { query: { ...query, page } })
    all.push(...data.map(({ id, name }) => ({ id, name })))
    if (all.length >= max || page >= meta.last_page) return all.slice(0, max)
  }
}

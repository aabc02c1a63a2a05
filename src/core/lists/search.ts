import type * as z from 'zod'
import type { FilterName, List, SortName } from './list.ts'

type Said<T> = T extends readonly unknown[] ? string : T
type AddressValue<F> = F extends { address: infer A extends z.ZodType }
  ? z.output<A>
  : F extends { schema: infer S extends z.ZodType }
    ? Said<z.output<S>>
    : never

/** The part of an address of the dashboard that says which rows of a list are shown. */
export type SearchOf<L extends List> = {
  [Name in FilterName<L>]?: AddressValue<L['filters'][Name]> | undefined
} & ([SortName<L>] extends [never]
  ? unknown
  : { sort?: SortName<L> | undefined; order?: 'asc' | 'desc' | undefined; group?: string | undefined }) & {
    page?: number | undefined
  }

/**
 * Keeps the valid parts of an address, so that an old link never leads to an error. The router lays them over all that the
 * address has, so what is dropped is undefined.
 */
export function readSearch<L extends List>(list: L, given: Record<string, unknown>): SearchOf<L> {
  const { per_page: _, ...parameters } = list.query.shape as Record<string, z.ZodType>
  const read = Object.entries(parameters).map(([name, schema]) => {
    // The router reads a search for 1 as a number.
    const text = String(given[name] ?? '')
    const { data } = (list.filters[name]?.address ?? schema).safeParse(text)
    return [name, text === '' ? undefined : said(data)]
  })
  return Object.fromEntries(read) as SearchOf<L>
}

function said(value: unknown): unknown {
  return Array.isArray(value) ? value.join() || undefined : value
}

/** Some parts of an address, or how they follow from the address before. */
export type SearchChange<Search> = Partial<Search> | ((before: Search) => Partial<Search>)

/**
 * The step from an address to the one after a change, at the first page unless that is the change. It takes the address of the
 * moment, because the one on the screen may lack a change that was made just before.
 */
export function changed<Search extends object>(change: SearchChange<Search>): (before: Search) => Search {
  return (before) => {
    const parts = typeof change === 'function' ? change(before) : change
    const kept = Object.entries({ ...before, page: undefined, ...parts }).filter(
      ([, value]) => value !== undefined,
    )
    return Object.fromEntries(kept) as Search
  }
}

/** Whether a search leaves out rows. */
export function isFiltered(list: List, search: object): boolean {
  return Object.keys(list.filters).some((name) => valueIn(search, name) !== undefined)
}

/** How many fields of a list are in use; the choice of groups is one of them. */
export function countUsed(list: List, search: object): number {
  const used = Object.entries(list.filters)
    .filter(([name, { field }]) => field !== null && valueIn(search, name) !== undefined)
    .map(([name, { field }]) => field ?? name)
  return new Set(used).size + Number(valueIn(search, 'group') !== undefined)
}

function valueIn(search: object, name: string): unknown {
  return (search as Record<string, unknown>)[name]
}

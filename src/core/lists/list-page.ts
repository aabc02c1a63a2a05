import { type Page, pageOf } from '../pagination.ts'

/** The `links` and `meta` of a page of a list; the links carry the query. `path` is the absolute URL of the list. */
export function listPage(
  path: string,
  { page, per_page, ...rest }: { page: number; per_page: number },
  { total, count }: { total: number; count: number },
): Page {
  const carried = Object.entries({ ...rest, per_page }).filter(([, value]) => value !== undefined)
  const query = Object.fromEntries(carried.map(([name, value]) => [name, textOf(value)]))
  return pageOf({ path, query, page, perPage: per_page, total, count })
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

import { listPage } from '../core/lists/list-page.ts'

/**
 * The answer with one page of a list of `total` rows; its links carry the query. A page behind the end reads nothing. `path`
 * is the absolute URL of the list.
 */
export async function answerPage<Row, Shown>(
  path: string,
  query: { page: number; per_page: number } & Record<string, unknown>,
  total: number,
  read: (place: { limit: number; offset: number }) => Promise<readonly Row[]>,
  present: (row: Row) => Shown,
) {
  const { page, per_page: limit } = query
  const offset = (page - 1) * limit
  const rows = offset < total ? await read({ limit, offset }) : []
  const data = rows.map((row) => present(row))
  return { body: { data, ...listPage(path, query, { total, count: data.length }) } }
}

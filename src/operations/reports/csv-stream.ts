import { csvLine } from '../../core/reports/csv.ts'
import { type CsvList, MAX_CSV_ROWS } from '../../core/reports/csv-list.ts'
import type { Actor, Answer } from '../implementation.ts'
import { run } from '../run.ts'
import type { Services } from '../services.ts'
import { CSV_SOURCES, type CsvSource } from './csv-lists.ts'

type Query = Record<string, string>
type Page = { answer: Answer; rows: ReturnType<CsvSource['rows']>; next: Query | null }

/** A file that is read as it is sent, or the refusal of its first page. */
export type CsvAnswer = { lines: AsyncGenerator<string> } | { refused: Answer }

/**
 * A list as a file for spreadsheets, with the filter of the query: by the operation that screens read it by, page after page, so
 * that the same people see the same rows. A page that fails later breaks the answer off, as a file that only looks whole
 * would be worse.
 */
export async function csvOf(
  services: Services,
  actor: Actor,
  list: CsvList,
  query: Query,
): Promise<CsvAnswer> {
  const source = CSV_SOURCES[list]
  const asked = { ...source.query, ...query, ...source.fixed?.(query) }
  const first = await readPage(services, actor, source, asked)
  if (first.answer.status !== 200) return { refused: first.answer }
  return { lines: linesOf(services, actor, source, first, asked) }
}

async function* linesOf(
  services: Services,
  actor: Actor,
  source: CsvSource,
  first: Page,
  asked: Query,
): AsyncGenerator<string> {
  yield csvLine(source.columns)
  // Rows that are added meanwhile move others on to the next page.
  const seen = new Set<string | number>()
  for (let page = first; ; page = await readPage(services, actor, source, { ...asked, ...page.next })) {
    if (page.answer.status !== 200) throw new Error(`a page of a file was refused: ${page.answer.status}`)
    let lines = ''
    for (const { key, cells } of page.rows) {
      if (seen.has(key)) continue
      if (seen.size >= MAX_CSV_ROWS) {
        yield lines + csvLine([`Only the first ${MAX_CSV_ROWS} rows are listed.`])
        return
      }
      seen.add(key)
      lines += csvLine(cells)
    }
    if (lines) yield lines
    if (!page.next) return
  }
}

async function readPage(services: Services, actor: Actor, source: CsvSource, query: Query): Promise<Page> {
  const { operation, record, paging } = source
  const { [record ?? '']: id = '', ...rest } = query
  const answer = await run(services, operation, {
    actor,
    params: record ? { [record]: id } : {},
    query: record ? rest : query,
    readBody: async () => ({}),
  })
  if (answer.status !== 200) return { answer, rows: [], next: null }
  return { answer, rows: source.rows(answer.body as never), next: nextOf(paging, answer.body) }
}

/** The additions to the query for the next page; null after the last. */
function nextOf(paging: CsvSource['paging'], body: unknown): Query | null {
  if (paging === 'whole') return null
  const { meta } = body as { meta: { current_page: number; last_page: number; next_before: string | null } }
  if (paging === 'before') return meta.next_before === null ? null : { before: meta.next_before }
  return meta.current_page < meta.last_page ? { page: String(meta.current_page + 1) } : null
}

import { html, raw } from 'hono/html'
import { escapeHtml } from '../escape-html.ts'
import type { Html } from '../page.ts'
import { type DocsSite, layout } from './layout.ts'
import { MAX_RESULTS, type SearchAnswer, type SearchResult, WORD } from './search-index.ts'

const MAX_QUERY_LENGTH = 100
const EXCERPT_LENGTH = 220
const BEFORE_MATCH = 60

/** The page of results; a query that is too long gets 422 and the limit. */
export function searchPage(
  site: DocsSite,
  search: (query: string) => SearchAnswer,
  query: string,
): { status: 200 | 422; page: Html } {
  const length = [...query].length
  const isTooLong = length > MAX_QUERY_LENGTH
  const shown = isTooLong ? '' : query.replaceAll(/\p{Cc}/gu, ' ').trim()
  const content = isTooLong
    ? html`<p class="fault">q must be at most ${MAX_QUERY_LENGTH} characters, got ${length}.</p>`
    : results(site, search(shown), shown)
  const page = layout(site, {
    title: shown === '' ? 'Search' : `${shown} · Search`,
    content: html`<h1>Search</h1>${content}`,
    about: 'Search the documentation.',
    current: null,
    query: shown,
  })
  return { status: isTooLong ? 422 : 200, page }
}

function results(site: DocsSite, { results: found, hasAll }: SearchAnswer, query: string): Html {
  if (query === '') return html`<p>Type a search term in the field above.</p>`
  if (found.length === 0) return html`<p>No results for “${query}”. Try other words.</p>`
  const item = (result: SearchResult) => {
    const { text, section } = result
    const anchor = section.depth > 1 ? `#${section.id}` : ''
    const name = section.depth > 1 ? `${text.title}: ${section.text}` : text.title
    const href = `${site.docsPath}${text.entry.path}${anchor}` || '/'
    return html`<li><a href="${href}">${name}</a><p>${raw(excerpt(result))}</p></li>`
  }
  const count = found.length === MAX_RESULTS ? `The first ${MAX_RESULTS} results` : resultsOf(found.length)
  const said = hasAll
    ? `${count} for “${query}”`
    : `No results for all the words of “${query}”. These have some of them, or similar ones:`
  return html`<p>${said}</p><ol class="found">${found.map(item)}</ol>`
}

function resultsOf(count: number): string {
  return count === 1 ? 'One result' : `${count} results`
}

/** The text around the first match as HTML, with every match marked. */
function excerpt({ section: { content }, isMatch }: SearchResult): string {
  const first = content.matchAll(WORD).find(([word]) => isMatch(word))?.index ?? 0
  const start = Math.max(0, first - BEFORE_MATCH)
  const from = start === 0 ? 0 : content.indexOf(' ', start) + 1
  const part = content.slice(from, from + EXCERPT_LENGTH)
  const ellipsis = from + EXCERPT_LENGTH < content.length ? '…' : ''
  return `${from > 0 ? '…' : ''}${marked(part, isMatch)}${ellipsis}`
}

function marked(text: string, isMatch: (word: string) => boolean): string {
  return text
    .split(new RegExp(`(${WORD.source})`, 'u'))
    .map((piece) => (isMatch(piece) ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
    .join('')
}

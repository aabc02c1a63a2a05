import { html, raw } from 'hono/html'
import type { Html } from '../page.ts'
import { type DocsSite, layout } from './layout.ts'
import { escapeHtml, type Section } from './markdown.ts'
import type { DocsText } from './texts.ts'

const MAX_QUERY_LENGTH = 100
const MAX_WORDS = 8
const MAX_RESULTS = 20
const EXCERPT_LENGTH = 220
const BEFORE_MATCH = 60

export type SearchResult = { text: DocsText; section: Section; score: number }

/** Sections that contain every word of the query, best match first. */
export function search(texts: DocsText[], query: string): SearchResult[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = texts.flatMap((text) =>
    text.rendered.sections.map((section) => ({ text, section, score: scoreOf(text, section, words) })),
  )
  return found
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
}

function wordsOf(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return [...new Set(words)].slice(0, MAX_WORDS)
}

function scoreOf({ title, entry }: DocsText, { text, content }: Section, words: string[]): number {
  const heading = text.toLowerCase()
  const page = `${title} ${entry.about}`.toLowerCase()
  const body = content.toLowerCase()
  let score = 0
  for (const word of words) {
    const of = (where: string, worth: number) => (where.includes(word) ? worth : 0)
    const worth = of(heading, 8) + of(body, 2)
    if (worth === 0) return 0
    score += worth + of(page, 3)
  }
  return score
}

/** The page of results; a query that is too long gets 422 and the limit. */
export function searchPage(site: DocsSite, query: string): { status: 200 | 422; page: Html } {
  const length = [...query].length
  const isTooLong = length > MAX_QUERY_LENGTH
  const shown = isTooLong ? '' : query.replaceAll(/\p{Cc}/gu, ' ').trim()
  const content = isTooLong
    ? html`<p class="fault">q must be at most ${MAX_QUERY_LENGTH} characters, got ${length}.</p>`
    : results(site, shown)
  const page = layout(site, {
    title: shown === '' ? 'Search' : `${shown} · Search`,
    content: html`<h1>Search</h1>${content}`,
    about: 'Search the documentation.',
    current: null,
    query: shown,
  })
  return { status: isTooLong ? 422 : 200, page }
}

function results(site: DocsSite, query: string): Html {
  if (query === '') return html`<p>Type a search term in the field above.</p>`
  const found = search(site.texts, query)
  if (found.length === 0) {
    return html`<p>No results for all the words of “${query}”. Try fewer words, or part of one.</p>`
  }
  const words = wordsOf(query)
  const item = ({ text, section }: SearchResult) => {
    const anchor = section.depth > 1 ? `#${section.id}` : ''
    const name = section.depth > 1 ? `${text.title}: ${section.text}` : text.title
    const href = `${site.docsPath}${text.entry.path}${anchor}` || '/'
    return html`<li><a href="${href}">${name}</a><p>${raw(excerpt(section.content, words))}</p></li>`
  }
  const count = found.length === MAX_RESULTS ? `The first ${MAX_RESULTS} results` : resultsOf(found.length)
  return html`<p>${count} for “${query}”</p><ol class="found">${found.map(item)}</ol>`
}

function resultsOf(count: number): string {
  return count === 1 ? 'One result' : `${count} results`
}

/** The text around the first match as HTML, with every match marked. */
function excerpt(content: string, words: string[]): string {
  const lower = content.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1)
  const start = Math.max(0, Math.min(...places, lower.length) - BEFORE_MATCH)
  const from = start === 0 ? 0 : content.indexOf(' ', start) + 1
  const part = content.slice(from, from + EXCERPT_LENGTH)
  const ellipsis = from + EXCERPT_LENGTH < content.length ? '…' : ''
  return `${from > 0 ? '…' : ''}${marked(part, words)}${ellipsis}`
}

function marked(text: string, words: string[]): string {
  const pattern = new RegExp(`(${words.map(RegExp.escape).join('|')})`, 'gi')
  return text
    .split(pattern)
    .map((piece, index) => (index % 2 === 1 ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
    .join('')
}

import { Marked } from 'marked'
import { escapeHtml } from '../escape-html.ts'

/** Lists and quotes in each other at the start of a line, more than anybody could read. */
const NESTED_TOO_DEEPLY = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m
/** Marks of emphasis: their cost grows with the square, and thousands in each other would be seconds. */
const MAX_MARKS = 600
const MARK = /[*~]+|\b_+|_+\b/g
/** The cost of these grows with the square, too: several tenths of a second in a text of nothing else. */
const MAX_UNDERSCORES = 2_500
const MAX_LINES = 1_000
const WIDE_GAP = /[ \t]{300}/
const ADDRESS = /^(?:https?:\/\/|mailto:)/i

/**
 * Markdown of a post: HTML in it is text, images are their words, and links lead to the web or to mail only. Headings are
 * lines in bold: the headings of the page are its own.
 */
const MARKED = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>\n`
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      return ADDRESS.test(href) ? `<a href="${escapeHtml(href)}" rel="nofollow noopener">${inner}</a>` : inner
    },
    image: ({ text }) => escapeHtml(text),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** HTML of a post's text; as plain text where it is too much to parse. */
export function renderPostBody(markdown: string): string {
  const count = (mark: RegExp) => markdown.match(mark)?.length ?? 0
  const isTooMuch =
    NESTED_TOO_DEEPLY.test(markdown) ||
    WIDE_GAP.test(markdown) ||
    count(MARK) > MAX_MARKS ||
    count(/_/g) > MAX_UNDERSCORES ||
    count(/\n/g) > MAX_LINES
  return isTooMuch ? `<p>${escapeHtml(markdown)}</p>` : MARKED.parse(markdown, { async: false })
}

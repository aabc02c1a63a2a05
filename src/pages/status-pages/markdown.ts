import { Marked } from 'marked'
import { escapeHtml } from '../docs/markdown.ts'

/** Lists and quotes in each other at the start of a line, more than anybody could read. */
const NESTED_TOO_DEEPLY = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m
/** Marks of emphasis: their cost grows with the square, and thousands in each other would be seconds. */
const MAX_MARKS = 600
const MARK = /[*~]+|\b_+|_+\b/g
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
  const isTooMuch = NESTED_TOO_DEEPLY.test(markdown) || (markdown.match(MARK)?.length ?? 0) > MAX_MARKS
  return isTooMuch ? `<p>${escapeHtml(markdown)}</p>` : MARKED.parse(markdown, { async: false })
}

import { Marked } from 'marked'
import { escapeHtml } from '../docs/markdown.ts'

/** Lists and quotes in each other at the start of a line: more cost time, and nobody could read them. */
const NESTED_TOO_DEEPLY = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m
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

/** HTML of a post's text; as plain text where it is nested too deeply to be read. */
export function renderPostBody(markdown: string): string {
  return NESTED_TOO_DEEPLY.test(markdown)
    ? `<p>${escapeHtml(markdown)}</p>`
    : MARKED.parse(markdown, { async: false })
}

import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer'
import type { LinkUse } from './elements.ts'

/** An address that a style sheet loads. */
export type StyleLink = { href: string; use: LinkUse; label: string }

/** At-rules whose text holds addresses that nothing loads. */
const NAMES_ONLY = /^(?:namespace|charset|(?:-moz-)?document)$/i
const IMAGE_SET = /^(?:-webkit-)?image-set$/i

/**
 * The addresses of a style sheet, or of a list of declarations, in order: those of `@import`, of fonts, and of everything else
 * that is an image to browsers. Comments, escapes and errors are as CSS has them.
 */
export function* readStyle(css: string): Generator<StyleLink> {
  const tokens = tokenizer({ css })
  /** The at-rule whose text before its block is being read, and the blocks and functions that are open. */
  let rule: string | null = null
  const open: string[] = []
  while (!tokens.endOfFile()) {
    const token: CSSToken = tokens.nextToken()
    switch (token[0]) {
      case TokenType.AtKeyword:
        rule = token[4].value.toLowerCase()
        break
      case TokenType.OpenCurly:
        open.push(rule === 'font-face' ? 'font-face' : '{')
        rule = null
        break
      case TokenType.Function:
        open.push(token[4].value.toLowerCase())
        break
      case TokenType.OpenParen:
      case TokenType.OpenSquare:
        open.push('(')
        break
      case TokenType.CloseCurly:
      case TokenType.CloseParen:
      case TokenType.CloseSquare:
        open.pop()
        break
      case TokenType.Semicolon:
        rule = null
        break
      case TokenType.URL:
      case TokenType.String: {
        const link = linkOf(token[4].value, token[0] === TokenType.URL || open.at(-1) === 'url', rule, open)
        if (link) yield link
        if (link?.use === 'style') rule = ''
        break
      }
    }
  }
}

function linkOf(
  href: string,
  isUrl: boolean,
  rule: string | null,
  open: readonly string[],
): StyleLink | null {
  if (rule === 'import' && (isUrl || open.length === 0)) return { href, use: 'style', label: '@import' }
  if (rule !== null && NAMES_ONLY.test(rule)) return null
  // Within the same document.
  if (href.startsWith('#')) return null
  const isImage = isUrl || IMAGE_SET.test(open.at(-1) ?? '')
  if (!isImage) return null
  return open.includes('font-face')
    ? { href, use: 'data', label: '@font-face' }
    : { href, use: 'image', label: 'url()' }
}

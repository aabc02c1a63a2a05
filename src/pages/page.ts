import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { shownLine, shownLines } from '../core/language/hidden-characters.ts'
import type { Translator } from '../core/language/translate.ts'
import { ownFile } from '../files/own-files.ts'
import { FACE, packed, TOKENS } from './look/face.ts'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const SHEET = readFileSync(ownFile('src/pages/look/page.css'), 'utf8')
/** Inside the page, which is complete without a second answer. */
const STYLE = packed(`${FACE.rules}${TOKENS}${SHEET}`)

/** Nothing is loaded from elsewhere and no script runs; the one style sheet is allowed by its hash. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

/** `front` has the product's picture beside its content, `wide` has room for commands. */
export type PageLayout = 'plain' | 'front' | 'wide'

/** Wraps content in a whole page. `docsPath` is the documentation's path on this service, if it is served here. */
export function page(
  { t, language }: Translator,
  title: string,
  docsPath: string | null,
  content: Html,
  layout: PageLayout = 'plain',
): Html {
  const docs = docsPath === null ? '' : html`<a href="${docsPath}">${t('Documentation')}</a>`
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${shownLine(title)} · Upbeat</title>${raw(FACE.preload)}
<link rel="icon" href="/icon.svg" type="image/svg+xml"><style>${raw(STYLE)}</style></head>
<body class="${layout}"><nav aria-label="Upbeat"><a class="brand" href="/"><img src="/icon.svg" alt="" width="26" height="26">Upbeat</a>${docs}</nav>
<main><div class="card">${shownHtml(content)}</div></main>${layout === 'front' ? picture(t) : ''}</body></html>`
}

/** Names of teams, people and pages, and the texts of others in which they stand, turn and hide nothing. */
function shownHtml(content: Html): Html {
  return content instanceof Promise ? content.then(shownHtml) : raw(shownLines(String(content)))
}

function picture(t: Translator['t']): Html {
  return html`<aside class="picture" aria-label="${t('About Upbeat')}"><img src="/picture.svg" alt="" width="560" height="376">
<p class="says">${t('A minute to your first alert')}</p>
<p>${t('Next, you enter a URL, choose who gets alerted, and send a test that really arrives.')}</p></aside>`
}

/** Emphasizes a part of a text, such as an address. */
export const strong = (inside: (string | Html)[]): Html => html`<strong>${inside}</strong>`

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DOCUMENT_HEADERS } from '../../core/document-headers.ts'
import { accentOn } from '../../core/status-pages/accent.ts'
import type { StatusPage } from '../../core/status-pages/status-page.ts'
import { ownFile } from '../../files/own-files.ts'

/** The settings of a page that its style sheet depends on. */
export type Look = Pick<StatusPage, 'theme' | 'accent_color'>

/** The look of pages that must not tell one status page from another. */
export const PLAIN_LOOK: Look = { theme: 'auto', accent_color: null }

const RULES = minified(readFileSync(ownFile('src/pages/status-pages/status-page.css'), 'utf8'))

type Colors = Record<string, string>

/** Contrast on `paper` and `panel` is at least 4.5 for text, and 3 for bars. */
const LIGHT: Colors = {
  scheme: 'light',
  paper: '#f5f7f9',
  panel: '#ffffff',
  ink: '#17202b',
  soft: '#56616f',
  line: '#dde3e9',
  good: '#0f7a4d',
  planned: '#2c5fc9',
  slight: '#8f5200',
  partial: '#b1470a',
  bad: '#c2271d',
  dim: '#5b6675',
  'bar-up': '#23a06a',
  'bar-short': '#c77a00',
  'bar-bad': '#c2271d',
  'bar-planned': '#4a7fe0',
  'bar-unknown': '#838e9b',
}
const DARK: Colors = {
  scheme: 'dark',
  paper: '#0e1318',
  panel: '#161d25',
  ink: '#e6ebf1',
  soft: '#9fabb9',
  line: '#2a3440',
  good: '#45c98d',
  planned: '#8ab0ff',
  slight: '#f0b04f',
  partial: '#ff9a5c',
  bad: '#ff7b6e',
  dim: '#9fabb9',
  'bar-up': '#2fae78',
  'bar-short': '#f0b04f',
  'bar-bad': '#ff6b5e',
  'bar-planned': '#7aa5ff',
  'bar-unknown': '#77838f',
}
/** Our own green. */
const OWN_ACCENT = { light: '#0b6e4f', dark: '#4fd1a1' }

/** The whole style sheet: it stands in the page, so that nothing is asked for before the first paint. */
export function styleOf({ theme, accent_color }: Look): string {
  const of = (colors: Colors, own: string) => {
    const { text, ground, onGround } = accentOn(accent_color ?? own, colors.paper as string)
    const all = { ...colors, accent: text, ground, 'on-ground': onGround }
    const tokens = Object.entries(all).map(([name, value]) => `--${name}:${value}`)
    return `:root{color-scheme:${colors.scheme};${tokens.join(';')}}`
  }
  const light = of(LIGHT, OWN_ACCENT.light)
  const dark = of(DARK, OWN_ACCENT.dark)
  const auto = `${light}@media(prefers-color-scheme:dark){${dark}}`
  return { light, dark, auto }[theme] + RULES
}

/** Our script, our pictures, this one style sheet, and nothing from elsewhere. Only what is meant for it is framed. */
export function statusPageHeaders(look: Look, { isEmbed = false } = {}): Record<string, string> {
  const hash = createHash('sha256').update(styleOf(look)).digest('base64')
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${isEmbed ? '*' : "'none'"}`,
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    // With no referrer at all, browsers would not send the origin of a form either.
    'referrer-policy': 'same-origin',
    ...DOCUMENT_HEADERS[isEmbed ? 'framed' : 'page'],
  }
}

function minified(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*([{};,])\s*/g, '$1')
    .replaceAll(/: /g, ':')
    .trim()
}

import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const STYLE = `:root{color-scheme:light dark;--ink:#1d2530;--soft:#5b6675;--line:#d8dee6;--paper:#fff;--accent:#0b6e4f}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf3;--soft:#9aa7b5;--line:#313b47;--paper:#12171d;--accent:#4fd1a1}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,sans-serif}
.card{border:1px solid var(--line);border-radius:.6rem;padding:1.25rem 1.5rem 1.5rem}.card h1{margin:0 0 .5rem;font-size:1.5rem}
.note{color:var(--soft);font-size:.9rem;margin:.4rem 0}#site{margin-top:1.25rem}.differs{padding:.6rem .8rem;border:1px solid var(--soft);border-radius:.4rem;overflow-wrap:anywhere}.note code,.note strong{color:var(--ink)}nav img{vertical-align:-.4em;margin-right:.5rem}
main{max-width:44rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}h1{line-height:1.2}a{color:var(--accent)}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{padding:1rem;border:1px solid var(--line);border-radius:.5rem;overflow-x:auto}
table{border-collapse:collapse;display:block;overflow-x:auto}td code{overflow-wrap:anywhere}th,td{border-bottom:1px solid var(--line);padding:.4rem .5rem;text-align:left;vertical-align:top}
nav{border-bottom:1px solid var(--line);padding:.75rem 1.25rem}nav a{margin-right:1rem}
label{display:block;margin:1rem 0 .25rem}input,select{width:100%;padding:.6rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:.4rem}
button{margin-top:1.25rem;padding:.65rem 1.25rem;font:inherit;border:0;border-radius:.4rem;background:var(--accent);color:var(--paper);cursor:pointer}
button.second{background:transparent;color:inherit;border:1px solid var(--soft);margin-left:.5rem}
select option{background:var(--paper)}fieldset{margin:1.25rem 0;padding:.25rem 1rem 1rem;border:1px solid var(--line);border-radius:.4rem}.choice{display:flex;gap:.6rem;align-items:baseline}.choice input{width:auto}
.fault{color:#c0392b}`

/** Nothing is loaded from elsewhere and no script runs; the one style sheet is allowed by its hash. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${await hashOf(STYLE)}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `sha256-${Buffer.from(digest).toString('base64')}`
}

/** Wraps content in a whole page. `docsPath` is the documentation's path on this service, if it is served here. */
export function page(title: string, docsPath: string | null, content: Html): Html {
  const docs = docsPath === null ? '' : html`<a href="${docsPath}">Documentation</a>`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Upbeat</title><style>${raw(STYLE)}</style></head>
<body><nav aria-label="Site"><a href="/"><img src="/icon.svg" alt="" width="24" height="24">Upbeat</a>${docs}</nav>
<main>${content}</main></body></html>`
}

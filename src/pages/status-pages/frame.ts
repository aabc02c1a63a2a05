import { html, raw } from 'hono/html'
import { PAGE_LANGUAGES, PageLanguage } from '../../core/language/page-languages.ts'
import type { ComponentState } from '../../core/status-pages/component-state.ts'
import type { Html } from '../page.ts'
import { SCRIPT_PATH, tabIconPath } from './files.ts'
import { SHAPES } from './icons.ts'
import { type Look, PLAIN_LOOK, styleOf } from './look.ts'
import { fill, nameOf } from './markup.ts'
import type { PageView, writingOf } from './view.ts'

type Parts = {
  title: string
  content: Html
  look: Look
  /** They go into the head of the document, behind what all have. */
  links?: Html
  icon?: ComponentState
  /** Texts that the script says. */
  data?: Record<string, string>
}

/** A whole document, from the doctype on. */
export function documentOf(
  { options, words }: ReturnType<typeof writingOf>,
  { title, content, look, links, icon = 'unknown', data = {} }: Parts,
): string {
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  return String(html`<!doctype html>
<html lang="${options.language}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(styleOf(look))}</style>
<link rel="icon" type="image/svg+xml" href="${options.base}${tabIconPath(icon)}">
${links ?? html`<meta name="robots" content="noindex">`}</head>
<body${attributes}><a class="skip" href="#content">${words.page.skip}</a>${SHAPES}${content}</body></html>
`)
}

/** The script adds tooltips, live refresh and the reader's times; without it nothing is missing. */
export function scriptOf({ options }: Pick<PageView, 'options'>): Html {
  return html`<script src="${options.base}${SCRIPT_PATH}" defer></script>`
}

/** The page's name and logo above the content, and what leads elsewhere below it. */
export function pageFrame(view: PageView, { main, isStart }: { main: Html; isStart: boolean }): Html {
  const { model, options, words, link } = view
  const { settings, logoTag } = model
  const name = nameOf(settings.name)
  const brand =
    logoTag === null
      ? name
      : html`<img src="${options.base}/logo?v=${logoTag}" alt="${settings.name}" height="36">`
  const home = isStart ? settings.home_url : link('')
  const start = home === null ? brand : html`<a href="${home}">${brand}</a>`
  return html`<header>${isStart ? html`<h1 class="brand">${start}</h1>` : html`<p class="brand">${start}</p>`}
${settings.allows_subscribers ? html`<a class="button" href="${link('/subscribe')}">${words.subscribe.title}</a>` : ''}</header>
<main id="content" tabindex="-1">${main}</main>
${footerOf(view)}`
}

function footerOf(view: PageView): Html {
  const { model, options, words, link } = view
  const { settings } = model
  const feeds = options.feedBase ?? options.base
  const feed = (name: string, word: string) => html`<li><a href="${feeds}/feed.${name}">${word}</a>`
  return html`<footer><ul><li><a href="${link(`/history/${monthOf(model.asOf)}`)}">${words.sections.history}</a>
${feed('rss', 'RSS')}${feed('atom', 'Atom')}${feed('json', 'JSON')}<li><a href="${feeds}/maintenance.ics">${words.page.calendar}</a>
${settings.support_url === null ? '' : html`<li><a href="${settings.support_url}">${words.page.help}</a>`}</ul>
${settings.language === 'auto' ? languagesOf(view) : ''}
<p class="soft"><span id="zone">${fill(words.times.zone, html`<span>UTC</span>`)}</span> ${words.page.software}.</p></footer>`
}

/** Links to the same page in every language. */
function languagesOf({ options, words }: PageView): Html {
  const links = PageLanguage.options.map((language) => {
    const current = language === options.language ? raw(' aria-current="true"') : ''
    return html`<li><a href="?lang=${language}" lang="${language}" hreflang="${language}" rel="nofollow"${current}>${PAGE_LANGUAGES[language].name}</a>`
  })
  return html`<nav aria-label="${words.page.language}"><ul>${links}</ul></nav>`
}

/** The month of UTC: `2026-11`. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}

/** A short page about one thing, which looks the same for every status page. */
export function plainDocument(
  writing: ReturnType<typeof writingOf>,
  { title, text }: { title: string; text: Html },
): string {
  const content = html`<main id="content" class="narrow" tabindex="-1"><h1>${title}</h1>${text}</main>`
  return documentOf(writing, { title, content, look: PLAIN_LOOK })
}

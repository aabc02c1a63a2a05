import { html } from 'hono/html'
import type { PageModel } from '../../core/status-pages/page-model.ts'
import type { Html } from '../page.ts'
import { documentOf, scriptOf } from './frame.ts'
import { nameOf, stateOf } from './markup.ts'
import { ongoing, scriptTexts, staleNotice, stateHead } from './status-page.ts'
import { type PageView, type ViewOptions, viewOf } from './view.ts'

/** The page in short, for a frame on another site: its state, what goes on, and each component in a line. */
export function renderEmbed(model: PageModel, options: ViewOptions): string {
  const view = viewOf(model, options)
  const { words } = view
  const content = html`<main id="content" class="embed" tabindex="-1"><h1 class="unseen">${words.page.title(model.settings.name)}</h1>
<div id="live">${staleNotice(view)}${stateHead(view)}${ongoing(view, true)}<ul class="panel">${model.items.map((item) => lineOf(view, item))}</ul></div>
<p><a href="${view.link('')}">${words.page.wholePage}</a></p></main>`
  return documentOf(view, {
    title: words.page.title(model.settings.name),
    content,
    look: model.settings,
    // Links leave the frame, in which the page itself may not be shown.
    links: html`<base target="_blank"><meta name="robots" content="noindex"><link rel="canonical" href="${model.url}">${scriptOf(view)}`,
    icon: model.state,
    data: scriptTexts(view),
  })
}

function lineOf({ words }: PageView, item: PageModel['items'][number]): Html {
  const { name, state, id } = 'group' in item ? item.group : item.component
  return html`<li id="${'group' in item ? 'g' : 'c'}${id}"><div class="line"><span>${nameOf(name)}</span>${stateOf(state, words.states[state])}</div></li>
`
}

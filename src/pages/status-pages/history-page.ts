import { html } from 'hono/html'
import type { PageModel, PagePost } from '../../core/status-pages/page-model.ts'
import { documentOf, monthOf, pageFrame, scriptOf } from './frame.ts'
import { MAX_SHOWN_UPDATES, postOf } from './posts.ts'
import { linksOf, scriptTexts, staleNotice } from './status-page.ts'
import { type ViewOptions, viewOf } from './view.ts'

/** The posts that began in a month of UTC, newest first. */
export type HistoryMonth = { month: Date; posts: PagePost[] }

/** One month's posts, at `history/{yyyy-mm}`, with the ways to the month before and the one after. */
export function renderHistoryPage(
  model: PageModel,
  { month, posts }: HistoryMonth,
  options: ViewOptions,
): string {
  const view = viewOf(model, options)
  const { words, say, link } = view
  const first = monthOf(model.createdAt)
  const name = monthOf(month)
  const to = (at: Date, word: string) => html`<a href="${link(`/history/${monthOf(at)}`)}">${word}</a>`
  const earlier = name > first ? to(monthsOn(month, -1), words.posts.earlier) : ''
  const later = name < monthOf(model.asOf) ? to(monthsOn(month, 1), words.posts.later) : ''
  const main = html`<div id="live">${staleNotice(view)}<h1 class="title">${words.sections.history}</h1><h2>${say.month(month)}</h2>
${posts.length === 0 ? html`<p class="soft">${words.posts.noneInMonth}</p>` : posts.map((post) => postOf(view, post, MAX_SHOWN_UPDATES))}
<p class="turn"><span>${earlier}</span><a href="${link('')}">${words.posts.back}</a><span>${later}</span></p></div>`
  return documentOf(view, {
    title: `${words.sections.history}, ${say.month(month)} · ${words.page.title(model.settings.name)}`,
    content: pageFrame(view, { main, isStart: false }),
    look: model.settings,
    links: html`${linksOf(view, `/history/${name}`)}${scriptOf(view)}`,
    icon: model.state,
    data: scriptTexts(view),
  })
}

function monthsOn(month: Date, count: number): Date {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + count))
}

import { html } from 'hono/html'
import type { PageComponent, PageModel } from '../../core/status-pages/page-model.ts'
import { headOfPage } from '../../core/status-pages/post-tone.ts'
import type { Html } from '../page.ts'
import { componentsOf } from './components.ts'
import { cardPath } from './files.ts'
import { documentOf, monthOf, pageFrame, scriptOf } from './frame.ts'
import { fill, nameOf, stateIcon, timeOf } from './markup.ts'
import { MAX_SHOWN_UPDATES, plannedOf, postOf } from './posts.ts'
import { type PageView, type ViewOptions, viewOf } from './view.ts'

/** The status page itself. */
export function renderStatusPage(model: PageModel, options: ViewOptions): string {
  const view = viewOf(model, options)
  const { words } = view
  return documentOf(view, {
    title: `${words.heads[headOfPage(model)]} · ${words.page.title(model.settings.name)}`,
    content: contentOf(view),
    look: model.settings,
    links: html`${linksOf(view, '')}${scriptOf(view)}`,
    icon: model.state,
    data: scriptTexts(view),
  })
}

export function contentOf(view: PageView): Html {
  const main = html`<div id="live">${staleNotice(view)}${headOf(view)}${ongoing(view)}${componentsOf(view)}${planned(view)}${recent(view)}</div>`
  return pageFrame(view, { main, isStart: true })
}

/** Texts that the script says, and the last of the days that it names. */
export function scriptTexts({ model, words }: PageView): Record<string, string> {
  return { offline: words.times.offline, day: model.asOf.toISOString().slice(0, 10) }
}

/** Search engines, feed readers and previews of links read it; a page that is not public has none. */
export function linksOf(view: PageView, path: string): Html {
  const { model, options, words } = view
  const { settings, url, state } = model
  if (settings.visibility !== 'public') return html`<meta name="robots" content="noindex">`
  const about = settings.description || words.heads[headOfPage(model)]
  const feed = (name: string, type: string) =>
    html`<link rel="alternate" type="${type}" title="${settings.name}" href="${options.base}/feed.${name}">`
  return html`<meta name="description" content="${about}"><link rel="canonical" href="${url}${path}">
${feed('rss', 'application/rss+xml')}${feed('atom', 'application/atom+xml')}${feed('json', 'application/feed+json')}
<meta property="og:title" content="${words.page.title(settings.name)}"><meta property="og:description" content="${words.heads[headOfPage(model)]}">
<meta property="og:type" content="website"><meta property="og:url" content="${url}${path}"><meta property="og:image" content="${url}${cardPath(state)}">`
}

export function staleNotice(view: PageView): Html {
  const { model, options, words } = view
  return options.isStale
    ? html`<p class="notice" role="status">${fill(words.times.stale, timeOf(view, model.asOf))}</p>`
    : html``
}

function headOf(view: PageView): Html {
  const { description } = view.model.settings
  return html`${stateHead(view)}${description === '' ? '' : html`<p class="about">${nameOf(description)}</p>`}`
}

/** The state of all in words, shape and color. */
export function stateHead(view: PageView): Html {
  const { model, options, words } = view
  const all = componentsIn(model)
  const affected = all.filter(({ state }) => state !== 'operational').length
  return html`<section class="head ${model.state}"><h2 id="head">${stateIcon(model.state)}${words.heads[headOfPage(model)]}</h2>
<p>${affected === 0 ? '' : html`${words.affected(affected, all.length)} · `}${fill(words.times.changed, timeOf(view, model.updatedAt))}${
    options.isCopy ? html`<br>${fill(words.times.asOf, timeOf(view, model.asOf))}` : ''
  }</p></section>
`
}

export function componentsIn(model: PageModel): PageComponent[] {
  return model.items.flatMap((item) => ('group' in item ? item.group.components : [item.component]))
}

/** Posts that are not over, and windows that apply without a post. Scheduled ones stand with what is planned. */
function ongoingIn({ active, planned }: PageModel) {
  const posts = active.filter(({ phase }) => phase !== 'scheduled')
  return { posts, windows: planned.filter(({ isRunning, postId }) => isRunning && !hasPost(posts, postId)) }
}

export function ongoing(view: PageView, isShort = false): Html {
  const { posts, windows } = ongoingIn(view.model)
  if (posts.length + windows.length === 0) return html``
  return section(
    view,
    'ongoing',
    html`${posts.map((post) => postOf(view, post, isShort ? 1 : MAX_SHOWN_UPDATES))}${windows.map((one) => plannedOf(view, one))}`,
  )
}

function planned(view: PageView): Html {
  const coming = view.model.planned.filter(({ isRunning }) => !isRunning)
  if (coming.length === 0) return html``
  return section(view, 'planned', html`${coming.map((one) => plannedOf(view, one))}`)
}

function recent(view: PageView): Html {
  const { model, words, link } = view
  const posts = model.recent.map((post) => postOf(view, post, MAX_SHOWN_UPDATES))
  const { posts: open, windows } = ongoingIn(model)
  // Below what is going on now it would read as if nothing had been said of it.
  const isQuiet = posts.length + open.length + windows.length === 0
  return section(
    view,
    'recent',
    html`${isQuiet ? html`<p class="soft">${words.posts.noneRecent}</p>` : posts}
<p><a href="${link(`/history/${monthOf(model.asOf)}`)}">${words.sections.history}</a></p>`,
  )
}

function section({ words }: PageView, name: 'ongoing' | 'planned' | 'recent', content: Html): Html {
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${words.sections[name]}</h2>${content}</section>
`
}

function hasPost(posts: readonly { id: number }[], id: number | null): boolean {
  return posts.some((post) => post.id === id)
}

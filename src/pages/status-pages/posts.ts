import { html, raw } from 'hono/html'
import type { ComponentState } from '../../core/status-pages/component-state.ts'
import type { PagePost, PagePostUpdate, PlannedMaintenance } from '../../core/status-pages/page-model.ts'
import { isOver } from '../../core/status-pages/post.ts'
import { toneOfPost } from '../../core/status-pages/post-tone.ts'
import type { Html } from '../page.ts'
import { renderPostBody } from './markdown.ts'
import { fill, nameOf, namesOf, stateOf, timeOf } from './markup.ts'
import type { PageView } from './view.ts'

/** Updates of a post that stand on the page; the rest is on the post's own. */
export const MAX_SHOWN_UPDATES = 3

/** A post in a list: its newest updates, and the way to all of them. */
export function postOf(view: PageView, post: PagePost, shown: number): Html {
  const { words, link } = view
  const { updates } = post
  const path = link(`/posts/${post.id}`)
  const isWhole = updates.length <= shown
  return html`<article class="panel post ${toneOfPost(post)}" id="p${post.id}"><h3><a href="${path}">${nameOf(post.title)}</a></h3>
${aboutPost(view, post)}${updatesOf(view, updates.slice(0, shown))}
${isWhole ? '' : html`<p><a href="${path}">${words.posts.allUpdates(updates.length)}</a></p>`}</article>
`
}

/** Its phase, when it was, and what it is about. */
export function aboutPost(view: PageView, post: PagePost): Html {
  const { words } = view
  const { phase, impact } = post
  const worst = SAID_OF_PAST.has(impact) && isOver(phase) ? html` · ${words.states[impact]}` : ''
  return html`<p class="soft">${stateOf(toneOfPost(post), words.phases[phase])}${worst} · ${whenOf(view, post)}${affectedBy(view, post)}</p>`
}

/** Impacts that a post which is over still tells: those that are worse than work as planned. */
const SAID_OF_PAST: ReadonlySet<ComponentState> = new Set(['degraded', 'partial_outage', 'major_outage'])

function affectedBy(view: PageView, { kind, components }: PagePost): Html {
  const { posts } = view.words
  if (components.length === 0) return kind === 'incident' ? html`<br>${posts.affectsNone}` : html``
  const names = components.map(({ name }) => name)
  return html`<br>${fill(posts.affects, namesOf(view, names))}`
}

function whenOf(view: PageView, post: PagePost): Html {
  const { words, say } = view
  const { kind, phase, startedAt, resolvedAt, scheduledFor, scheduledUntil } = post
  if (kind === 'maintenance' && scheduledFor && scheduledUntil) {
    return fill(words.posts.from, timeOf(view, scheduledFor), timeOf(view, scheduledUntil))
  }
  if (!isOver(phase) || resolvedAt === null) return fill(words.posts.began, timeOf(view, startedAt))
  const lasted = words.posts.over(say.duration(resolvedAt.getTime() - startedAt.getTime()))
  return html`${timeOf(view, startedAt)} · ${lasted}`
}

export function updatesOf(view: PageView, updates: readonly PagePostUpdate[]): Html {
  const { words } = view
  return html`<ol class="updates">${updates.map(
    ({
      phase,
      at,
      body,
    }) => html`<li><p><b>${words.phases[phase]}</b> <span class="soft">${timeOf(view, at)}</span></p>
<div class="body" dir="auto">${raw(renderPostBody(body))}</div></li>`,
  )}</ol>`
}

/** Maintenance of a window, or of a post that has not begun. */
export function plannedOf(view: PageView, planned: PlannedMaintenance): Html {
  const { words, link } = view
  const { postId, title, note, startsAt, endsAt, isRunning, components } = planned
  const named = nameOf(title)
  const when = isRunning
    ? fill(words.posts.running, timeOf(view, endsAt))
    : fill(words.posts.from, timeOf(view, startsAt), timeOf(view, endsAt))
  const names = components.map(({ name }) => name)
  return html`<article class="panel post maintenance"><h3>${postId === null ? named : html`<a href="${link(`/posts/${postId}`)}">${named}</a>`}</h3>
<p class="soft">${stateOf('maintenance', isRunning ? words.states.maintenance : words.phases.scheduled)} · ${when}${names.length === 0 ? '' : html`<br>${fill(words.posts.affects, namesOf(view, names))}`}</p>
${note === '' ? '' : html`<div class="body" dir="auto">${raw(renderPostBody(note))}</div>`}</article>
`
}

import { html } from 'hono/html'
import type { PageModel, PagePost } from '../../core/status-pages/page-model.ts'
import { toneOfPost } from '../../core/status-pages/post-tone.ts'
import { documentOf, pageFrame, scriptOf } from './frame.ts'
import { nameOf } from './markup.ts'
import { aboutPost, updatesOf } from './posts.ts'
import { linksOf, scriptTexts, staleNotice } from './status-page.ts'
import { type ViewOptions, viewOf } from './view.ts'

/** One post with all of its updates, at `posts/{id}`. */
export function renderPostPage(model: PageModel, post: PagePost, options: ViewOptions): string {
  const view = viewOf(model, options)
  const { words } = view
  const main = html`<div id="live">${staleNotice(view)}<article class="${toneOfPost(post)}"><h1 class="title">${nameOf(post.title)}</h1>
${aboutPost(view, post)}
<h2>${words.sections.updates}</h2>${updatesOf(view, post.updates)}</article></div>
<p class="turn"><a href="${view.link('')}">${words.posts.back}</a></p>`
  return documentOf(view, {
    title: `${post.title} · ${words.page.title(model.settings.name)}`,
    content: pageFrame(view, { main, isStart: false }),
    look: model.settings,
    links: html`${linksOf(view, `/posts/${post.id}`)}${scriptOf(view)}`,
    icon: model.state,
    data: scriptTexts(view),
  })
}

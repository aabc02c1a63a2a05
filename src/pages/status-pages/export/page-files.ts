import { posix } from 'node:path'
import type { PageModel, PagePost } from '../../../core/status-pages/page-model.ts'
import { startOfMonth } from '../../../core/status-pages/serving/post-times.ts'
import { renderEmbed } from '../embed.ts'
import { PAGE_FILES } from '../files.ts'
import { renderHistoryPage } from '../history-page.ts'
import { renderMachineDocuments } from '../machine-documents.ts'
import { renderPostPage } from '../post-page.ts'
import { renderStatusPage } from '../status-page.ts'

/** Everything that a page shows, to be written as files. */
export type PageContent = {
  model: PageModel
  /** The posts by the month that they began in (`2026-11`). */
  months: ReadonlyMap<string, PagePost[]>
  logo: Buffer | null
}

/** Content by its path in the folder of the page, `index.html` last: what it leads to is there before it. */
export type ExportFiles = Map<string, Buffer>

/** Stands for the address of the page until links are relative. */
const BASE = '/-page-'

/**
 * A page as files that any web server shows, from any folder: the same documents as are served, in one language, with
 * relative links. Only what a reader can send leads to the service.
 */
export async function exportFiles({ model: live, months, logo }: PageContent): Promise<ExportFiles> {
  const language = live.settings.language === 'auto' ? 'en' : live.settings.language
  const model: PageModel = { ...live, settings: { ...live.settings, language } }
  const options = { language, base: BASE }
  const files: ExportFiles = new Map()
  const put = (path: string, html: string) =>
    files.set(path, Buffer.from(relativeLinks(html, path, model.url)))
  for (const { path, content } of PAGE_FILES) files.set(path.slice(1), content)
  if (logo !== null) files.set('logo', logo)
  for (const { path, body } of await renderMachineDocuments(model)) files.set(path, Buffer.from(body))
  for (const posts of months.values()) {
    for (const post of posts) put(`posts/${post.id}.html`, renderPostPage(model, post, options))
  }
  for (const [month, posts] of months) {
    put(`history/${month}.html`, renderHistoryPage(model, { month: startOfMonth(month), posts }, options))
  }
  put('embed.html', renderEmbed(model, options))
  put('index.html', renderStatusPage(model, options))
  return files
}

const LINK = /(href|src|action)="\/-page-([^"?#]*)[^"]*"/g

function relativeLinks(html: string, from: string, url: string): string {
  return html.replaceAll(
    LINK,
    (_all, attribute: string, below: string) => `${attribute}="${target(below, from, url)}"`,
  )
}

function target(below: string, from: string, url: string): string {
  if (/^\/(subscribe|subscriptions|sign-in)/.test(below)) return url + below
  const path = /^\/(history|posts)\//.test(below) ? `${below.slice(1)}.html` : below.slice(1) || 'index.html'
  return posix.relative(posix.dirname(from), path)
}

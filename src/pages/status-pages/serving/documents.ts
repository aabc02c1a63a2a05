import { DOCUMENT_HEADERS } from '../../../core/document-headers.ts'
import type { PageLanguage } from '../../../core/language/page-languages.ts'
import type { MachineDocument, MachinePath } from '../../../core/status-pages/documents/machine-documents.ts'
import type { PageModel, PagePost } from '../../../core/status-pages/page-model.ts'
import type { PageRoute } from '../../../core/status-pages/serving/page-route.ts'
import { startOfMonth } from '../../../core/status-pages/serving/post-times.ts'
import type { ServedPage } from '../../../operations/status-pages/serving/followed-pages.ts'
import type { DocumentWish } from '../../../operations/status-pages/serving/ready-posts.ts'
import { renderEmbed } from '../embed.ts'
import { renderHistoryPage } from '../history-page.ts'
import { statusPageHeaders } from '../look.ts'
import { renderMachineDocuments } from '../machine-documents.ts'
import { renderPostPage } from '../post-page.ts'
import { renderStatusPage } from '../status-page.ts'
import { renderSubscribeForm } from '../subscribe-pages.ts'
import type { ViewOptions } from '../view.ts'
import { createReadyFile, type ReadyFile } from './ready-file.ts'

/** Routes whose answer is a document of the page's model. */
export type DocumentRoute = Exclude<PageRoute, { kind: 'file' | 'sign_in' | 'subscription' }>

/** A document, in one of the forms that a reader may ask for. */
export type PageWish = DocumentWish & {
  route: DocumentRoute
  language: PageLanguage
  isChosen: boolean
  isEmbed: boolean
  isStale: boolean
  /** Everybody sees the page. */
  isOpen: boolean
  base: string
}

export function wishOf(wish: Omit<PageWish, 'id' | 'month' | 'post'>): PageWish {
  const { route, language, isChosen, isEmbed, isStale, isOpen, base } = wish
  const own =
    route.kind === 'month'
      ? route.month
      : route.kind === 'post'
        ? route.id
        : route.kind === 'document'
          ? route.name
          : ''
  return {
    ...wish,
    id: `${route.kind} ${own} ${language} ${isChosen} ${isEmbed} ${isStale} ${isOpen} ${base}`,
    ...(route.kind === 'month' && { month: route.month }),
    ...(route.kind === 'post' && { post: route.id }),
  }
}

/** Seconds that caches in between may show a page; copies of it help while we cannot be reached. */
const OPEN_PAGE = 'public, max-age=2, stale-if-error=86400'
const OPEN_DOCUMENT = 'public, max-age=30, stale-if-error=86400'
const CLOSED = 'private, no-cache'

/** Parts of documents that are not in the model. */
export type DocumentParts = {
  /** Whether mail can be sent to subscribers, at the time it is asked. */
  readonly offersMail: boolean
  readLogo: (model: PageModel) => Promise<{ image: Buffer; type: string } | null>
}

/** Writes documents of a model. */
export function createDocumentWriter(parts: DocumentParts) {
  // They are written together, and asked for one by one.
  const forPrograms = new WeakMap<PageModel, Map<string, Promise<MachineDocument[]>>>()

  async function documentOf(page: ServedPage, model: PageModel, name: MachinePath, wish: PageWish) {
    // Those for strangers never hold the token of those that are not for everybody.
    const feedBase = feedBaseOf(model.url, page, wish)
    const known = forPrograms.get(model) ?? new Map<string, Promise<MachineDocument[]>>()
    const written = known.get(feedBase) ?? renderMachineDocuments(model, { feedBase })
    forPrograms.set(model, known.set(feedBase, written))
    return (await written).find(({ path }) => path === name) ?? null
  }

  return async (
    page: ServedPage,
    model: PageModel,
    posts: PagePost[],
    wish: PageWish,
  ): Promise<ReadyFile | null> => {
    const { route } = wish
    if (route.kind === 'logo') return logoFile(await parts.readLogo(model), wish)
    if (route.kind === 'document')
      return documentFile(await documentOf(page, model, route.name, wish), model.asOf, wish)
    const html = htmlOf(model, posts, wish, optionsOf(page, wish), parts.offersMail)
    if (html === null) return null
    return createReadyFile(html, {
      ...statusPageHeaders(model.settings, { isEmbed: wish.isEmbed }),
      'cache-control': wish.isOpen ? OPEN_PAGE : CLOSED,
      vary: varyOf(page, wish),
    })
  }
}

function htmlOf(
  model: PageModel,
  posts: PagePost[],
  { route, isEmbed }: PageWish,
  options: ViewOptions,
  offersMail: boolean,
): string | null {
  switch (route.kind) {
    case 'page':
      return isEmbed ? renderEmbed(model, options) : renderStatusPage(model, options)
    case 'month':
      return renderHistoryPage(model, { month: startOfMonth(route.month), posts }, options)
    case 'post':
      return posts[0] ? renderPostPage(model, posts[0], options) : null
    case 'subscribe':
      return model.settings.allows_subscribers ? renderSubscribeForm(model, options, null, offersMail) : null
    default:
      return null
  }
}

/** The address before documents for programs, which bring no cookie. */
function feedBaseOf(base: string, { feedToken }: ServedPage, { isOpen }: PageWish): string {
  return isOpen || feedToken === null ? base : `${base}/private/${feedToken}`
}

function optionsOf(page: ServedPage, wish: PageWish): ViewOptions {
  const { language, isChosen, isStale, base } = wish
  return { language, isChosen, isStale, base, feedBase: feedBaseOf(base, page, wish) }
}

function varyOf({ language }: ServedPage, { isOpen }: PageWish): string {
  return [
    'accept-encoding',
    ...(language === 'auto' ? ['accept-language'] : []),
    ...(isOpen ? [] : ['cookie']),
  ].join(', ')
}

function logoFile(logo: { image: Buffer; type: string } | null, { isOpen }: PageWish): ReadyFile | null {
  return (
    logo &&
    createReadyFile(Buffer.from(logo.image), {
      'content-type': logo.type,
      'cache-control': isOpen ? 'public, max-age=86400' : CLOSED,
      'content-security-policy': "default-src 'none'",
      ...DOCUMENT_HEADERS[isOpen ? 'shared' : 'own'],
    })
  )
}

/**
 * Anybody's program may read what anybody sees. Of other pages, no script of another site may: it would run in the browser
 * of a reader in a network that sees the page. While the database is away, headers say of when it is: its formats have no
 * place for that, and readers must not take it for news.
 */
function documentFile(
  document: MachineDocument | null,
  asOf: Date,
  { isOpen, isStale }: PageWish,
): ReadyFile | null {
  return (
    document &&
    createReadyFile(document.body, {
      'content-type': document.type,
      'cache-control': isOpen ? OPEN_DOCUMENT : CLOSED,
      ...(isOpen && { 'access-control-allow-origin': '*' }),
      ...(isStale && staleHeaders(asOf)),
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      ...DOCUMENT_HEADERS[isOpen ? 'shared' : 'own'],
    })
  )
}

/** `Warning` is the header that says it (RFC 7234 section 5.5.1); scripts in browsers read the other one without leave. */
function staleHeaders(asOf: Date): Record<string, string> {
  const at = asOf.toUTCString()
  return { warning: `110 - "Response is Stale" "${at}"`, 'last-modified': at }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageLanguage } from '../../../core/language/page-languages.ts'
import { asPageLanguage, pageLanguage } from '../../../core/status-pages/page-language.ts'
import {
  type HostKind,
  type PageAccess,
  type PageViewer,
  pageAccess,
} from '../../../core/status-pages/serving/page-access.ts'
import { hostName, isOwnForm, isServiceHost, siteHost } from '../../../core/status-pages/serving/page-host.ts'
import {
  accessedRoute,
  PAGES_PATH,
  type PageRoute,
  pageRoute,
  splitPagePath,
} from '../../../core/status-pages/serving/page-route.ts'
import type { FollowedPages, ServedPage } from '../../../operations/status-pages/serving/followed-pages.ts'
import type { PageWish } from './documents.ts'
import { wishOf } from './documents.ts'
import { fileAt, notFoundFile, passwordFile, unavailableFile, unavailableText } from './plain-files.ts'
import { type ReadyFile, sendReadyFile } from './ready-file.ts'

export type PageDocuments = {
  document(page: ServedPage, wish: PageWish): ReadyFile | null | Promise<ReadyFile | null>
  measure(page: ServedPage, wish: PageWish): void
}

/** A request for something of a page, as far as it is understood. */
export type PageRequest = {
  incoming: IncomingMessage
  outgoing: ServerResponse
  page: ServedPage | null
  host: HostKind
  route: PageRoute | null
  /** The path before everything of the page; '' on its own domain. */
  base: string
  query: URLSearchParams
}

/** Acts for a form or a mailed link, and answers by itself; `access` is decided already. */
export type PageForm = (request: PageRequest & { page: ServedPage }, access: PageAccess) => Promise<void>

export type AnswerDeps = {
  pages: FollowedPages
  documents: PageDocuments
  readonly siteUrl: string
  /** The header of answers on the service's own host, where it has TLS; own domains belong to others. */
  readonly transportSecurity: string | null
  /** Null where the trusted proxies do not name the client. */
  knownAddress: (incoming: IncomingMessage) => string | null
  hasPass: (page: ServedPage, cookie: string | undefined) => boolean
  /** Whether the cookie is of a session of a member; asked for no page, too, so that both take as long. */
  isMember: (page: ServedPage | null, cookie: string) => Promise<boolean>
  forms: Partial<Record<PageRoute['kind'], PageForm>>
  onBug: (error: unknown) => void
}

/** Caddy asks here before it gets a certificate for a host. It costs a look into memory, and so has no limit. */
const DOMAINS_PATH = '/status-domains/allowed'

const NO_QUERY = new URLSearchParams()
const SESSION = 'upbeat_session='

/** The host name of the service, which is read anew only when its address has changed. */
function createSiteName(deps: Pick<AnswerDeps, 'siteUrl'>): () => string | null {
  let known = deps.siteUrl
  let name = siteHost(known)
  return () => {
    const { siteUrl } = deps
    if (siteUrl !== known) {
      known = siteUrl
      name = siteHost(siteUrl)
    }
    return name
  }
}

/**
 * Answers requests for status pages before anything else of the service sees them: everything on own domains, and paths
 * of pages on all hosts. False for a request that is of something else.
 */
export function createPageAnswers(
  deps: AnswerDeps,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const { pages } = deps
  const siteNameNow = createSiteName(deps)

  return (incoming, outgoing) => {
    const siteName = siteNameNow()
    const name = hostName(incoming.headers.host)
    const [path, query] = splitAddress(incoming.url ?? '')
    const isService = isServiceHost(name, siteName)
    const secure = () => {
      if (isService && deps.transportSecurity !== null) {
        outgoing.setHeader('strict-transport-security', deps.transportSecurity)
      }
    }
    const own = isService || name === null ? null : pages.byDomain(name)
    const request = { incoming, outgoing, query }
    if (own !== null) {
      answer(deps, { ...request, page: own, host: 'own_domain', route: pageRoute(path), base: '' })
      return true
    }
    // A proxy may know us by any name; what it learns is no secret.
    if (path === DOMAINS_PATH) {
      answerDomain(pages, query.get('domain'), outgoing)
      return true
    }
    const host = isService ? 'service' : 'foreign'
    if (path === PAGES_PATH || path.startsWith(`${PAGES_PATH}/`)) {
      secure()
      const split = splitPagePath(path)
      const page = split && pages.bySlug(split.slug)
      const route = split && pageRoute(split.below)
      answer(deps, { ...request, page, host, route, base: split ? `${PAGES_PATH}/${split.slug}` : '' })
      return true
    }
    // The page that is not there asks for its picture at the root.
    if (isService && fileAt(path) !== null) {
      secure()
      answer(deps, { ...request, page: null, host, route: { kind: 'file', path }, base: '' })
      return true
    }
    return false
  }
}

function answerDomain(pages: FollowedPages, domain: string | null, outgoing: ServerResponse): void {
  const name = hostName(domain ?? undefined)
  const isProved = name !== null && pages.byDomain(name) !== null
  outgoing.writeHead(isProved ? 200 : 404, { 'cache-control': 'no-store', 'content-length': '0' }).end()
}

/** An address of another form, such as one with a host in it, is of no page. */
function splitAddress(address: string): [path: string, query: URLSearchParams] {
  const at = address.indexOf('?')
  return at < 0 ? [address, NO_QUERY] : [address.slice(0, at), new URLSearchParams(address.slice(at + 1))]
}

function answer(deps: AnswerDeps, request: PageRequest): void {
  const failed = (error: unknown) => {
    // A visitor who goes away in the middle of a form is no bug of ours.
    if (error === request.incoming.errored) return
    // That the records are away is logged where the pages are followed.
    if (!deps.pages.isAway()) deps.onBug(error)
    if (request.outgoing.headersSent) request.outgoing.destroy()
    else void sendReadyFile(unavailableFor(request), request.incoming, request.outgoing)
  }
  try {
    const access = accessOf(deps, request)
    const work =
      access instanceof Promise
        ? access.then((known) => reply(deps, request, known))
        : reply(deps, request, access)
    if (work instanceof Promise) work.catch(failed)
  } catch (error) {
    failed(error)
  }
}

function accessOf(
  deps: AnswerDeps,
  { incoming, page, host, route }: PageRequest,
): PageAccess | Promise<PageAccess> {
  if (route === null) return 'not_found'
  const kind = accessedRoute(route)
  if (kind === null) return host === 'foreign' ? 'not_found' : 'shown'
  const { cookie } = incoming.headers
  const viewer: PageViewer = {
    isMember: false,
    passedPassword: page?.visibility === 'password' && deps.hasPass(page, cookie),
    clientAddress: page?.visibility === 'networks' ? deps.knownAddress(incoming) : null,
    hasFeedToken:
      route.kind === 'document' && route.feedToken !== null && route.feedToken === page?.feedToken,
  }
  if (route.kind === 'document' && route.feedToken !== null && !viewer.hasFeedToken) return 'not_found'
  const access = pageAccess(page, host, viewer, kind)
  if (access === 'shown' || host !== 'service' || !cookie?.includes(SESSION)) return access
  return deps.isMember(page, cookie).then((isMember) => pageAccess(page, host, { ...viewer, isMember }, kind))
}

function reply(deps: AnswerDeps, request: PageRequest, access: PageAccess): void | Promise<void> {
  const { incoming, outgoing, page, route, base } = request
  const send = (file: ReadyFile) => sendReadyFile(file, incoming, outgoing)
  if (access === 'not_found' || route === null) return send(notFoundFile(languageOf(request, null)))
  if (route.kind === 'file') return send(fileAt(route.path) ?? notFoundFile(languageOf(request, null)))
  const shown = page as ServedPage
  const form = deps.forms[route.kind]
  // Another site must not send a form from inside a network that sees the page. A mailed link holds a secret of its own.
  if (
    form &&
    route.kind !== 'subscription' &&
    incoming.method === 'POST' &&
    !isOwnForm(incoming.headers, deps.siteUrl)
  )
    return void outgoing.writeHead(403, { 'cache-control': 'no-store', connection: 'close' }).end()
  if (form && (incoming.method === 'POST' || route.kind === 'sign_in' || route.kind === 'subscription')) {
    return form({ ...request, page: shown }, access)
  }
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return refuseMethod(outgoing)
  if (access === 'password_form') return send(passwordFile(languageOf(request, null), base, null))
  if (route.kind === 'sign_in' || route.kind === 'subscription')
    return send(notFoundFile(languageOf(request, null)))
  return sendDocument(deps, request, shown, wishFor(deps, request, shown, route))
}

function sendDocument(
  { documents }: AnswerDeps,
  request: PageRequest,
  page: ServedPage,
  wish: PageWish,
): void | Promise<void> {
  const { incoming, outgoing } = request
  const sendFound = (file: ReadyFile | null) =>
    sendReadyFile(file ?? notFoundFile(languageOf(request, null)), incoming, outgoing, () =>
      documents.measure(page, wish),
    )
  const file = documents.document(page, wish)
  return file instanceof Promise ? file.then(sendFound) : sendFound(file)
}

function wishFor(
  { pages }: AnswerDeps,
  request: PageRequest,
  page: ServedPage,
  route: PageWish['route'],
): PageWish {
  const { query, base } = request
  const isText = route.kind !== 'logo' && route.kind !== 'document'
  const isOpen = page.isPublished && page.visibility === 'public'
  if (!isText) {
    const language = page.language === 'auto' ? 'en' : page.language
    const isStale = route.kind === 'document' && pages.isAway()
    return wishOf({ route, language, isChosen: false, isEmbed: false, isStale, isOpen, base })
  }
  return wishOf({
    route,
    language: languageOf(request, page),
    isChosen: page.language === 'auto' && asPageLanguage(query.get('lang') ?? undefined) !== null,
    isEmbed: route.kind === 'page' && query.has('embed'),
    isStale: pages.isAway(),
    isOpen,
    base,
  })
}

/** Without a page, which must not be told from others, it is the reader's. */
export function languageOf({ incoming, query }: PageRequest, page: ServedPage | null): PageLanguage {
  const asked = incoming.headers['accept-language']
  return pageLanguage(page?.language ?? 'auto', query.get('lang') ?? undefined, asked)
}

function unavailableFor(request: PageRequest): ReadyFile {
  const kind = request.route?.kind
  if (kind === 'document' || kind === 'logo') return unavailableText()
  return unavailableFile(languageOf(request, null), request.base)
}

function refuseMethod(outgoing: ServerResponse): void {
  outgoing.writeHead(405, { allow: 'GET, HEAD', 'cache-control': 'no-store' }).end()
}

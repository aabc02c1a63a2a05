import * as z from 'zod'
import type { AccessedRoute } from './page-access.ts'
import { Slug } from './status-page.ts'

/** The path of all pages on the service's own host. */
export const PAGES_PATH = '/status'

/** Documents for programs, by their path below a page: Atlassian's eight, feeds, the calendar and the badge. */
export const PAGE_DOCUMENTS = [
  'api/v2/summary.json',
  'api/v2/status.json',
  'api/v2/components.json',
  'api/v2/incidents.json',
  'api/v2/incidents/unresolved.json',
  'api/v2/scheduled-maintenances.json',
  'api/v2/scheduled-maintenances/upcoming.json',
  'api/v2/scheduled-maintenances/active.json',
  'feed.rss',
  'feed.atom',
  'feed.json',
  'maintenance.ics',
  'badge.svg',
] as const
export type PageDocument = (typeof PAGE_DOCUMENTS)[number]

export type PageRoute =
  | { kind: 'page' }
  | { kind: 'month'; month: string }
  | { kind: 'post'; id: number }
  | { kind: 'document'; name: PageDocument; feedToken: string | null }
  | { kind: 'logo' }
  | { kind: 'sign_in' }
  | { kind: 'subscribe' }
  | { kind: 'subscription'; token: string }
  /** A file of our own, the same for every page: there is nothing to see in it. */
  | { kind: 'file'; path: string }

/** A path on the service's own host as the page that it names and the path below; null if it is of no page. */
export function splitPagePath(path: string): { slug: string; below: string } | null {
  const [, slug, below = ''] = /^\/status\/([^/]+)(\/.*)?$/.exec(path) ?? []
  return slug !== undefined && Slug.safeParse(slug).success ? { slug, below } : null
}

const MONTH = /^\/history\/(\d{4}-(?:0[1-9]|1[0-2]))$/
const MAX_ID = z.int32().maxValue as number

/** The meaning of a path below a page; null if it has none. */
export function pageRoute(below: string): PageRoute | null {
  if (below === '' || below === '/') return { kind: 'page' }
  if (below === '/logo') return { kind: 'logo' }
  if (below === '/sign-in') return { kind: 'sign_in' }
  if (below === '/subscribe') return { kind: 'subscribe' }
  const month = MONTH.exec(below)?.[1]
  if (month !== undefined) return { kind: 'month', month }
  const id = Number(/^\/posts\/([1-9]\d{0,9})$/.exec(below)?.[1])
  if (id <= MAX_ID) return { kind: 'post', id }
  const token = /^\/subscriptions\/([\w-]{1,100})$/.exec(below)?.[1]
  if (token !== undefined) return { kind: 'subscription', token }
  if (below.startsWith('/assets/')) return { kind: 'file', path: below }
  return documentRoute(below)
}

function documentRoute(below: string): PageRoute | null {
  const [, feedToken = null, path] = /^(?:\/private\/([\w-]{1,100}))?\/(.+)$/.exec(below) ?? []
  const name = PAGE_DOCUMENTS.find((one) => one === path)
  return name === undefined ? null : { kind: 'document', name, feedToken }
}

/** The kind that access is decided by; null for what everybody may have. */
export function accessedRoute({ kind }: PageRoute): AccessedRoute | null {
  switch (kind) {
    case 'file':
      return null
    case 'document':
    case 'sign_in':
    case 'subscription':
      return kind
    default:
      return 'page'
  }
}

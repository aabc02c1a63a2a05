import * as z from 'zod'
import { MACHINE_PATHS, type MachinePath } from '../documents/machine-documents.ts'
import type { AccessedRoute } from './page-access.ts'

/** The path of all pages on the service's own host. */
export const PAGES_PATH = '/status'

export type PageRoute =
  | { kind: 'page' }
  | { kind: 'month'; month: string }
  | { kind: 'post'; id: number }
  | { kind: 'document'; name: MachinePath; feedToken: string | null }
  | { kind: 'logo' }
  | { kind: 'sign_in' }
  | { kind: 'subscribe' }
  | { kind: 'subscription'; token: string }
  /** A file of our own, the same for every page: there is nothing to see in it. */
  | { kind: 'file'; path: string }

/** A path on the service's own host as the page that it names and the path below; null if it is of no page. */
export function splitPagePath(path: string): { slug: string; below: string } | null {
  const [, slug, below = ''] = SPLIT.exec(path) ?? []
  return slug === undefined ? null : { slug, below }
}

/** Looser than a slug: of those that no page has, none is found. */
const SPLIT = /^\/status\/([a-z0-9-]+)(\/.*)?$/

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
  const name = MACHINE_PATHS.find((one) => one === path)
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

import { isOfNetwork, readIpAddress } from '../../client-address.ts'
import type { StatusPage } from '../status-page.ts'

/** The host that a request names: the service's own, a proved domain of the page that is asked for, or any other. */
export type HostKind = 'service' | 'own_domain' | 'foreign'

/** Settings of a page that access depends on. */
export type AccessTerms = Pick<StatusPage, 'visibility' | 'networks'> & { isPublished: boolean }

/** The one who asks, as far as it matters for this page. */
export type PageViewer = {
  /** Whether the visitor has a session in the page's team. */
  isMember: boolean
  /** The present password was entered in this browser. */
  passedPassword: boolean
  /** Behind the proxies that are trusted; null where they do not name it. */
  clientAddress: string | null
  /** The address holds the page's secret token for programs. */
  hasFeedToken: boolean
}

/**
 * The kind of thing that is asked for: pages for people (`page`, with its pictures), documents for programs, the form of the password, and
 * the pages of links in mails, which hold a secret of their own.
 */
export type AccessedRoute = 'page' | 'document' | 'sign_in' | 'subscription'

export type PageAccess = 'shown' | 'password_form' | 'not_found'

/** Decides for every route of every page; null stands for a page that does not exist. */
export function pageAccess(
  page: AccessTerms | null,
  host: HostKind,
  viewer: PageViewer,
  route: AccessedRoute,
): PageAccess {
  if (page === null || host === 'foreign') return 'not_found'
  // There are no sessions on own domains.
  const isMember = viewer.isMember && host === 'service'
  if (!page.isPublished) return isMember && isOfPage(route) ? 'shown' : 'not_found'
  if (page.visibility === 'members' && host === 'own_domain') return 'not_found'
  if (route === 'subscription') return 'shown'
  if (route === 'document' && viewer.hasFeedToken) return 'shown'
  if (page.visibility === 'password') return behindPassword(isMember || viewer.passedPassword, route)
  if (route === 'sign_in') return 'not_found'
  const sees =
    isMember || page.visibility === 'public' || (page.visibility === 'networks' && isWithin(page, viewer))
  return sees ? 'shown' : 'not_found'
}

function isOfPage(route: AccessedRoute): boolean {
  return route === 'page' || route === 'document'
}

function behindPassword(isKnown: boolean, route: AccessedRoute): PageAccess {
  if (isKnown) return 'shown'
  return route === 'document' ? 'not_found' : 'password_form'
}

function isWithin({ networks }: AccessTerms, { clientAddress }: PageViewer): boolean {
  const address = clientAddress === null ? null : readIpAddress(clientAddress)
  return address !== null && networks.some((network) => isOfNetwork(address, network))
}

import type { PageVisibility } from './status-page.ts'

/**
 * The address of a page, without a slash at the end. `domain`: its proved own domain. Members sign in at the service's
 * own host only, so that a page for them is there.
 */
export function pageUrl(
  siteUrl: string,
  page: { slug: string; visibility: PageVisibility },
  domain: string | null,
): string {
  return domain === null || page.visibility === 'members'
    ? `${siteUrl}/status/${page.slug}`
    : `https://${domain}`
}

/** Base address of the documents for feed readers, which have no cookie. */
export function privateFeedsUrl(url: string, token: string): string {
  return `${url}/private/${token}`
}

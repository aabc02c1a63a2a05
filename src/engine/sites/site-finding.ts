import type { CheckResult, FoundStatus } from '../../core/monitors/check.ts'
import type { CrawledArea, SiteArea } from '../../core/sites/area.ts'
import type { AreaLook } from '../../core/sites/area-look.ts'
import type { CertificateLook } from '../../core/sites/certificate.ts'
import type { DnsLook } from '../../core/sites/dns/records.ts'
import type { Registration } from '../../core/sites/domain/registration.ts'
import type { Connection } from '../../postgres/database.ts'

/** A sight of an area, before it is judged by the memory of the last look. */
export type FoundLook =
  /** Looks in a row, each only after the one before failed. */
  | { area: 'home_page'; looks: CheckResult[] }
  | { area: 'certificate'; look: CertificateLook }
  | { area: 'dns'; host: string; look: DnsLook }
  /** `domain`: null for a name that has no registration. */
  | { area: 'domain'; domain: string | null; registration: Registration }
  /** The end of a crawl. `review` compares it with what is known, and writes that, in the transaction of the judgement. */
  | { area: 'links'; review: (client: Connection) => Promise<CrawlReview> }

export type CrawlReview = Partial<Record<CrawledArea, AreaLook<object>>>

export type SiteLookFinding = {
  siteId: number
  /** The site as it was looked at. */
  revision: number
  /** The membership that looked: one that has ended does not count. Null in tests and for looks that nothing fences. */
  membership: number | null
  lookedAt: Date
  found: FoundLook
}

/**
 * `stale`: the site has changed since, is gone, or was looked at later; or the process had lost it. `areas`: what was
 * found of each that is on.
 */
export type RecordedLook =
  | { kind: 'recorded'; areas: { area: SiteArea; status: FoundStatus }[] }
  | { kind: 'stale' }

export type SiteRecorder = {
  /** Resolves once the look and all that follows from it are durable. */
  recordLook(finding: SiteLookFinding): Promise<RecordedLook>
  readonly waiting: number
  /** Writes what is waiting and stops. */
  close(): Promise<void>
}

export type LookedAreas = Map<SiteArea, AreaLook<object>>

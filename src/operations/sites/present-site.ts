import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { CRAWLED_AREAS, SiteArea } from '../../core/sites/area.ts'
import { CertificateMemory } from '../../core/sites/certificate.ts'
import { MAX_CRAWLS_OF_TEAM } from '../../core/sites/crawl/crawl-turns.ts'
import { storedReasons } from '../../core/sites/cut-reason.ts'
import { BY_HAND, DomainMemory } from '../../core/sites/domain/expiry.ts'
import { registeredDomain } from '../../core/sites/domain/registered-domain.ts'
import type {
  ShownArea,
  ShownCertificate,
  ShownCrawl,
  SiteDetail,
  SiteRow,
} from '../../core/sites/shown-site.ts'
import { SiteSettings } from '../../core/sites/site.ts'
import { isSnoozed, siteStatus } from '../../core/sites/site-status.ts'
import type { Query } from '../../postgres/database.ts'
import {
  type AreaRecord,
  type CrawlRecord,
  findSite,
  type SiteRecord,
  type SiteRowRecord,
} from '../../store/sites/sites.ts'

export function presentRow(site: SiteRowRecord, now: Date): SiteRow {
  const { status, since } = siteStatus(site.areas, site.areas_off, now)
  const ofCrawl = site.areas.find(({ area }) => area === 'links')
  return {
    id: site.id,
    name: site.name,
    url: site.url,
    is_active: site.is_active,
    status,
    status_since: formatInstant(since ?? site.createdAt),
    flapping_since: formatInstantOrNull(site.flappingSince),
    areas: inOrder(site.areas).map((area) => presentArea(area, site, isCrawled(area) ? ofCrawl : area, now)),
    broken_links: site.brokenLinks,
    tags: site.tags,
  }
}

export function presentSite(site: SiteRecord, now: Date): SiteDetail {
  return {
    ...presentRow(site, now),
    settings: settingsOf(site),
    chain: chainOf(site),
    domain: presentDomain(site),
    crawl: site.crawl && presentCrawl(site.crawl),
    crawl_waits: presentWait(site, now),
    created_at: formatInstant(site.createdAt),
  }
}

export function settingsOf(site: SiteRecord): SiteSettings {
  return pick(site, keysOf(SiteSettings.shape))
}

/** Refuses a site that is gone. */
export async function readSite(query: Query, teamId: number, siteId: number): Promise<SiteRecord> {
  const site = await findSite(query, teamId, siteId)
  if (!site) throw new Refusal('notFound')
  return site
}

function inOrder(areas: readonly AreaRecord[]): AreaRecord[] {
  return areas.toSorted((a, b) => SiteArea.options.indexOf(a.area) - SiteArea.options.indexOf(b.area))
}

function isCrawled({ area }: AreaRecord): boolean {
  return (CRAWLED_AREAS as readonly SiteArea[]).includes(area)
}

/** `scheduled`: the area whose schedule it shares. */
function presentArea(
  area: AreaRecord,
  site: SiteRowRecord,
  scheduled: AreaRecord | undefined,
  now: Date,
): ShownArea {
  const isOn = !site.areas_off.includes(area.area)
  const isSilent = isSnoozed(area.snoozedUntil, now)
  return {
    area: area.area,
    is_on: isOn,
    status: area.status,
    status_since: formatInstant(area.statusSince),
    cause: area.cause,
    cause_said: storedReasons(area.cause, area.causeReasons),
    doubt: isOn && site.is_active ? area.doubt : null,
    looked_at: formatInstantOrNull(area.lookedAt),
    next_look_at: isOn && site.is_active ? formatInstantOrNull(scheduled?.nextLookAt ?? null) : null,
    snoozed_until: isSilent ? formatInstantOrNull(area.snoozedUntil) : null,
    snooze_reason: isSilent ? area.snoozeReason : null,
  }
}

/** As the newest look at the certificate kept it. */
function chainOf({ memories }: SiteRecord): ShownCertificate[] {
  return CertificateMemory.safeParse(memories.certificate ?? {}).data?.chain ?? []
}

function presentDomain({ url, domain_expires_on, memories }: SiteRecord): SiteDetail['domain'] {
  const found = registeredDomain(new URL(url).hostname)
  if (found.kind === 'none') {
    return { name: null, expires_on: null, source: `There is no registration: ${found.reason}.` }
  }
  const memory = DomainMemory.safeParse(memories.domain ?? {}).data ?? DomainMemory.parse({})
  return {
    name: found.domain,
    expires_on: memory.expires_at?.slice(0, 10) ?? domain_expires_on,
    source: memory.expires_at === null && domain_expires_on !== null ? BY_HAND : memory.source,
  }
}

/** A process begins within a second or so what it has room for. */
const BEGINS_WITHIN_MS = 5_000

function presentWait(site: SiteRecord, now: Date): SiteDetail['crawl_waits'] {
  const { isRunning, ofTeam, all } = site.crawls
  const isCrawled = site.is_active && CRAWLED_AREAS.some((area) => !site.areas_off.includes(area))
  const dueAt = site.areas.find(({ area }) => area === 'links')?.nextLookAt
  const isLate = dueAt !== undefined && now.getTime() - dueAt.getTime() >= BEGINS_WITHIN_MS
  if (!isCrawled || !isLate || isRunning || all === 0) return null
  return ofTeam >= MAX_CRAWLS_OF_TEAM ? { for: 'team', running: ofTeam } : { for: 'any', running: all }
}

function presentCrawl(crawl: CrawlRecord): ShownCrawl {
  return {
    started_at: formatInstant(crawl.startedAt),
    ended_at: formatInstantOrNull(crawl.endedAt),
    pages_done: crawl.pagesDone,
    pages_waiting: crawl.pagesWaiting,
    links_done: crawl.linksDone,
    links_waiting: crawl.linksWaiting,
    cut_short: crawl.cutShort,
    by_hand: crawl.byHand,
  }
}

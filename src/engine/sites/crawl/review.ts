import type { CrawledArea, SiteArea } from '../../../core/sites/area.ts'
import type { AreaLook } from '../../../core/sites/area-look.ts'
import { addressKey } from '../../../core/sites/crawl/address.ts'
import { fateOf } from '../../../core/sites/crawl/is-fixed.ts'
import { nameFindings } from '../../../core/sites/crawl-digest.ts'
import { type CutReason, isHomeUnread, printReasons } from '../../../core/sites/cut-reason.ts'
import type { LinkOutcome } from '../../../core/sites/link-outcome.ts'
import {
  type KnownFinding,
  type Review,
  reviewFindings,
  type SeenFault,
} from '../../../core/sites/review-findings.ts'
import { type FindingKind, MAX_SOURCES, type Source } from '../../../core/sites/site-finding.ts'
import type { Connection } from '../../../postgres/database.ts'
import {
  type CrawlFault,
  endCrawl,
  forgetFindings,
  type JudgedAddress,
  markFindings,
  readCrawlFaults,
  readFaultyAddresses,
  readFindings,
  type StoredFinding,
  writeFindings,
} from '../../../store/sites/crawl-findings.ts'
import { hashText } from '../../../store/sites/crawls.ts'

import { readKnowledge } from './crawl-knowledge.ts'

const NOTHING_KNOWN: AreaLook<object> = { status: 'pending', cause: null, memory: {}, warning: null }

/** Words for what is open in an area: one, and several. */
const OPEN: Record<CrawledArea, [string, string]> = {
  links: ['link is broken', 'links are broken'],
  mixed_content: ['address is used insecurely', 'addresses are used insecurely'],
  sitemap: ['fault of the sitemap', 'faults of the sitemap'],
}

/** Ends a crawl that is done: turns its rows into findings, in the transaction of the caller, and says what each area is. */
export async function reviewCrawl(
  client: Connection,
  site: { id: number },
  crawlId: number,
  at: Date,
): Promise<Record<CrawledArea, AreaLook<object>>> {
  const crawl = await endCrawl(client, site.id, crawlId, at)
  if (!crawl) return looksOf(() => NOTHING_KNOWN)
  const { cutShort } = crawl
  const faulty = await readFaultyAddresses(client, crawlId)
  const faults = await readCrawlFaults(client, crawlId, MAX_SOURCES)
  const known = await readFindings(client, site.id)
  const knowledge = await readKnowledge(client, crawl, { crawlId, known, faulty, at })

  const isBroken = (address: string) =>
    faulty.some((one) => one.address === address && one.outcome.verdict === 'broken')
  const seen: Record<CrawledArea, SeenFault[]> = {
    links: [
      ...faulty.flatMap(linkFault),
      ...faults.filter(isOf('links')).map((fault) => ({ ...keyed(fault), isCertain: false })),
    ],
    mixed_content: faults
      .filter(isOf('mixed_content'))
      .map((fault) => ({ ...keyed(fault), isCertain: true })),
    sitemap: [
      ...faulty.flatMap(sitemapFault),
      ...faults
        .filter(isOf('sitemap'))
        .map((fault) => ({ ...keyed(fault), isCertain: !isBroken(fault.address) })),
    ],
  }

  async function review(area: CrawledArea): Promise<AreaLook<object>> {
    const { isOff, isSnoozed } = stateOf(area)
    if (isOff) return NOTHING_KNOWN
    if (isHomeUnread(cutShort)) return { ...NOTHING_KNOWN, ...causeOf(cutShort) }
    const stored = known.filter((finding) => finding.area === area)
    const byKey = new Map(stored.map((finding) => [keyOf(finding.keyHash), finding]))
    const result = reviewFindings(stored.map(toKnown), {
      seen: seen[area],
      fateOf: (key) => {
        const finding = byKey.get(key)
        return finding === undefined ? 'stays' : fateOf(finding, knowledge)
      },
      at,
    })
    const written = result.faults.map((fault) => ({ ...fault, keyHash: bytesOf(fault.key) }))
    await writeFindings(client, site.id, area, written, at)
    const told = isSnoozed ? [] : result.told.map(bytesOf)
    await markFindings(client, site.id, area, { fixed: result.fixed.map(bytesOf), told }, at)
    await forgetFindings(client, site.id, area, result.forgotten.map(bytesOf))
    return lookOf(area, crawl?.url ?? '', result, isSnoozed, cutShort)
  }

  const stateOf = (area: SiteArea) =>
    crawl.areas.find((one) => one.area === area) ?? { isOff: false, isSnoozed: false }
  return {
    links: await review('links'),
    mixed_content: await review('mixed_content'),
    sitemap: await review('sitemap'),
  }
}

function looksOf(look: () => AreaLook<object>): Record<CrawledArea, AreaLook<object>> {
  return { links: look(), mixed_content: look(), sitemap: look() }
}

function lookOf(
  area: CrawledArea,
  url: string,
  { open, digest, named }: Review,
  isSnoozed: boolean,
  cutShort: readonly CutReason[],
): AreaLook<object> {
  const [one, several] = OPEN[area]
  const trouble = open === 0 ? null : `${open} ${open === 1 ? one : several}`
  return {
    status: open === 0 ? 'up' : 'degraded',
    ...(trouble === null ? causeOf(cutShort) : { cause: trouble }),
    memory: {},
    // The end of all trouble is told as a recovery, and by that alone.
    warning: isSnoozed || open === 0 ? null : digest,
    findings: {
      open: nameFindings(url, open === 0 ? [] : named.open),
      fixed: nameFindings(
        url,
        named.fixed.map(({ address, sources }) => ({ address, sources })),
      ),
    },
  }
}

function causeOf(cutShort: readonly CutReason[]): Pick<AreaLook<object>, 'cause' | 'causeReasons'> {
  return { cause: printReasons(cutShort), causeReasons: cutShort }
}

/** A link that is listed by what it is: one that works elsewhere, or is broken, or could not be judged. */
function linkFault({ address, outcome, sources }: JudgedAddress): SeenFault[] {
  const kind = kindOf(outcome)
  // A page that is gone is a fault of each sitemap that names it, and of each page that does.
  const links = kind === 'broken_link' ? sources.filter(({ isSitemap }) => !isSitemap) : sources
  // Sitemaps and the home page have no source, unless pages link to them.
  if (links.length === 0) return []
  return [{ ...judgedFault(kind, address, outcome.detail), sources: links.map(plainSource) }]
}

/** A page that a sitemap names and that fails, or a sitemap that could not be looked at. */
function sitemapFault({ address, isSitemap, outcome, sources }: JudgedAddress): SeenFault[] {
  if (isSitemap && outcome.verdict === 'unjudged')
    return [
      { ...judgedFault('unjudged', address, outcome.detail), sources: [{ page: address, label: 'sitemap' }] },
    ]
  const naming = outcome.verdict === 'broken' ? sources.filter((one) => one.isSitemap) : []
  if (naming.length === 0) return []
  const detail = `is named by a sitemap, and fails: ${outcome.detail}`
  return [{ ...judgedFault('sitemap_fault', address, detail), sources: naming.map(plainSource) }]
}

function judgedFault(kind: FindingKind, address: string, detail: string): Omit<SeenFault, 'sources'> {
  return { key: keyOf(hashText(`${kind} ${addressKey(address)}`)), kind, address, detail, isCertain: false }
}

function plainSource({ page, label }: Source): Source {
  return { page, label }
}

function kindOf({ verdict, kind }: LinkOutcome): FindingKind {
  if (verdict === 'broken') return 'broken_link'
  if (verdict === 'unjudged') return 'unjudged'
  return kind === 'soft_404' ? 'soft_404' : 'redirect_hint'
}

/** The areas of faults that belong to no address that was looked at. */
const AREA_OF: Partial<Record<FindingKind, CrawledArea>> = {
  broken_link: 'links',
  mixed_active: 'mixed_content',
  mixed_passive: 'mixed_content',
  sitemap_fault: 'sitemap',
}

function isOf(area: CrawledArea): (fault: CrawlFault) => boolean {
  return ({ kind }) => AREA_OF[kind] === area
}

function keyed({ keyHash, ...fault }: CrawlFault): Omit<SeenFault, 'isCertain'> {
  return { ...fault, key: keyOf(keyHash) }
}

function toKnown({ keyHash, ...finding }: StoredFinding): KnownFinding {
  return { ...finding, key: keyOf(keyHash) }
}

function keyOf(hash: Buffer): string {
  return hash.toString('base64')
}

function bytesOf(key: string): Buffer {
  return Buffer.from(key, 'base64')
}

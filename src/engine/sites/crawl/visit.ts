import { addressKey, crawlAddress, isOfHost } from '../../../core/sites/crawl/address.ts'
import { type AddressAnswer, MAX_PAGE_BYTES, type Turn } from '../../../core/sites/crawl/asking.ts'
import { contentKind, readContent } from '../../../core/sites/crawl/content.ts'
import { foundOnPage, isLeftOut } from '../../../core/sites/crawl/found.ts'
import { type Asked, judgeAnswer } from '../../../core/sites/crawl/judge-answer.ts'
import type { CrawlLimit } from '../../../core/sites/crawl/limits.ts'
import { type ReadPage, upgradesInsecure } from '../../../core/sites/crawl/page.ts'
import { MAX_CRAWL_DELAY_SECONDS } from '../../../core/sites/crawl/robots.ts'
import {
  FORBIDDEN_BY_ROBOTS,
  notLookedAt,
  RULES_UNKNOWN,
  TOO_SLOW,
} from '../../../core/sites/crawl/unasked.ts'
import type { LinkOutcome } from '../../../core/sites/link-outcome.ts'
import type { WaitingAddress } from '../../../store/sites/crawls.ts'
import { askAgain, askTwice } from './ask-again.ts'
import type { Crawling } from './crawling.ts'
import { type Found, keep, NOTHING_FOUND } from './keep-visit.ts'

/** The limits by which a page was not read to its end. */
const CUTS: ReadonlySet<CrawlLimit> = new Set(['large', 'broken_off', 'many_links'])
const UPGRADING = 'upgrade-insecure-requests'

/** `refusedBy`: the host that answered 429; the address waits on. */
export type Visited =
  | { kind: 'settled'; outcome: LinkOutcome }
  | { kind: 'refused'; refusedBy: string; outcome: LinkOutcome }

/** Looks at an address and writes what became of it. */
export async function visit(crawling: Crawling, waiting: WaitingAddress): Promise<Visited> {
  const address = new URL(waiting.address)
  const robots = await crawling.rules.of(address)
  if (!robots) return settle(crawling, waiting, RULES_UNKNOWN)
  if (robots.crawlDelaySeconds > MAX_CRAWL_DELAY_SECONDS) return settle(crawling, waiting, TOO_SLOW)
  if (!robots.allows(address.href)) return settle(crawling, waiting, FORBIDDEN_BY_ROBOTS)
  return crawling.inTurns((turn) => look(crawling, waiting, turn))
}

async function look(crawling: Crawling, waiting: WaitingAddress, turn: Turn): Promise<Visited> {
  const address = new URL(waiting.address)
  const answer = await (waiting.isPage ? askForPage : askForTarget)(crawling, address, turn)
  const { asked } = answer
  // A request that broke off because we stop says nothing of its address.
  crawling.signal.throwIfAborted()
  if (asked.kind === 'inconclusive') return settle(crawling, waiting, notLookedAt(asked.reason))
  if (!waiting.isPage || asked.kind !== 'answered') return conclude(crawling, waiting, asked, NOTHING_FOUND)
  const kind = contentKind(answer.contentType, asked.finalAddress)
  if (kind === null) return conclude(crawling, waiting, asked, NOTHING_FOUND)
  const page = readContent(kind, answer.text())
  const found = foundBy(crawling, waiting, asked, page, kind !== 'page')
  const limits: CrawlLimit[] = answer.cut === null ? found.limits : [answer.cut, ...found.limits]
  return conclude(crawling, waiting, { ...asked, title: page.title }, { ...found, limits })
}

/** A page that leads to another one is read at its own address, in its turn. */
function foundBy(
  { site, isOfSite, upgrades }: Crawling,
  { address, depth }: WaitingAddress,
  asked: Asked & { kind: 'answered' },
  page: ReadPage,
  isPart: boolean,
): Found {
  const final = crawlAddress(asked.finalAddress, address)
  if (asked.statusCode < 200 || asked.statusCode >= 300 || !final) return NOTHING_FOUND
  // The home page may lead to anywhere on its host, and a part of a page may lie there.
  if (!(depth === 0 || isPart ? isOfHost(final, site.url) : isOfSite(final))) return NOTHING_FOUND
  const policy = asked.headers['content-security-policy'] ?? ''
  if (depth === 0) upgrades.isSiteWide = upgradesInsecure(policy) || page.upgradesInsecure
  if (addressKey(final.href) !== addressKey(address)) {
    const links = isLeftOut(site, final) ? [] : [{ address: final, isPage: true, label: 'redirect' }]
    return { links, faults: [], limits: [], depth, isVouchedFor: false }
  }
  // A style sheet goes by the policy of the pages that use it, which sites have all alike.
  const found = foundOnPage(site, final.href, page, isPart && upgrades.isSiteWide ? UPGRADING : policy)
  return { ...found, depth: depth + 1, isVouchedFor: false }
}

async function conclude(
  crawling: Crawling,
  waiting: WaitingAddress,
  asked: Asked,
  found: Found,
): Promise<Visited> {
  const judged = judgeAnswer(waiting.address, asked, crawling.isOfSite(new URL(waiting.address)))
  const outcome = found.limits.some((limit) => CUTS.has(limit)) ? { ...judged, is_cut: true } : judged
  if (asked.kind === 'answered' && asked.statusCode === 429)
    return { kind: 'refused', refusedBy: new URL(asked.finalAddress).host, outcome }
  return settle(crawling, waiting, outcome, found)
}

async function settle(
  crawling: Crawling,
  { address }: WaitingAddress,
  outcome: LinkOutcome,
  found: Found = NOTHING_FOUND,
): Promise<Visited> {
  await keep(crawling, address, outcome, found)
  return { kind: 'settled', outcome }
}

async function askForPage(crawling: Crawling, address: URL, turn: Turn): Promise<AddressAnswer> {
  const request = {
    address: address.href,
    method: 'GET',
    maxBytes: MAX_PAGE_BYTES,
    isWanted: (contentType: string) => contentKind(contentType, address.pathname) !== null,
  } as const
  return askTwice(crawling, request, turn)
}

/** Servers answer HEAD with whatever they like: only its yes counts. */
async function askForTarget(crawling: Crawling, address: URL, turn: Turn): Promise<AddressAnswer> {
  const request = { address: address.href, maxBytes: 0 } as const
  const answer = await askAgain(crawling, { ...request, method: 'HEAD' }, turn)
  const { asked } = answer
  if (asked.kind === 'answered') {
    const isFine = asked.statusCode >= 200 && asked.statusCode < 300
    return isFine || asked.statusCode === 429
      ? answer
      : askAgain(crawling, { ...request, method: 'GET' }, turn)
  }
  const isCertain = asked.kind !== 'no_answer' && asked.kind !== 'loop' && asked.kind !== 'too_many_redirects'
  return isCertain ? answer : askAgain(crawling, { ...request, method: 'GET' }, turn)
}

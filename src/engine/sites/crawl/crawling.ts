import type { AskPage } from '../../../core/sites/crawl/asking.ts'
import type { CrawledSite } from '../../../core/sites/crawl/found.ts'
import type { CrawlLimit } from '../../../core/sites/crawl/limits.ts'
import type { CutReason } from '../../../core/sites/cut-reason.ts'
import type { Visit } from '../../../store/sites/crawls.ts'
import type { HostRules } from './host-rules.ts'
import type { InTurns } from './host-turns.ts'
import type { KnownAddresses } from './known-addresses.ts'

/** One crawl while this process has it. */
export type Crawling = {
  site: CrawledSite
  ask: AskPage
  inTurns: InTurns
  /** Sitemaps have places of their own: each may fill much memory. */
  inSitemapTurns: InTurns
  rules: HostRules
  known: KnownAddresses
  signal: AbortSignal
  /** Whether the home page asks for everything securely, whatever is written. */
  upgrades: { isSiteWide: boolean }
  isOfSite(address: URL): boolean
  add(address: { address: URL; isPage: boolean }): Promise<void>
  write(visit: Visit): Promise<void>
  /** Says why it ends before its queue is empty. */
  cutShort(reason: CutReason): Promise<void>
  /** Says that something was left out; `page`: where. */
  leaveOut(limit: CrawlLimit, page?: string): Promise<void>
}

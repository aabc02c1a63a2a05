import type { AskPage, Turn } from '../../../core/sites/crawl/asking.ts'
import type { CrawledSite } from '../../../core/sites/crawl/found.ts'
import type { Visit } from '../../../store/sites/crawls.ts'
import type { HostRules } from './host-rules.ts'
import type { KnownAddresses } from './known-addresses.ts'

/** One crawl while this process has it. */
export type Crawling = {
  site: CrawledSite
  ask: AskPage
  turn: Turn
  rules: HostRules
  known: KnownAddresses
  signal: AbortSignal
  isOfSite(address: URL): boolean
  add(address: { address: URL; isPage: boolean }): Promise<void>
  write(visit: Visit): Promise<void>
  /** Ends it before its queue is empty, or says that something was left out. */
  cutShort(reason: string): Promise<void>
}

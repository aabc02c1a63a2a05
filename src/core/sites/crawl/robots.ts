import robotsParser from 'robots-parser'

// Its types describe a default export within the module, which Node hands over as the module itself.
const parseRules = robotsParser as unknown as typeof robotsParser.default

/** The name that robots.txt may address us by. */
export const ROBOT_NAME = 'UpbeatBot'
export const MAX_ROBOTS_BYTES = 512_000
/** A host that asks for more is not crawled: a crawl would take days, and others would wait for its place. */
export const MAX_CRAWL_DELAY_SECONDS = 10

export type Robots = {
  allows(address: string): boolean
  /** More than `MAX_CRAWL_DELAY_SECONDS`: nothing of the host may be asked for. */
  crawlDelaySeconds: number
  sitemaps: string[]
}

export type RobotsAnswer = { statusCode: number | null; contentType: string; body: string }

/** Null: nothing may be crawled now, since the host cannot say what it allows (RFC 9309, section 2.3.1.4). */
export function readRobots(address: string, { statusCode, contentType, body }: RobotsAnswer): Robots | null {
  if (statusCode === null || statusCode >= 500 || statusCode === 429) return null
  // A page that says "not found" with 200 is no robots.txt.
  const isRules = statusCode === 200 && !/html/i.test(contentType) && !/^\s*<(?:!doctype|html)/i.test(body)
  if (!isRules) return { allows: () => true, crawlDelaySeconds: 0, sitemaps: [] }
  const rules = parseRules(address, body)
  const delay = rules.getCrawlDelay(ROBOT_NAME) ?? 0
  return {
    allows: (page) => rules.isAllowed(page, ROBOT_NAME) !== false,
    crawlDelaySeconds: Number.isFinite(delay) ? Math.max(delay, 0) : 0,
    sitemaps: rules.getSitemaps().slice(0, 20),
  }
}

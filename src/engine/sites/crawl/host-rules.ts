import type { AskPage } from '../../../core/sites/crawl/asking.ts'
import {
  MAX_CRAWL_DELAY_SECONDS,
  MAX_ROBOTS_BYTES,
  type Robots,
  readRobots,
} from '../../../core/sites/crawl/robots.ts'
import { askAgain } from './ask-again.ts'
import type { HostPace, InTurns } from './host-turns.ts'

/** Those of the hosts that were asked last are remembered. */
const MAX_HOSTS = 500

/** Robots.txt of hosts, each asked for once. */
export type HostRules = {
  /** Null: the host cannot say now what robots may look at. */
  of(address: URL): Promise<Robots | null>
  /** As far as it is known. */
  paceOf(host: string): HostPace
}

/** A host without an answer forbids nothing: whether an address of it answers is what a crawl asks. */
const NO_RULES: Robots = { allows: () => true, crawlDelaySeconds: 0, sitemaps: [] }

export function createHostRules(
  ask: AskPage,
  inTurns: InTurns,
  pace: (crawlDelaySeconds: number) => HostPace,
  signal: AbortSignal,
): HostRules {
  const rules = new Map<string, Promise<Robots | null>>()
  const paces = new Map<string, HostPace>()
  const anyPace = pace(0)

  async function read({ origin, host }: URL): Promise<Robots | null> {
    const address = `${origin}/robots.txt`
    const request = { address, method: 'GET', maxBytes: MAX_ROBOTS_BYTES } as const
    const answer = await inTurns((turn) => askAgain({ ask, signal }, request, turn))
    const { asked, contentType } = answer
    signal.throwIfAborted()
    if (asked.kind === 'inconclusive') return null
    if (asked.kind !== 'answered') return NO_RULES
    const { statusCode } = asked
    const robots = readRobots(address, { statusCode, contentType, body: answer.text() })
    if (robots && robots.crawlDelaySeconds > 0) {
      paces.set(host, pace(Math.min(robots.crawlDelaySeconds, MAX_CRAWL_DELAY_SECONDS)))
    }
    return robots
  }

  return {
    of(address) {
      const known = rules.get(address.origin)
      if (known !== undefined) return known
      const reading = read(address)
      rules.set(address.origin, reading)
      const [oldest] = rules.keys()
      if (rules.size > MAX_HOSTS && oldest !== undefined) rules.delete(oldest)
      return reading
    },
    paceOf: (host) => paces.get(host) ?? anyPace,
  }
}

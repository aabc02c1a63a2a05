import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from './database.ts'

/** What is left of a limit after this use of it. */
export type Allowance = {
  limit: number
  remaining: number
  /** Whole seconds to wait; null while the limit is not used up. */
  retryAfterSeconds: number | null
}

export type RateLimit = { take(key: string | number): Promise<Allowance> }

/** A window of `windowSeconds` from the first use, shared by all processes through the database. */
export function createRateLimit(
  db: Database,
  options: { name: string; limit: number; windowSeconds: number },
): RateLimit {
  const { limit } = options
  const limiter = new RateLimiterPostgres({
    storeClient: db.pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: options.name,
    points: limit,
    duration: options.windowSeconds,
  })
  return {
    async take(key) {
      try {
        const { remainingPoints } = await limiter.consume(key)
        return { limit, remaining: remainingPoints, retryAfterSeconds: null }
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        return {
          limit,
          remaining: 0,
          retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)),
        }
      }
    },
  }
}

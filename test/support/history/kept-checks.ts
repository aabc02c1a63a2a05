import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { newestChecks } from '../../../src/store/history/history.ts'

export const ALL = 1_000_000

/** The checks written for each monitor, newest first. */
export type KeptChecks = Map<number, CheckRecord[]>

/** Each of these monitors has exactly these checks, of those that began before. */
export async function assertKept(
  db: Database,
  kept: Iterable<[id: number, checks: CheckRecord[]]>,
  before = new Date(8e15),
): Promise<void> {
  for (const [id, checks] of kept) {
    const read = await newestChecks(db.query, id, null, ALL)
    assertSame(
      read.filter(({ checkedAt }) => checkedAt < before),
      checks,
    )
  }
}

/** The same as `deepEqual`, but what differs can be read. */
export function assertSame(read: CheckRecord[], expected: CheckRecord[]): void {
  const at = expected.findIndex((check, index) => !isDeepStrictEqual(check, read[index]))
  if (at >= 0) assert.deepEqual(read[at], expected[at], `check ${at} of ${expected.length}`)
  assert.equal(read.length, expected.length)
}

export function newestFirst(checks: CheckRecord[]): CheckRecord[] {
  return checks.toSorted((a, b) => b.checkedAt.getTime() - a.checkedAt.getTime())
}

/** Partitions of `checks` with rows. */
export async function daysOfRows(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    'SELECT DISTINCT tableoid::regclass::text AS name FROM checks ORDER BY 1',
  )
  return rows.map(({ name }) => name)
}

export async function compactedDays(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ day: Date }>('SELECT day FROM compacted_days ORDER BY day')
  return rows.map(({ day }) => day.toISOString().slice(0, 10))
}

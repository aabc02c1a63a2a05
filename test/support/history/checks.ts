import fc from 'fast-check'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { CheckStatus } from '../../../src/core/monitors/check.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { insertChecks } from '../../../src/store/monitors/recording.ts'

const MINUTE_MS = 60_000

const anyTime = () => fc.option(fc.oneof(fc.nat(300), fc.nat(60_000), fc.nat(2 ** 31 - 1)))

/**
 * Any character. What PostgreSQL cannot hold is left out: NUL, and surrogates on their own. (The unit 'binary' of
 * fast-check is a list of all of them, which takes a second to make.)
 */
const anyCharacter = fc
  .integer({ min: 1, max: 0x10_ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const anyText = () => fc.string({ unit: anyCharacter, maxLength: 20 })

const PLAIN = { noNullPrototype: true } as const

/** Any check that the database takes; `times` are milliseconds. */
export function anyCheck(times = fc.integer({ min: 0, max: 4e12 })): fc.Arbitrary<CheckRecord> {
  const check = {
    checkedAt: times.map((ms) => new Date(ms)),
    status: fc.constantFrom(...CheckStatus.options),
    responseTimeMs: anyTime(),
    httpStatusCode: fc.option(fc.integer({ min: -32_768, max: 32_767 })),
    region: fc.option(fc.oneof(fc.constantFrom('lon', 'nyc'), anyText())),
    errorMessage: fc.option(fc.oneof(fc.constant('HTTP 503 (expected 200)'), anyText())),
    phases: fc.option(
      fc.record(
        {
          dnsMs: fc.nat(60_000), // one at least: phases without any are none
          connectMs: anyTime(),
          tlsMs: anyTime(),
          firstByteMs: anyTime(),
          transferMs: anyTime(),
        },
        PLAIN,
      ),
    ),
  }
  return fc.record(check, PLAIN)
}

/** A check that passed and measured nothing, as that of a heartbeat. */
export function upAt(checkedAt: Date): CheckRecord {
  const nothing = {
    responseTimeMs: null,
    httpStatusCode: null,
    region: null,
    errorMessage: null,
    phases: null,
  }
  return { checkedAt, status: 'up', ...nothing }
}

/** A check a minute with jittered times, one in 500 failed; always the same for the same seed. */
export function realisticDay(seed: number, day: Date): CheckRecord[] {
  const random = randomFrom(seed)
  const around = (least: number, mean: number) => least + Math.round(-Math.log(1 - random()) * mean)
  const phaseMs = Math.floor(random() * MINUTE_MS)
  return Array.from({ length: 1_440 }, (_, minute) => {
    const checkedAt = new Date(day.getTime() + minute * MINUTE_MS + Math.min(phaseMs, 59_000) + around(0, 1))
    if (random() < 0.002) {
      return {
        checkedAt,
        status: 'down',
        responseTimeMs: null,
        httpStatusCode: null,
        region: 'lon',
        errorMessage: 'no answer within 30 s (connected, waiting for the first byte)',
        phases: { dnsMs: 1, connectMs: 12, tlsMs: 24, firstByteMs: null, transferMs: null },
      }
    }
    const phases = {
      dnsMs: around(0, 1.5),
      connectMs: around(8, 3),
      tlsMs: around(18, 4),
      firstByteMs: around(40, 25),
      transferMs: around(0, 1),
    }
    const sum = Object.values(phases).reduce((total, ms) => total + ms, 0)
    return {
      checkedAt,
      status: 'up',
      responseTimeMs: sum + Math.floor(random() * 3),
      httpStatusCode: 200,
      region: 'lon',
      errorMessage: null,
      phases,
    }
  })
}

/** Writes checks as the recorder does, and makes the partitions that they need. */
export async function keepChecks(db: Database, monitorId: number, checks: CheckRecord[]): Promise<void> {
  await keepMixed(
    db,
    checks.map((check) => ({ id: monitorId, check })),
  )
}

/** The same for several monitors, in the order given. */
export async function keepMixed(db: Database, checks: { id: number; check: CheckRecord }[]): Promise<void> {
  const days = new Map(
    checks.map(({ check: { checkedAt } }) => [checkedAt.toISOString().slice(0, 10), checkedAt]),
  )
  await db.pool.query([...days.values()].map((at) => createPartition('checks', at)).join(';'))
  const rows = checks.map(({ id, check: { checkedAt, region, ...result } }) => ({
    monitorId: id,
    checkedAt,
    region,
    result: { ...result, certificate: null },
  }))
  await inTransaction(db.pool, (client) => insertChecks(client, rows))
}

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

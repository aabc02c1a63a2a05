import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS, startOfHour } from '../../src/core/history/history-span.ts'
import { OLDEST_RESULT_MS } from '../../src/core/probing/remote-probe.ts'
import { inTransaction } from '../../src/postgres/database.ts'
import { readProgress, writeHoursUntil } from '../../src/store/history/history-progress.ts'
import { createPartition } from '../../src/store/history/partitions.ts'
import { progress } from '../support/progress.ts'
import { type Reading, read, readFirst } from './capacity-readings.ts'
import { secondsSince, type World } from './capacity-world.ts'

/** The cost of rolling up one hour of all monitors, beside their checks. */
export type Upkeep = { checks: number; seconds: number; before: Reading; after: Reading }

/** An hour is rolled up so long after its end. */
const SETTLE_MS = OLDEST_RESULT_MS + 4 * 60_000
const POLL_MS = 250
const POLLS_PER_PROGRESS = 40
/** Long enough for what takes a whole round of a minute before it begins. */
const PATIENCE_MS = 1_800_000

/** Writes the checks of the newest hour that counts as over, and watches it being rolled up. */
export async function rollUpOneHour(world: World, regions: string[]): Promise<Upkeep> {
  const { db } = world.main.services
  const to = startOfHour(new Date(Date.now() - SETTLE_MS))
  const from = new Date(to.getTime() - HOUR_MS)
  progress(`capacity: writing an hour of checks`)
  await db.pool.query(createPartition('checks', from))
  for (let minute = 0; minute < 60; minute++) {
    if (minute % 10 === 0) progress(`capacity: checks of minute ${minute} of 60`)
    await writeMinute(
      world,
      new Date(from.getTime() + minute * 60_000),
      regions[minute % regions.length] ?? '',
    )
  }
  const before = await readFirst(world)
  await inTransaction(db.pool, (client) => writeHoursUntil(client, from))
  const began = await untilFirstRow(world, from)
  const seconds = await untilRolledUp(world, to, began)
  return { checks: world.monitors * 60, seconds, before, after: await read(world) }
}

/** In the order of their times, as they would have come. */
async function writeMinute({ main }: World, minute: Date, region: string): Promise<void> {
  await inTransaction(main.services.db.pool, async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    await client.query(
      `INSERT INTO checks (checked_at, monitor_id, status, response_time_ms, http_status_code, region, phases)
       SELECT $1::timestamptz + m.id % 60000 * interval '1 millisecond', m.id, 'up', 10 + m.id % 90, 200,
         nullif($2, ''), '\\x00020008'::bytea
       FROM monitors m ORDER BY m.id % 60000`,
      [minute, region],
    )
  })
}

/** The work begins within a minute. */
async function untilFirstRow({ main }: World, hour: Date): Promise<number> {
  await poll('waiting for the roll-up to begin', async () => {
    const { rows } = await main.services.db.pool.query('SELECT FROM check_hours WHERE hour = $1 LIMIT 1', [
      hour,
    ])
    return rows.length > 0
  })
  return performance.now()
}

async function untilRolledUp({ main }: World, to: Date, began: number): Promise<number> {
  await poll('rolling up an hour', async () => {
    const { hoursUntil = to } = (await readProgress(main.services.db.pool)) ?? {}
    return hoursUntil >= to
  })
  return secondsSince(began)
}

async function poll(what: string, look: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  for (let polls = 0; !(await look()); polls++) {
    if (polls % POLLS_PER_PROGRESS === 0) progress(`capacity: ${what}`)
    if (secondsSince(began) * 1_000 > PATIENCE_MS) throw new Error(`capacity: ${what}: in vain`)
    await delay(POLL_MS)
  }
}

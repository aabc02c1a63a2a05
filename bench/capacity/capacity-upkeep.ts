import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '../../src/core/history/history-span.ts'
import { inTransaction } from '../../src/postgres/database.ts'
import { readProgress, writeHoursUntil } from '../../src/store/history/history-progress.ts'
import { progress } from '../support/progress.ts'
import { type Reading, read, readFirst } from './capacity-readings.ts'
import { secondsSince, type World } from './capacity-world.ts'
import { newestPastHour, writeHour } from './past-checks.ts'

/** The cost of rolling up one hour of all monitors, beside their checks. */
export type Upkeep = { checks: number; seconds: number; before: Reading; after: Reading }

const POLL_MS = 250
const POLLS_PER_PROGRESS = 40
/** Long enough for what takes a whole round of a minute before it begins. */
const PATIENCE_MS = 1_800_000

/** Watches an hour of checks being rolled up: the newest one that is over, which is written where it is not there yet. */
export async function rollUpOneHour(world: World, regions: string[], written?: Date): Promise<Upkeep> {
  const { db } = world.main.services
  const from = written ?? newestPastHour()
  if (!written) await writeHour(world, regions, from)
  const before = await readFirst(world)
  await inTransaction(db.pool, (client) => writeHoursUntil(client, from))
  const began = await untilFirstRow(world, from)
  const seconds = await untilRolledUp(world, new Date(from.getTime() + HOUR_MS), began)
  return { checks: world.monitors * 60, seconds, before, after: await read(world) }
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

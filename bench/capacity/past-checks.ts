import { HOUR_MS, startOfDay, startOfHour } from '../../src/core/history/history-span.ts'
import { OLDEST_RESULT_MS } from '../../src/core/probing/remote-probe.ts'
import { inTransaction } from '../../src/postgres/database.ts'
import { createPartition } from '../../src/store/history/partitions.ts'
import { progress } from '../support/progress.ts'
import { unhurried, type World } from './capacity-world.ts'

const MINUTES_PER_PROGRESS = 10
const MINUTE_MS = 60_000
/** An hour is rolled up so long after its end. */
const SETTLE_MS = OLDEST_RESULT_MS + 4 * MINUTE_MS

/** The newest hour that counts as over. */
export function newestPastHour(): Date {
  return new Date(startOfHour(new Date(Date.now() - SETTLE_MS)).getTime() - HOUR_MS)
}

/**
 * Writes so many hours of checks of all monitors, up to the newest one that is over, in the order of their times, as they
 * would have come: table and index look as after these hours. They are of this day, as far as it has had them.
 */
export async function writePastHours(
  world: World,
  regions: string[],
  wanted: number,
): Promise<{ hours: number; newest: Date }> {
  const newest = newestPastHour()
  const today = startOfDay(new Date())
  const past = Math.floor((newest.getTime() + HOUR_MS - today.getTime()) / HOUR_MS)
  // Just after midnight the day before has to do.
  const hours = past < 1 ? wanted : Math.min(wanted, past)
  await withoutFullPages(world, async () => {
    for (let ago = hours - 1; ago >= 0; ago--) {
      progress(`capacity: writing hour ${hours - ago} of ${hours} of past checks`)
      await writeHour(world, regions, new Date(newest.getTime() - ago * HOUR_MS))
    }
    // As autovacuum would have: the first look at each row marks its page, which then goes into the WAL as a whole.
    await unhurried(world.main.services.db, 'VACUUM ANALYZE checks')
  })
  return { hours, newest }
}

/** Hours within minutes would fill the WAL with whole pages of the index, many times what they come to in hours. */
async function withoutFullPages({ main }: World, work: () => Promise<void>): Promise<void> {
  const set = async (clause: string) => {
    await unhurried(main.services.db, `ALTER SYSTEM ${clause}`)
    await unhurried(main.services.db, 'SELECT pg_reload_conf()')
  }
  await set('SET full_page_writes = off')
  try {
    await work()
  } finally {
    await set('RESET full_page_writes')
    await unhurried(main.services.db, 'CHECKPOINT')
  }
}

/** Writes the checks of an hour. */
export async function writeHour(world: World, regions: string[], hour: Date): Promise<void> {
  await world.main.services.db.pool.query(createPartition('checks', hour))
  for (let minute = 0; minute < HOUR_MS / MINUTE_MS; minute++) {
    if (minute % MINUTES_PER_PROGRESS === 0) progress(`capacity: checks of minute ${minute} of 60`)
    const at = new Date(hour.getTime() + minute * MINUTE_MS)
    await writeMinute(world, at, regions[minute % regions.length] ?? '')
  }
}

/** Monitors are mixed well, as the schedule mixes them: neighbours in the index come at different times. */
async function writeMinute({ main }: World, minute: Date, region: string): Promise<void> {
  await inTransaction(main.services.db.pool, async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    await client.query(
      `INSERT INTO checks (checked_at, monitor_id, status, response_time_ms, http_status_code, region, phases)
       SELECT $1::timestamptz + m.place * interval '50 milliseconds', m.id, 'up', 10 + m.id % 90, 200,
         nullif($2, ''), '\\x00020008'::bytea
       FROM (SELECT id, abs(hashint4(id)::bigint) % 1200 AS place FROM monitors) m ORDER BY m.place`,
      [minute, region],
    )
  })
}

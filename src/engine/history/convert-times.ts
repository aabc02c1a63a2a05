import { startOfDay } from '../../core/history/history-span.ts'
import { timesOfCounts } from '../../core/history/uptime-of-counts.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import {
  type Progress,
  readProgress,
  upkeepStep,
  writeConverted,
} from '../../store/history/history-progress.ts'
import { createPartition } from '../../store/history/partitions.ts'
import { readUntimedHours, sumUntimedDays, writeTimesOfHours } from '../../store/history/state-times.ts'
import { readWatchedMonitors } from '../../store/history/watched-time.ts'
import { inBatches } from './roll-up.ts'

/** A monitor has thousands of hours. */
const FIRST_BATCH = 5

/**
 * Gives roll-ups of releases before uptime by time the time in each state, as well as their counts and the incidents say
 * it. Goes on where it was interrupted; done once, it only looks whether it is.
 */
export async function* convertTimes({ db }: { db: Database }): AsyncGenerator<void> {
  const progress = await readProgress(db.pool)
  if (!progress || progress.convertedMonitorId === null) return
  const after = progress.convertedMonitorId
  yield* inBatches(db, (client, ids) => convertMonitors(client, ids, progress), { after, size: FIRST_BATCH })
  await upkeepStep(db, (client) => writeConverted(client, null))
}

async function convertMonitors(
  client: Connection,
  ids: number[],
  { hoursUntil: until }: Progress,
): Promise<void> {
  const counted = await readUntimedHours(client, ids, until)
  const from = new Date(Math.min(...[...counted.values()].map(([first]) => first?.atMs ?? until.getTime())))
  if (counted.size > 0) {
    const watched = await readWatchedMonitors(client, [...counted.keys()], { from, to: until })
    for (const [id, one] of watched) {
      const hours = timesOfCounts(one, counted.get(id) ?? [], until.getTime())
      const months = new Map(
        hours.map(({ atMs }) => [new Date(atMs).toISOString().slice(0, 7), new Date(atMs)]),
      )
      await client.query([...months.values()].map((at) => createPartition('check_hours', at)).join(';'))
      await writeTimesOfHours(
        client,
        hours.map((hour) => ({ id, ...hour })),
      )
    }
    const today = startOfDay(until)
    await sumUntimedDays(client, ids, today)
  }
  await writeConverted(client, ids.at(-1) as number)
}

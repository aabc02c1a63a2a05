import { startOfDay } from '../../core/history/history-span.ts'
import { timesOfCounts } from '../../core/history/uptime-of-counts.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import { readProgress, upkeepStep, writeConverted } from '../../store/history/history-progress.ts'
import { readUntimedDays, writeTimesOfDays } from '../../store/history/state-times.ts'
import { readWatchedMonitors } from '../../store/history/watched-time.ts'
import { nextMonitorIds } from '../../store/monitors/monitors.ts'
import { inBatches } from './roll-up.ts'

/**
 * Gives days that releases before uptime by time rolled up the time in each state, as well as their counts and the
 * incidents say it. Their hours stay without: they are many times as much to write, and only the first part of a day in
 * a window is made of hours. Goes on where it was interrupted; done once, it only looks whether it is.
 */
export async function* convertTimes({ db }: { db: Database }): AsyncGenerator<void> {
  const progress = await readProgress(db.pool)
  if (!progress || progress.convertedMonitorId === null) return
  const until = startOfDay(progress.hoursUntil)
  const after = progress.convertedMonitorId
  yield* inBatches(db, nextMonitorIds, (client, ids) => convertMonitors(client, ids, until), after)
  await upkeepStep(db, (client) => writeConverted(client, null))
}

async function convertMonitors(client: Connection, ids: number[], until: Date): Promise<void> {
  const counted = await readUntimedDays(client, ids, until)
  const firstMs = Math.min(until.getTime(), ...[...counted.values()].map(([first]) => first?.atMs ?? 0))
  const span = { from: new Date(firstMs), to: until }
  const watched = await readWatchedMonitors(client, [...counted.keys()], span)
  const days = [...watched].flatMap(([id, one]) =>
    timesOfCounts(one, counted.get(id) ?? [], until.getTime()).map((day) => ({ id, ...day })),
  )
  if (days.length > 0) await writeTimesOfDays(client, days)
  await writeConverted(client, ids.at(-1) as number)
}

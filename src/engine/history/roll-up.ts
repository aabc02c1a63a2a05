import { HOUR_MS, startOfDay, startOfHour } from '../../core/history/history-span.ts'
import { OLDEST_RESULT_MS } from '../../core/probing/remote-probe.ts'
import type { Connection, Database, Query } from '../../postgres/database.ts'
import {
  readProgress,
  UpkeepElsewhere,
  upkeepStep,
  writeConverted,
  writeHoursUntil,
  writeServerHoursUntil,
  writeSiteDaysUntil,
} from '../../store/history/history-progress.ts'
import { createPartition, daysOf } from '../../store/history/partitions.ts'
import { rollUpDay, rollUpHours } from '../../store/history/roll-ups.ts'
import { endStretches, type Span } from '../../store/history/stretches.ts'
import { subjectsSince } from '../../store/history/subjects.ts'
import { readWatchedTime } from '../../store/history/watched-time.ts'
import type { KnownCover } from '../../store/maintenance/covered-time.ts'
import { rollUpServerHours } from '../../store/servers/server-hours.ts'
import { readWatchedServers } from '../../store/servers/watched-time.ts'
import { oldestSiteChange, writeSiteDays } from '../../store/sites/uptimes.ts'
import { readWatchedSites } from '../../store/sites/watched-time.ts'
import { type SharedWork, shareOut } from './shared-work.ts'

/** A check is stored under the time it began; one of a remote probe may arrive long after that. */
const SETTLE_MS = OLDEST_RESULT_MS + 3 * 60_000
const FIRST_BATCH = 50
const MAX_BATCH = 1_000
const STEP_TARGET_MS = 100

/**
 * Rolls up the hours that are over, oldest first, and each day that is, together with the processes that help; pauses after
 * every short step.
 */
export async function* rollUp({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  for (;;) {
    const from = await hoursUntil(db, now())
    const nextDay = startOfDay(from, 1)
    const to = new Date(Math.min(settledUntil(now()).getTime(), nextDay.getTime()))
    if (to <= from) return
    await upkeepStep(db, (client) => client.query(createPartition('check_hours', from)))
    const hours = hoursOfChecks(db)
    const done = yield* shareOut(db, hours, { from, to })
    const day = daysOfChecks()
    const span = { from: startOfDay(from), to: nextDay }
    if (done.to.getTime() === nextDay.getTime()) yield* shareOut(db, day, span)
    await upkeepStep(db, async (client) => {
      if (!(await endStretches(client, hours.name, from))) throw new UpkeepElsewhere()
      await endStretches(client, day.name, span.from)
      await writeHoursUntil(client, done.to)
    })
  }
}

/** The roll-ups of hours, as many as a span has. */
export function hoursOfChecks(db: Database): SharedWork {
  const covers = new Map<number, KnownCover>()
  return inTimedSteps('hours', async (client, ids, { from, to }) => {
    const cover = covers.get(from.getTime()) ?? new Map()
    covers.set(from.getTime(), cover)
    await rollUpHours(
      client,
      ids,
      from,
      to,
      await readWatchedTime(client, db.query, ids, { from, to }, cover),
    )
  })
}

/** That of a day, made of its hours. */
export function daysOfChecks(): SharedWork {
  return inTimedSteps('days', (client, ids, { from }) => rollUpDay(client, ids, from, true))
}

/** Work on so many monitors in a step that it takes about as long as it may. */
function inTimedSteps(
  name: string,
  work: (client: Connection, ids: number[], span: Span) => Promise<void>,
): SharedWork {
  let size = FIRST_BATCH
  return {
    name,
    subjects: 'monitors',
    limit: () => Math.round(size),
    async step(client, ids, span) {
      const began = performance.now()
      await work(client, ids, span)
      size = nextSize(size, performance.now() - began)
      return ids.length
    },
  }
}

/** The same for servers, after that of checks has begun. */
export async function* rollUpServers({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  for (;;) {
    const from = await serverHoursUntil(db, now())
    if (!from) return
    const settled = settledUntil(now())
    const next: NextIds = (query, after, limit) =>
      subjectsSince(query, 'servers', { after, limit, since: from })
    const hasServers = (await next(db.query, 0, 1)).length > 0
    const to = hasServers ? new Date(Math.min(settled.getTime(), startOfDay(from, 1).getTime())) : settled
    if (to <= from) return
    await upkeepStep(db, (client) => client.query(createPartition('server_hours', from)))
    const cover: KnownCover = new Map()
    yield* inBatches(db, next, async (client, ids) => {
      const watched = await readWatchedServers(client, ids, { from, to }, cover)
      await rollUpServerHours(client, ids, { from, to }, watched)
    })
    await upkeepStep(db, (client) => writeServerHoursUntil(client, to))
  }
}

/** Closes the days of sites that are over, oldest first, after that of checks has begun. */
export async function* rollUpSites({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  for (;;) {
    const from = await siteDaysUntil(db, now())
    if (!from) return
    const to = startOfDay(from, 1)
    if (to > settledUntil(now())) return
    const next: NextIds = (query, after, limit) =>
      subjectsSince(query, 'sites', { after, limit, since: from })
    const cover: KnownCover = new Map()
    yield* inBatches(db, next, async (client, ids) => {
      await writeSiteDays(client, from, await readWatchedSites(client, ids, { from, to }, cover))
    })
    await upkeepStep(db, (client) => writeSiteDaysUntil(client, to))
  }
}

/** Everything before it has arrived. */
function settledUntil(now: Date): Date {
  return startOfHour(new Date(now.getTime() - SETTLE_MS))
}

/** As `serverHoursUntil`. */
async function siteDaysUntil(db: Database, now: Date): Promise<Date | null> {
  const progress = await readProgress(db.pool)
  if (!progress) return null
  const until = progress.siteDaysUntil
  if (until) return until.getTime() <= now.getTime() + HOUR_MS ? until : startOfDay(now, -1)
  const oldest = await oldestSiteChange(db.query)
  return startOfDay(oldest && oldest < now ? oldest : now)
}

/** As `hoursUntil`; null while nothing says how far the work on history is. */
async function serverHoursUntil(db: Database, now: Date): Promise<Date | null> {
  const progress = await readProgress(db.pool)
  if (!progress) return null
  const until = progress.serverHoursUntil
  if (until && until.getTime() <= now.getTime() + HOUR_MS) return until
  if (until) return startOfDay(now, -1)
  const [oldest] = await daysOf(db.query, 'server_samples')
  const today = startOfDay(now)
  return oldest && oldest < today ? oldest : today
}

/**
 * The time to continue from: at first that of the oldest checks; where checks remain, after a clock was set back and after
 * an older release rolled up, which writes no times.
 */
async function hoursUntil(db: Database, now: Date): Promise<Date> {
  const progress = await readProgress(db.pool)
  const isAhead = progress && progress.hoursUntil.getTime() > now.getTime() + HOUR_MS
  const isTimed = progress?.timedUntil?.getTime() === progress?.hoursUntil.getTime()
  if (progress && !isAhead && isTimed) return progress.hoursUntil
  const [oldest] = await daysOf(db.query, 'checks')
  const today = startOfDay(now)
  const ofChecks = oldest && oldest < today ? oldest : today
  if (!progress || isAhead) return continueFrom(db, progress ? startOfDay(now, -1) : ofChecks, false)
  const timedUntil = progress.timedUntil ?? new Date(0)
  const from = new Date(Math.max(timedUntil.getTime(), ofChecks.getTime()))
  return continueFrom(db, from < progress.hoursUntil ? from : progress.hoursUntil, timedUntil < ofChecks)
}

/** `converts`: some roll-ups without times are older than the checks. */
async function continueFrom(db: Database, from: Date, converts: boolean): Promise<Date> {
  await upkeepStep(db, async (client) => {
    await writeHoursUntil(client, from)
    if (converts) await writeConverted(client, 0)
  })
  return from
}

type NextIds = (query: Query, after: number, limit: number) => Promise<number[]>

/** Does the work for all monitors or servers, so many in a step that it takes about as long as it may. */
export async function* inBatches(
  db: Database,
  nextIds: NextIds,
  work: (client: Connection, ids: number[]) => Promise<void>,
  after = 0,
): AsyncGenerator<void> {
  let size = FIRST_BATCH
  for (;;) {
    const ids = await nextIds(db.query, after, Math.round(size))
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
    const began = performance.now()
    await upkeepStep(db, (client) => work(client, ids))
    size = nextSize(size, performance.now() - began)
    yield
  }
}

function nextSize(size: number, tookMs: number): number {
  return Math.min(MAX_BATCH, Math.max(1, size * Math.min(2, Math.max(0.5, STEP_TARGET_MS / tookMs))))
}

// npm test leaves this out: it kills the compaction at each of its statements, and whenever else (a minute).
import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { rollUp, rollUpServers } from '../../src/engine/history/roll-up.ts'
import { type Database, inTransaction } from '../../src/postgres/database.ts'
import { writeHoursUntil } from '../../src/store/history/history-progress.ts'
import { exitOf } from '../support/exit.ts'
import { keepChecks, randomFrom, realisticDay } from '../support/history/checks.ts'
import {
  assertKept,
  compactedDays,
  daysOfRows,
  type KeptChecks,
  newestFirst,
} from '../support/history/kept-checks.ts'
import { assertSamplesKept, compactedServerDays, keepServers } from '../support/history/kept-samples.ts'
import { realisticSamples } from '../support/history/samples.ts'
import {
  bundleUpkeep,
  killTending,
  openWithoutDays,
  spawnHelp,
  spawnTending,
  tend,
} from '../support/history/upkeep.ts'
import { createStops } from '../support/postgres/stops.ts'
import { addMonitors } from '../support/records/monitors.ts'
import { until } from '../support/until.ts'

const DAY_MS = 24 * 3_600_000
const FIRST_DAY = Date.parse('2027-03-28T00:00:00Z')
const DAYS = [0, 1].map((ahead) => new Date(FIRST_DAY + ahead * DAY_MS))
/** When all of these days are to be compacted. */
const LATER = new Date(FIRST_DAY + 3 * DAY_MS + 600_000)
const MONITORS = 30
/** Checks of a day: more than one step takes. */
const CHECKS = 700
/** Statements of a day's compaction, each of which is undone with its transaction. */
const PLACES = [
  ['history_stretches', 1],
  ['check_chunks', 1],
  ['history_stretches', 1],
  ['check_chunks', 2],
  ['history_stretches', 1],
  ['compacted_days', 1],
] as const
const MAX_STEP_MS = 30
/** The words of a reader for each thing that was done: more than one, as the next is done meanwhile. */
const READS_EACH = 2

before(bundleUpkeep)

test('readers see every check once, at whichever statement the work is killed', async (t) => {
  const { db, kept, readOn, closeReader } = await open(t)
  const stops = await createStops(db, ['check_chunks', 'history_stretches', 'compacted_days'])
  for (const day of DAYS) {
    for (const [table, time] of PLACES) {
      // Where a reader is in the way of the switch, it is left for the next time.
      for (let killed = false; !killed; ) {
        await stops.at(table, time)
        killed = await killTending(db, LATER, stops, async () => readOn())
        readOn()
        await stops.letOn()
      }
    }
    assert.equal((await compactedDays(db)).length, DAYS.indexOf(day))
  }
  await untilCompacted(db, () => exitOf(spawnTending(db, LATER), 'the upkeep'))
  await closeReader()
  await assertKept(db, kept)
})

test('readers see every check once at every moment, whenever the work is killed', async (t) => {
  const { db, kept, readOn, closeReader } = await open(t)
  const random = randomFrom(FIRST_DAY)
  let [runs, killsInADay] = [0, 0]
  let reach = 6
  await untilCompacted(db, async () => {
    const tending = spawnTending(db, LATER)
    const ended = exitOf(tending, 'the upkeep')
    // Nothing before a day's compaction is to be interrupted: runs become longer until one is killed amid a day, and
    // then only where that is in vain. A part of the next step follows them.
    let steps = reach
    runs++
    tending.stdout.on('data', async (dots: Buffer) => {
      readOn()
      steps -= dots.length
      if (steps > 0) return
      await delay(random() * MAX_STEP_MS)
      tending.kill('SIGKILL')
    })
    const [code, signal] = await ended
    if (signal !== 'SIGKILL') assert.equal(code, 0)
    else if (!(await isCompacting(db)) || ++killsInADay % 4 === 0) reach++
  })
  await closeReader()
  t.diagnostic(`${killsInADay} of ${runs} kills in the middle of a day`)
  await assertKept(db, kept)
})

test('processes that share days and hours lose and double nothing, whichever of them is killed, whenever', async (t) => {
  const { db, kept, readOn, closeReader } = await open(t)
  await inTransaction(db.pool, (client) => writeHoursUntil(client, DAYS[0] as Date))
  await db.pool.query('DELETE FROM check_hours; DELETE FROM check_days')
  const random = randomFrom(FIRST_DAY + 1)
  let [runs, killed] = [0, 0]
  await untilCompacted(db, async () => {
    let steps = 3 + 2 * runs++
    const processes = [spawnTending(db, LATER), spawnHelp(db), spawnHelp(db)]
    const ended = processes.map((one) => exitOf(one, 'the upkeep'))
    const [leader, ...helpers] = processes as [(typeof processes)[0], ...typeof processes]
    for (const one of processes) {
      one.stdout.on('data', async (dots: Buffer) => {
        readOn()
        steps -= dots.length
        if (steps > 0) return
        await delay(random() * MAX_STEP_MS)
        if (one.kill('SIGKILL')) killed++
        steps = 3 + Math.floor(random() * 6)
      })
    }
    leader.once('exit', () => {
      for (const helper of helpers) helper.kill('SIGKILL')
    })
    const [led, ...helped] = await Promise.all(ended)
    if (led?.[1] !== 'SIGKILL') assert.equal(led?.[0], 0)
    for (const [, signal] of helped) assert.equal(signal, 'SIGKILL', 'helping never fails')
  })
  await closeReader()
  t.diagnostic(`${killed} processes killed in ${runs} runs`)
  await assertKept(db, kept)
  const { rows } = await db.pool.query<{ id: number; checks: number }>(
    'SELECT monitor_id AS id, sum(up + degraded + down + pending)::int AS checks FROM check_days GROUP BY 1',
  )
  assert.deepEqual(
    new Map(rows.map(({ id, checks }) => [id, checks])),
    new Map(
      [...kept].map(([id, checks]) => [id, checks.filter(({ status }) => status !== 'maintenance').length]),
    ),
  )
})

test('a process that is killed as it writes chunks of servers, or switches to them, has changed nothing', async (t) => {
  const db = await openWithoutDays(t)
  const [day] = DAYS as [Date]
  const kept = await keepServers(db, 2, (index) => realisticSamples(index, day, 9))
  const stops = await createStops(db, ['server_chunks', 'compacted_server_days'])
  for (const table of ['server_chunks', 'compacted_server_days']) {
    await stops.at(table, 1)
    assert.ok(await killTending(db, LATER, stops, async () => {}))
    assert.deepEqual(await compactedServerDays(db), [])
    await assertSamplesKept(db, kept)
  }
  await tend(db, LATER)
  assert.deepEqual(await compactedServerDays(db), ['2027-03-28'])
  await assertSamplesKept(db, kept)
})

/**
 * Days that are rolled up, and a reader of them: it goes on when it is told that something was done, as nothing else changes
 * what it reads, and all the time once it is to be closed.
 */
async function open(t: TestContext) {
  const db = await openWithoutDays(t)
  const random = randomFrom(FIRST_DAY)
  const kept: KeptChecks = new Map()
  for (const { id } of await addMonitors(db, MONITORS)) {
    const checks = DAYS.flatMap((day) => realisticDay(id + day.getUTCDate(), day).slice(0, CHECKS))
    await keepChecks(db, id, checks)
    kept.set(id, newestFirst(checks))
  }
  for await (const _step of rollUp({ db, now: () => LATER }));
  for await (const _step of rollUpServers({ db, now: () => LATER }));
  const all = [...kept]
  let [reads, wanted] = [0, 0]
  let done = false
  let misread: unknown
  let goOn = () => {}
  const readOn = (count = READS_EACH) => {
    wanted = Math.max(wanted, count)
    goOn()
  }
  const reading = (async () => {
    for (; !done; reads++) {
      while (wanted === 0) await new Promise<void>((resolve) => (goOn = resolve))
      wanted--
      await assertKept(db, [all[Math.floor(random() * all.length)] as (typeof all)[number]])
    }
  })()
  reading.catch((error) => {
    misread = error
  })
  async function closeReader() {
    reads = 0
    readOn(3)
    await until('a few reads of all that is compacted', () => misread || reads >= 3)
    done = true
    readOn()
    await reading
    assert.deepEqual(await daysOfRows(db), [])
  }
  return { db, kept, readOn, closeReader }
}

async function untilCompacted(db: Database, work: () => Promise<unknown>) {
  while ((await compactedDays(db)).length < DAYS.length) await work()
}

async function isCompacting(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query('SELECT FROM history_stretches WHERE after_id > 0')
  return rows.length > 0
}

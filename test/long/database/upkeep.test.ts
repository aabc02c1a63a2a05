// npm test leaves this out: it keeps and removes years of history for several plans (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it, test } from 'node:test'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { DEFAULT_PLANS, type PlanName } from '../../../src/core/teams/plan.ts'
import { rollUp } from '../../../src/engine/history/roll-up.ts'
import { startUpkeep, upkeepRound } from '../../../src/engine/history/upkeep.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { newestChecks } from '../../../src/store/history/history.ts'
import { writeHoursUntil } from '../../../src/store/history/history-progress.ts'
import { createPartition, ensurePartitions } from '../../../src/store/history/partitions.ts'
import { keepChecks, realisticDay } from '../../support/history/checks.ts'
import { noRecords, openWithoutDays, tend } from '../../support/history/upkeep.ts'
import { addDeliveries } from '../../support/records/alerting.ts'
import { addMonitor, addMonitors } from '../../support/records/monitors.ts'
import { addRow } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'
import { suiteScope } from '../../support/scope.ts'

const NOW = new Date('2027-06-30T12:30:00Z')
const HOUR_MS = 3_600_000
const AGES = [2, 3, 4, 5, 30, 31, 32, 60, 90, 91, 92, 400]

describe('what no plan shows goes', () => {
  const scope = suiteScope()
  let db: Database
  let monitors: Map<PlanName, number>

  before(async () => {
    db = await openWithoutDays(scope)
    monitors = await keepAges(db, ['free', 'starter', 'pro', 'business'])
  })

  it('of each team, which keeps every day of which its plan shows a part, roll-ups 90 days at least', async () => {
    await tend(db, NOW)
    const kept: Record<PlanName, [chunks: number, rollUps: number]> = {
      free: [3, 90],
      starter: [30, 90],
      pro: [90, 90],
      business: [400, 400],
    }
    for (const [plan, id] of monitors) {
      const [chunks, rollUps] = kept[plan]
      const within = (days: number) => AGES.filter((age) => age <= days)
      assert.deepEqual(await agesIn(db, 'check_chunks', id), within(chunks), `chunks on ${plan}`)
      assert.deepEqual(await agesIn(db, 'check_days', id), within(rollUps), `days on ${plan}`)
      assert.deepEqual(await agesIn(db, 'check_hours', id), within(rollUps), `hours on ${plan}`)
    }
  })

  it('from the disk at the next round after a change to a smaller plan', async () => {
    const id = monitors.get('business') as number
    await setPlan(db, id, 'starter')
    await tend(db, NOW)
    assert.deepEqual(await agesIn(db, 'check_chunks', id), [2, 3, 4, 5, 30])
  })

  it('in whole partitions where no team has it', async () => {
    for (const table of ['check_chunks', 'check_hours']) {
      const names = (await partitionsOf(db, table)).filter((name) => name < `${table}_20270701`)
      assert.deepEqual(
        names,
        ['03', '04', '05', '06'].map((month) => `${table}_2027${month}01`),
      )
    }
  })
})

test('no ping is kept for longer than 30 days, on any plan', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  for (const age of [1, 28, 29, 30, 31, 90]) {
    await db.pool.query(createPartition('pings', daysBefore(age)))
    await addRow(db, 'pings', { received_at: daysBefore(age), monitor_id: id, kind: 'success' })
  }
  await tend(db, NOW)
  const { rows } = await db.pool.query<{ at: Date }>('SELECT received_at AS at FROM pings ORDER BY 1 DESC')
  assert.deepEqual(
    rows.map(({ at }) => at),
    [1, 28, 29].map(daysBefore),
  )
})

test('the delivery log keeps 400 days, and whatever is not settled', async (t) => {
  const db = await openWithoutDays(t)
  const { id, teamId } = await addMonitor(db, { team_id: await addTeam(db, { plan: 'free' }) })
  const write = (age: number, state: 'pending' | 'sent' | 'failed', count = 1) => {
    const at = daysBefore(age)
    const columns = { state, created_at: at, finished_at: state === 'pending' ? null : at }
    const delivery = { team_id: teamId, monitor_id: id, contact_name: `${state} ${age}`, ...columns }
    return addDeliveries(
      db,
      Array.from({ length: count }, () => delivery),
    )
  }
  await write(402, 'pending')
  await write(401, 'sent', 2_500)
  await write(401, 'failed')
  await write(399, 'sent')
  await tend(db, NOW)
  const { rows } = await db.pool.query('SELECT contact_name AS name FROM deliveries ORDER BY id')
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['pending 402', 'sent 399'],
  )
})

test('what fails is reported, keeps nothing else from being done, and is made good the next time', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db, { team_id: await addTeam(db, { plan: 'free' }) })
  await keepChecks(db, id, realisticDay(1, daysBefore(3)))
  await keepChecks(db, id, realisticDay(2, daysBefore(40)))
  await db.pool.query('ALTER TABLE check_days RENAME TO lost')
  const troubles: unknown[] = []
  const round = async () => {
    const deps = { db, plans: DEFAULT_PLANS, now: () => NOW, note: () => {}, lookUpTxt: noRecords }
    for await (const _step of upkeepRound({ ...deps, onTrouble: (error) => troubles.push(error) }));
  }
  await round()
  assert.match(String(troubles[0]), /check_days/)
  assert.deepEqual(await daysOf(db), [3], 'what is past every plan went all the same')
  await db.pool.query('ALTER TABLE lost RENAME TO check_days')
  troubles.length = 0
  await round()
  assert.deepEqual(troubles, [])
  assert.deepEqual(await agesIn(db, 'check_chunks', id), [3])
})

test('processes that make partitions at the same time do not stumble over each other', async (t) => {
  const db = await openWithoutDays(t)
  await Promise.all([1, 2, 3, 4].map(() => ensurePartitions(db.query, NOW)))
  assert.equal((await partitionsOf(db, 'checks')).length, 5)
})

test('two processes that tend at the same time do no harm', async (t) => {
  const db = await openWithoutDays(t)
  const kept = new Map<number, CheckRecord[]>()
  for (const { id } of await addMonitors(db, 20)) {
    const day = realisticDay(id, daysBefore(2)).slice(0, 200)
    await keepChecks(db, id, day)
    kept.set(id, day.toReversed())
  }
  while ((await daysOf(db)).length > 0) await Promise.all([tend(db, NOW), tend(db, NOW), tend(db, NOW)])
  for (const [id, checks] of kept) assert.deepEqual(await newestChecks(db.query, id, null, 1_000), checks)
})

test('tending begins at once, and ends when it is told to, with everything still to do', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  const days = Array.from({ length: 10 }, (_, index) => 10 - index)
  await keepChecks(
    db,
    id,
    days.flatMap((age) => realisticDay(age, daysBefore(age)).slice(0, 5)),
  )
  const troubles: unknown[] = []
  let begun = 0
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const tender = startUpkeep({
    db,
    plans: DEFAULT_PLANS,
    now: () => {
      begun++
      return NOW
    },
    lookUpTxt: noRecords,
    onTrouble: (error) => troubles.push(error),
    note: (message) => {
      if (message.endsWith(' compacted')) resolve(tender.close())
    },
  })
  assert.ok(begun > 0)
  await closed
  assert.deepEqual(await daysOf(db), days.slice(1).toReversed())
  assert.deepEqual(troubles, [])
})

/** A monitor for each of some plans, with a few checks at each of AGES, as before anything was past its plan. */
async function keepAges(db: Database, plans: PlanName[]): Promise<Map<PlanName, number>> {
  const monitors = new Map<PlanName, number>()
  for (const plan of plans) {
    const { id } = await addMonitor(db)
    const days = AGES.map((age) => realisticDay(age, daysBefore(age)).slice(0, 3))
    await keepChecks(db, id, days.flat())
    monitors.set(plan, id)
  }
  for (const age of AGES.toReversed()) {
    // The days between hold nothing that could be rolled up.
    await inTransaction(db.pool, (client) => writeHoursUntil(client, daysBefore(age)))
    for await (const _step of rollUp({ db, now: () => new Date(daysBefore(age - 1).getTime() + HOUR_MS) }));
  }
  await tend(db, NOW)
  for (const [plan, id] of monitors) {
    for (const table of ['check_chunks', 'check_hours', 'check_days']) {
      assert.deepEqual(await agesIn(db, table, id), AGES)
    }
    await setPlan(db, id, plan)
  }
  return monitors
}

async function setPlan(db: Database, monitorId: number, plan: PlanName): Promise<void> {
  await db.pool.query('UPDATE teams SET plan = $2 FROM monitors m WHERE m.team_id = teams.id AND m.id = $1', [
    monitorId,
    plan,
  ])
}

/** How many days ago the days are of which a table has rows of a monitor. */
async function agesIn(db: Database, table: string, monitorId: number): Promise<number[]> {
  const time = table === 'check_hours' ? 'hour' : 'day'
  const { rows } = await db.pool.query<{ at: Date }>(
    `SELECT DISTINCT date_trunc('day', ${time}, 'UTC') AS at FROM ${table} WHERE monitor_id = $1 ORDER BY 1 DESC`,
    [monitorId],
  )
  return rows.map(({ at }) => ageOf(at))
}

async function daysOf(db: Database): Promise<number[]> {
  const { rows } = await db.pool.query<{ at: Date }>(
    `SELECT DISTINCT date_trunc('day', checked_at, 'UTC') AS at FROM checks ORDER BY 1 DESC`,
  )
  return rows.map(({ at }) => ageOf(at))
}

async function partitionsOf(db: Database, table: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [table],
  )
  return rows.map(({ name }) => name)
}

function daysBefore(age: number): Date {
  return new Date(Date.UTC(2027, 5, 30 - age))
}

function ageOf(day: Date): number {
  return Math.round((daysBefore(0).getTime() - day.getTime()) / 86_400_000)
}

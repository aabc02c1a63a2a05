// npm test leaves this out: it keeps weeks of a server's samples in each form of history (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../../src/core/errors.ts'
import type { Sample } from '../../../../src/core/servers/series.ts'
import { type SeriesHistory, ServerHistory } from '../../../../src/core/servers/shown-server.ts'
import { DEFAULT_PLANS, type PlanName } from '../../../../src/core/teams/plan.ts'
import { getServerHistory } from '../../../../src/operations/servers/history.ts'
import type { Database } from '../../../../src/postgres/database.ts'
import { keepSamples } from '../../../support/history/samples.ts'
import { openWithoutDays, tend } from '../../../support/history/upkeep.ts'
import { addServer } from '../../../support/records/servers.ts'

const DAY = new Date('2027-03-24T00:00:00Z')
const NOW = at(5 * 24 + 12.5)

test('a history is the same whatever it is kept in, to the report that came last', async (t) => {
  const { db, ask } = await openServer(t)
  const ranges: [from: number, to: number][] = [
    [130, 132.5],
    [100, 124],
    [0, 132.5],
    [50.25, 51],
  ]
  const before = await Promise.all(ranges.map(([from, to]) => ask('business', at(from), at(to))))
  const { values } = cpuOf(before[0])
  assert.deepEqual([values.length, ...values.slice(0, 3), values.at(-1)], [150, 0, 1, 2, 49])
  await tend(db, NOW)
  const { rows } = await db.pool.query('SELECT count(*)::int AS days FROM compacted_server_days')
  assert.deepEqual(rows, [{ days: 4 }])
  for (const [index, [from, to]] of ranges.entries())
    assert.deepEqual(await ask('business', at(from), at(to)), before[index], `from ${from}`)
})

test('a history beyond a week is made of hours, and of samples since', async (t) => {
  const { db, ask } = await openServer(t)
  await tend(db, NOW)
  const { step_seconds, series } = await ask('business', at(-90), NOW)
  assert.equal(step_seconds, 3_600)
  const { values, min, max } = cpuOf({ series })
  const known = values.flatMap((value, index) => (value === null ? [] : index))
  // 20 hours from hour 50 on there was no report.
  assert.deepEqual(known.length, 133 - 20)
  assert.deepEqual([known[0], known.at(-1)], [90, 90 + 132])
  assert.deepEqual([values[90], min?.[90], max?.[90]], [29.5, 0, 59])
  // Half an hour so far.
  assert.deepEqual([values[222], min?.[222], max?.[222]], [34.5, 20, 49])
  const days = await ask('business', at(-300 * 24), NOW)
  assert.equal(days.step_seconds, 12 * 3_600)
  const free = await ask('free', at(24), at(48))
  assert.equal(free.step_seconds, 3_600, 'samples past the history of the plan are not shown')
})

test('a history of no time, backwards or longer than is kept is refused', async (t) => {
  const { ask } = await openServer(t)
  for (const [from, to] of [
    [0, 0],
    [1, 0],
    [0, 400 * 24 + 1],
  ] as const) {
    await assert.rejects(ask('business', at(from), at(to)), (error) => {
      assert.ok(error instanceof Refusal)
      assert.match(JSON.stringify(error), /to must be after from, and at most 400 days later, got 20/)
      return true
    })
  }
  assert.deepEqual((await ask('business', at(200), at(201))).series, [])
})

/** A server that reported a minute's number of its hour, from the first hour on, with a gap. */
async function openServer(t: Parameters<typeof openWithoutDays>[0]) {
  const db = await openWithoutDays(t)
  const { id } = await addServer(db)
  const samples: { at: Date; sample: Sample }[] = []
  for (let minute = 0; minute < 132.5 * 60; minute++) {
    const isGap = minute >= 50 * 60 && minute < 70 * 60
    const time = new Date(DAY.getTime() + minute * 60_000 + 20_000)
    if (!isGap) samples.push({ at: time, sample: { cpu_percent: minute % 100, 'disk_busy_percent:sda': 1 } })
  }
  await keepSamples(db, id, samples)
  return { db, ask: (plan: PlanName, from: Date, to: Date) => ask(db, id, plan, from, to) }
}

async function ask(db: Database, id: number, plan: PlanName, from: Date, to: Date): Promise<ServerHistory> {
  const services = { db, plans: DEFAULT_PLANS, databaseNow: () => NOW }
  const input = { actor: { plan }, record: { id }, query: { from, to } }
  const answer = await getServerHistory.perform(services as never, input as never)
  return ServerHistory.parse((answer as { body: { data: unknown } }).body.data)
}

function cpuOf(history: { series: SeriesHistory[] } | undefined): SeriesHistory {
  return history?.series.find(({ name }) => name === 'cpu_percent') as SeriesHistory
}

function at(hour: number): Date {
  return new Date(DAY.getTime() + hour * 3_600_000)
}

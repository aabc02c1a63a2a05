import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanName } from '../../../src/core/teams/plan.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { openWithoutDays, tend } from '../../support/history/upkeep.ts'
import { addIncident } from '../../support/records/history.ts'
import { addRow } from '../../support/records/rows.ts'
import { addServer } from '../../support/records/servers.ts'
import { addTeam } from '../../support/records/teams.ts'

const NOW = new Date('2027-06-30T12:30:00Z')
const AGES = [2, 3, 4, 30, 31, 90, 91, 367, 400, 402, 500]
const TABLES = {
  server_chunks: 'day',
  server_hours: 'hour',
  subject_status_changes: 'at',
  team_incidents: 'started_at',
} as const
const SHARED: readonly string[] = ['subject_status_changes', 'team_incidents']

test('samples of servers are kept as long as the checks of their plan, and all else for 400 days', async (t) => {
  const db = await openWithoutDays(t)
  const servers = new Map<PlanName, number>()
  for (const plan of ['free', 'starter', 'business'] as const) {
    const { id } = await addServer(db, { team_id: await addTeam(db, { plan }) })
    await keepAges(db, id)
    servers.set(plan, id)
  }
  await tend(db, NOW)
  const kept: Partial<Record<PlanName, [samples: number, others: number]>> = {
    free: [3, 400],
    starter: [30, 400],
    business: [500, 500],
  }
  for (const [plan, id] of servers) {
    const [samples, others] = kept[plan] as [number, number]
    const within = (days: number) => AGES.filter((age) => age <= days)
    assert.deepEqual(await agesIn(db, 'server_chunks', id), within(samples), `chunks on ${plan}`)
    for (const table of ['server_hours', 'team_incidents'] as const)
      assert.deepEqual(await agesIn(db, table, id), within(others), `${table} on ${plan}`)
    const lastBefore = AGES.find((age) => age > others)
    assert.deepEqual(
      await agesIn(db, 'subject_status_changes', id),
      lastBefore === undefined ? within(others) : [...within(others), lastBefore],
      `changes on ${plan}`,
    )
  }
})

test('what a deleted server measured goes once it cannot come back, and the rest with the log of its alerts', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addServer(db, { deleted_at: daysBefore(2) })
  const { id: fresh } = await addServer(db, { deleted_at: daysBefore(0) })
  const { id: older } = await addServer(db, { deleted_at: daysBefore(401) })
  const { id: other } = await addServer(db)
  for (const server of [id, fresh, older, other]) await keepAges(db, server)
  await tend(db, NOW)
  assert.deepEqual(await agesIn(db, 'server_chunks', id), [])
  assert.deepEqual(await agesIn(db, 'server_hours', id), [])
  assert.deepEqual(await agesIn(db, 'team_incidents', id), AGES)
  assert.deepEqual(await agesIn(db, 'team_incidents', older), [])
  for (const kept of [fresh, other]) assert.deepEqual(await agesIn(db, 'server_chunks', kept), AGES)
  const { rows } = await db.pool.query<{ id: number }>('SELECT id FROM servers ORDER BY id')
  assert.deepEqual(
    rows.map((row) => row.id),
    [id, fresh, other],
  )
})

/** A chunk, an hour, a change and an incident at each of AGES. */
async function keepAges(db: Database, id: number): Promise<void> {
  const { rows } = await db.pool.query<{ team: number }>(
    'SELECT team_id AS team FROM servers WHERE id = $1',
    [id],
  )
  for (const age of AGES) {
    const at = daysBefore(age)
    await db.pool.query(`${createPartition('server_chunks', at)}; ${createPartition('server_hours', at)}`)
    await addRow(db, 'server_chunks', {
      day: at,
      server_id: id,
      generation: 0,
      samples: 1,
      content: Buffer.from([1]),
    })
    const times = { up_ms: 3_600_000, degraded_ms: 0, down_ms: 0, maintenance_ms: 0 }
    await addRow(db, 'server_hours', { hour: at, server_id: id, content: Buffer.from([1, 0, 0]), ...times })
    await addRow(db, 'subject_status_changes', { kind: 'server', subject_id: id, at, status: 'up' })
    await addIncident(db, {
      team_id: rows[0]?.team as number,
      server_id: id,
      about: 'cpu',
      warns_only: false,
      started_at: at,
      resolved_at: at,
      cause: 'CPU at 99 %',
    })
  }
}

async function agesIn(db: Database, table: keyof typeof TABLES, serverId: number): Promise<number[]> {
  const { rows } = await db.pool.query<{ at: Date }>(
    `SELECT ${TABLES[table]} AS at FROM ${table} WHERE ${SHARED.includes(table) ? 'subject_id' : 'server_id'} = $1 ORDER BY 1 DESC`,
    [serverId],
  )
  return rows.map(({ at }) => Math.round((daysBefore(0).getTime() - at.getTime()) / 86_400_000))
}

function daysBefore(age: number): Date {
  return new Date(Date.UTC(2027, 5, 30 - age))
}

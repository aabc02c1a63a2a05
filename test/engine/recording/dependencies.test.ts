import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { createHeldFollowing } from '../../../src/engine/alerting/follow-held.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { executeNextStep } from '../../../src/engine/on-call/execute-step.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const WARNED = { ...UP, status: 'degraded' as const, unmet: true, errorMessage: 'response took 2 s' }
const NOON_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
/** Seconds from a noon. */
const at = (second: number) => new Date(NOON_MS + second * 1_000)

describe('a monitor that depends on another', () => {
  let database: TestDatabase
  let recorder: Recorder
  let teamId: number
  let follow: ReturnType<typeof createHeldFollowing>
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    follow = createHeldFollowing({ db: database.db, recorder, region: null })
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows
  const create = (parents: AddedMonitor[] = [], columns: NewMonitor = {}) =>
    addMonitor(database.db, {
      team_id: teamId,
      ...columns,
      ...(parents.length > 0 && { options: { ...columns.options, depends_on: parents.map(({ id }) => id) } }),
    })
  const check = ({ id: monitorId, revision }: AddedMonitor, second: number, result = DOWN) =>
    recorder.record({
      ...{ monitorId, revision, checkedAt: at(second), region: null, result, heartbeat: null, ping: null },
    })
  const silence = ({ id: monitorId, revision }: AddedMonitor, second: number) =>
    recorder.record({
      ...{
        monitorId,
        revision,
        checkedAt: at(second),
        region: null,
        result: DOWN,
        heartbeat: 'ping',
        ping: null,
      },
    })
  const eventsOf = async ({ id }: AddedMonitor) =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id", [id])
    ).map(({ event }) => event)
  const incidentOf = async ({ id }: AddedMonitor) =>
    (
      await query(
        `SELECT resolved_at IS NULL AS open, untold, held_by FROM team_incidents
         WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id DESC LIMIT 1`,
        [id],
      )
    )[0]
  const requestOf = async ({ id }: AddedMonitor): Promise<Date | null> =>
    (await query('SELECT check_requested_at FROM monitors WHERE id = $1', [id]))[0]?.check_requested_at
  /** A parent that is down, and its child that is held. */
  async function held(columns: NewMonitor = {}) {
    const parent = await create()
    const child = await create([parent], columns)
    for (const one of [parent, child]) await check(one, 0, UP)
    await check(parent, 10)
    await check(child, 20)
    assert.deepEqual(await eventsOf(child), [])
    return { parent, child }
  }

  it('is recorded as down with an incident, and alerts nobody while the other one is down', async () => {
    const { parent, child } = await held()
    await check(child, 80)
    assert.deepEqual(await eventsOf(child), [])
    assert.deepEqual(await eventsOf(parent), ['monitor.down'])
    assert.deepEqual(await incidentOf(child), { open: true, untold: true, held_by: parent.id })
    const [state] = await query('SELECT status FROM monitor_state WHERE monitor_id = $1', [child.id])
    assert.equal(state?.status, 'down')
  })

  it('is told of once, with the time of its failure, if it still fails after the recovery of the other one', async () => {
    const { parent, child } = await held()
    await check(parent, 100, UP)
    assert.deepEqual(await eventsOf(child), [])
    await check(child, 101)
    await check(child, 161)
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
    const [row] = await query(`SELECT alert ->> 'occurredAt' AS at FROM deliveries WHERE subject_id = $1`, [
      child.id,
    ])
    assert.equal(new Date(row?.at).getTime(), at(20).getTime())
    assert.deepEqual(await incidentOf(child), { open: true, untold: false, held_by: parent.id })
    await check(child, 200, UP)
    assert.deepEqual(await eventsOf(child), ['monitor.down', 'monitor.recovery'])
  })

  it('alerts nobody of its recovery when nobody was alerted', async () => {
    const { parent, child } = await held()
    await check(child, 90, UP)
    await check(parent, 100, UP)
    assert.deepEqual(await eventsOf(child), [])
    assert.deepEqual(await incidentOf(child), { open: false, untold: true, held_by: parent.id })
    await check(child, 300)
    await follow(at(301))
    await check(parent, 302, UP)
    await check(child, 303)
    assert.deepEqual(await eventsOf(child), ['monitor.down'], 'the next outage is its own')
  })

  it('waits for a check that began after the recovery', async () => {
    const { parent, child } = await held()
    await check(parent, 100, UP)
    await check(child, 99)
    assert.deepEqual(await eventsOf(child), [])
  })

  it('is held by what is above the other one, also past a paused one, and not past a deleted one', async () => {
    const top = await create()
    const [paused, deleted] = [
      await create([top], { is_active: false }),
      await create([top], { deleted_at: new Date() }),
    ]
    const [below, free] = [await create([paused]), await create([deleted])]
    await check(top, 10)
    for (const one of [below, free]) await check(one, 20)
    assert.deepEqual([await eventsOf(below), await eventsOf(free)], [[], ['monitor.down']])
  })

  it('is not held by one that is paused, deleted, degraded, or of another team', async () => {
    const stranger = await addMonitor(database.db)
    await check(stranger, 10)
    const others = [
      await create([], { is_active: false, state: { status: 'down' } }),
      await create([], { deleted_at: new Date(), state: { status: 'down' } }),
      await create([], { state: { status: 'degraded', last_checked_at: at(30) } }),
      stranger,
    ]
    for (const other of others) {
      const child = await create([other])
      await check(child, 20)
      assert.deepEqual(await eventsOf(child), ['monitor.down'])
    }
  })

  it('is held by one that fails under maintenance', async () => {
    const parent = await create([], { state: { status: 'maintenance', last_checked_at: at(5) } })
    const child = await create([parent])
    await check(child, 20)
    assert.deepEqual(await eventsOf(child), [])
  })

  it('is held when it fails first, until the other one was checked', async () => {
    for (const [result, events] of [
      [DOWN, []],
      [UP, ['monitor.down']],
    ] as const) {
      const parent = await create()
      const child = await create([parent])
      for (const one of [parent, child]) await check(one, 0, UP)
      await check(child, 20)
      assert.deepEqual(await eventsOf(child), [])
      await follow(at(21))
      assert.deepEqual(await requestOf(parent), at(21), 'its check is asked for')
      assert.equal(await requestOf(child), null)
      await check(parent, 22, result)
      await follow(at(23))
      assert.deepEqual(await requestOf(child), result === UP ? at(23) : null)
      await check(child, 24)
      assert.deepEqual(await eventsOf(child), events)
    }
  })

  it('waits for a check of the other one for two of its intervals, and for its attempts no longer', async () => {
    for (const state of [{}, { last_checked_at: at(15), failed_attempts: 1, next_attempt_at: at(90) }]) {
      const parent = await create([], { state: { status: 'up', ...state } })
      const child = await create([parent])
      await check(child, 20)
      await check(child, 139)
      assert.deepEqual(await eventsOf(child), [])
      await follow(at(141))
      assert.deepEqual(await requestOf(child), at(141))
      await check(child, 142)
      assert.deepEqual(await eventsOf(child), ['monitor.down'])
    }
  })

  it('does not wait for a job to call', async () => {
    const job = await create([], { type: 'heartbeat', url: null, state: { status: 'up' } })
    const child = await create([job])
    await check(child, 20)
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
  })

  it('as a job is told of when it had two intervals to call', async () => {
    const parent = await create()
    const job = await create([parent], { type: 'heartbeat', url: null })
    await check(parent, 10)
    await silence(job, 20)
    await check(parent, 100, UP)
    await follow(at(219))
    assert.deepEqual(await eventsOf(job), [])
    await Promise.all([follow(at(221)), follow(at(221.5))])
    assert.deepEqual(await eventsOf(job), ['monitor.down'])
  })

  it('is found whatever ended the wait', async () => {
    const ends: [string, (parent: AddedMonitor, child: AddedMonitor) => Promise<unknown>][] = [
      ['paused', ({ id }) => query('UPDATE monitors SET is_active = false WHERE id = $1', [id])],
      ['deleted', ({ id }) => query('UPDATE monitors SET deleted_at = now() WHERE id = $1', [id])],
      ['gone', ({ id }) => query('UPDATE monitors SET options = NULL WHERE id > $1', [id])],
    ]
    for (const [why, end] of ends) {
      const { parent, child } = await held()
      await follow(at(90))
      assert.equal(await requestOf(child), null)
      await end(parent, child)
      await follow(at(100))
      assert.deepEqual(await requestOf(child), at(100), why)
      await follow(at(109))
      assert.deepEqual(await requestOf(child), at(100), why)
      await follow(at(110))
      assert.deepEqual(await requestOf(child), at(110), 'it is asked again')
      await check(child, 111)
      assert.deepEqual(await eventsOf(child), ['monitor.down'], why)
    }
  })

  it('leaves a warning for a check after the recovery', async () => {
    const parent = await create()
    const child = await create([parent])
    await check(parent, 10)
    await check(child, 20, WARNED)
    assert.deepEqual(await eventsOf(child), [])
    await check(parent, 30, UP)
    await check(child, 80, WARNED)
    await check(child, 140, WARNED)
    assert.deepEqual(await eventsOf(child), ['monitor.degraded'])
  })

  it('is told of by the batch that finds the other one up, in whichever order', async () => {
    const parent = await create()
    const child = await create([parent])
    await Promise.all([check(parent, 10), check(child, 11)])
    assert.deepEqual(await eventsOf(child), [])
    await Promise.all([check(parent, 100, UP), check(child, 101)])
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
    const [first, second] = [await create(), await create()]
    const late = await create([first])
    await Promise.all([check(late, 11), check(first, 12), check(second, 12)])
    assert.deepEqual(await eventsOf(late), [])
  })

  it('keeps its alert through a window of its own', async () => {
    const { parent, child } = await held()
    const window = oneOff(at(50).toISOString(), at(200).toISOString())
    await addWindow(
      database.db,
      teamId,
      { ...window, all_subjects: false, monitor_ids: [child.id] },
      new Date(0),
    )
    await check(parent, 100, UP)
    await check(child, 101)
    await follow(at(150))
    assert.deepEqual([await eventsOf(child), await requestOf(child)], [[], null])
    await check(child, 201)
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
  })

  it('rests reminders that are due while the other one is down, and the steps of its policy begin with its alert', async () => {
    await query('UPDATE teams SET reminder_minutes = 10 WHERE id = $1', [teamId])
    const { parent, child } = await held()
    const steps = () =>
      query(
        `SELECT s.state, s.look_at > s.due_at AS rests FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id
         JOIN team_incidents i ON i.id = e.team_incident_id AND i.kind = e.kind WHERE i.subject_id = $1 ORDER BY s.id`,
        [child.id],
      )
    assert.deepEqual(await steps(), [])
    await check(parent, 100, UP)
    await check(child, 101)
    assert.deepEqual(await steps(), [{ state: 'waiting', rests: false }])
    await check(parent, 200)
    await query(
      `UPDATE escalation_steps s SET due_at = now() - interval '1 hour', look_at = now() - interval '1 hour'
       FROM escalations e JOIN team_incidents i ON i.id = e.team_incident_id
       WHERE e.id = s.escalation_id AND i.subject_id = $1`,
      [child.id],
    )
    while (await executeNextStep(database.db, createKnownWindows()));
    assert.deepEqual(await steps(), [{ state: 'waiting', rests: true }])
    await check(parent, 300, UP)
    await query("UPDATE escalation_steps SET look_at = now() WHERE state = 'waiting' AND look_at > due_at")
    while (await executeNextStep(database.db, createKnownWindows()));
    assert.deepEqual(
      (await steps()).map(({ state }) => state),
      ['done', 'waiting'],
    )
    await query('UPDATE teams SET reminder_minutes = NULL WHERE id = $1', [teamId])
  })

  it('is held and told once by recorders that find both at once', async () => {
    const other = createRecorder(database.db, (error) => troubles.push(error))
    const by = (one: Recorder, { id: monitorId, revision }: AddedMonitor, second: number, result = DOWN) =>
      one.record({
        ...{ monitorId, revision, checkedAt: at(second), region: null, result, heartbeat: null, ping: null },
      })
    const pairs = Array.from({ length: 30 }, async (_, index) => {
      const parent = await create()
      const child = await create([parent])
      for (const one of [parent, child]) await check(one, 0, UP)
      const [first, second] = index % 2 === 0 ? [recorder, other] : [other, recorder]
      await Promise.all([by(first, child, 11), by(second, parent, 10)])
      assert.deepEqual(await eventsOf(child), [])
      await Promise.all([by(first, parent, 100, UP), by(second, child, 101)])
      await follow(at(102))
      await Promise.all([by(first, child, 103), by(second, child, 103)])
      assert.deepEqual(await eventsOf(child), ['monitor.down'])
    })
    await Promise.all(pairs)
    await other.close()
  })

  it('is counted in the alert of the other one, with those that depend on it in turn', async () => {
    const parent = await create()
    const child = await create([parent])
    await create([child])
    await create([child], { is_active: false })
    await create([child], { deleted_at: new Date() })
    await check(parent, 10)
    const [row] = await query(
      `SELECT alert -> 'dependents' AS dependents FROM deliveries WHERE subject_id = $1`,
      [parent.id],
    )
    assert.equal(row?.dependents, 2)
  })
})

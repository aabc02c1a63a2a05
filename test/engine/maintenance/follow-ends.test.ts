import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { createEndFollowing } from '../../../src/engine/maintenance/follow-ends.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { startWindowWatch } from '../../../src/engine/maintenance/window-watch.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { windowsChanged } from '../../../src/store/maintenance/windows.ts'
import { requestChecks } from '../../../src/store/probing/schedule.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const NOON_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000
/** Seconds from a noon. */
const at = (second: number) => new Date(NOON_MS + second * 1_000)
const between = (start: Date, end: Date) => oneOff(start.toISOString(), end.toISOString())

describe('the end of a window', () => {
  let database: TestDatabase
  let recorder: Recorder
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const query = async (text: string, values: unknown[]) => (await database.db.pool.query(text, values)).rows
  const startFollowing = () =>
    createEndFollowing({ db: database.db, recorder, region: null }, createKnownWindows())

  /** A monitor that failed at second 10 of a window that ends at 60. */
  async function createFailing(columns: NewMonitor = {}): Promise<AddedMonitor> {
    const team_id = await addTeam(database.db)
    await addContacts(database.db, [{ team_id }])
    const monitor = await addMonitor(database.db, { team_id, ...columns })
    await addWindow(database.db, team_id, between(at(0), at(60)), new Date(0))
    await fail(monitor, 10)
    return monitor
  }

  async function fail({ id: monitorId, revision }: AddedMonitor, second: number, result = DOWN) {
    const finding = { monitorId, revision, checkedAt: at(second), region: null, result }
    await recorder.record({ ...finding, heartbeat: null, ping: null })
  }

  const monitorRow = async ({ id }: AddedMonitor): Promise<Record<string, Date | null>> =>
    (await query('SELECT check_requested_at, changed_at FROM monitors WHERE id = $1', [id]))[0]
  const requestOf = async (monitor: AddedMonitor) => (await monitorRow(monitor)).check_requested_at
  const eventsOf = async ({ id }: AddedMonitor) =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id", [id])
    ).map(({ event }) => event)
  const forget = () => query('UPDATE monitor_state SET status = $1', ['up'])

  it('asks for a check of what fails, once, whoever follows it', async () => {
    const monitor = await createFailing()
    const follow = startFollowing()
    assert.deepEqual(await follow(at(30)), { until: at(60) })
    assert.equal(await requestOf(monitor), null)
    assert.deepEqual(await follow(at(60)), { until: at(60) }, 'the clocks of probers differ a little')
    assert.deepEqual(await follow(at(60.1)), { until: null })
    assert.deepEqual(await requestOf(monitor), at(60.1))
    await follow(at(61))
    await startFollowing()(at(62))
    assert.deepEqual(await requestOf(monitor), at(60.1))
    const { changed_at } = await monitorRow(monitor)
    await requestChecks(database.db, [monitor.id], at(60.2))
    assert.deepEqual(await monitorRow(monitor), { check_requested_at: at(60.1), changed_at })
    await forget()
  })

  it('asks for a check of what was down before, whether or not one came inside', async () => {
    const team_id = await addTeam(database.db)
    const [unseen, seen] = [
      await addMonitor(database.db, { team_id }),
      await addMonitor(database.db, { team_id }),
    ]
    for (const monitor of [unseen, seen]) await fail(monitor, -10)
    await addWindow(database.db, team_id, between(at(0), at(60)), new Date(0))
    const follow = startFollowing()
    assert.deepEqual(await follow(at(-5)), { until: at(0) })
    assert.deepEqual(await follow(at(30)), { until: at(60) })
    await fail(seen, 40)
    await follow(at(60.1))
    assert.deepEqual([await requestOf(unseen), await requestOf(seen)], [at(60.1), at(60.1)])
    for (const monitor of [unseen, seen]) await fail(monitor, 61)
    await follow(at(80))
    assert.deepEqual([await requestOf(unseen), await requestOf(seen)], [at(60.1), at(60.1)])
    assert.deepEqual(await eventsOf(unseen), [])
    await forget()
  })

  it('asks again when the check that came had begun before the end, and when none came', async () => {
    const [late, lost] = [await createFailing(), await createFailing()]
    const follow = startFollowing()
    await follow(at(61))
    await fail(late, 59)
    await follow(at(63))
    assert.deepEqual([await requestOf(late), await requestOf(lost)], [at(63), at(61)])
    await fail(late, 64)
    await follow(at(71))
    assert.deepEqual([await requestOf(late), await requestOf(lost)], [at(63), at(71)])
    assert.deepEqual([await eventsOf(late), await eventsOf(lost)], [['monitor.down'], []])
    await forget()
  })

  it('is followed by whoever leads next, however late, and waits for windows that touch', async () => {
    const [monitor, chained] = [await createFailing(), await createFailing()]
    await addWindow(database.db, chained.teamId, between(at(60), at(90)), new Date(0))
    const { until: next } = await startFollowing()(at(70))
    assert.deepEqual([await requestOf(monitor), await requestOf(chained)], [at(70), null])
    assert.deepEqual(next, at(90))
    await startFollowing()(at(3_600))
    assert.deepEqual(await requestOf(chained), at(3_600))
    await forget()
  })

  it('sees within a round what begins to fail under a window that ends earlier, and a window that is ended', async () => {
    const first = await createFailing()
    const follow = startFollowing()
    assert.deepEqual(await follow(at(20)), { until: at(60) })
    assert.deepEqual(await follow(at(21)), { until: at(60) })

    const team_id = await addTeam(database.db)
    const other = await addMonitor(database.db, { team_id })
    await addWindow(database.db, team_id, between(at(0), at(25)), new Date(0))
    await fail(other, 22)
    assert.deepEqual(await follow(at(23)), { until: at(25) })
    await follow(at(25.1))
    assert.deepEqual([await requestOf(first), await requestOf(other)], [null, at(25.1)])
    await fail(other, 25.2)
    assert.deepEqual(await follow(at(26)), { until: at(60) })

    await query('UPDATE maintenance_windows SET deleted_at = $2 WHERE team_id = $1', [first.teamId, at(27)])
    assert.deepEqual(await follow(at(28)), { until: at(60) }, 'nobody has told of it')
    await database.db.query.transaction().execute((change) => windowsChanged(change, first.teamId))
    await follow(at(28.1))
    assert.deepEqual(await requestOf(first), at(28.1))
    await forget()
  })

  it('leaves alone what is paused, and what passed meanwhile', async () => {
    const [paused, passed] = [await createFailing(), await createFailing()]
    await query('UPDATE monitor_state SET revision = NULL WHERE monitor_id = $1', [paused.id])
    await fail(passed, 59, UP)
    await startFollowing()(at(61))
    assert.deepEqual([await requestOf(paused), await requestOf(passed)], [null, null])
  })

  it('goes by the clock that it is given, turned back and forth by an hour', async () => {
    const monitor = await createFailing()
    const follow = startFollowing()
    assert.deepEqual(await follow(at(30)), { until: at(60) })
    await follow(at(30 - 3_600))
    await fail(monitor, 31)
    await follow(at(50))
    await follow(at(60.1))
    assert.deepEqual(await requestOf(monitor), at(60.1))
    await follow(at(60.2 + 3_600))
    assert.deepEqual(await requestOf(monitor), at(60.2 + 3_600), 'no check came for an hour')
    await forget()
  })

  it('tells a job down that failed last, with its reason, once, whoever follows it', async () => {
    const monitor = await createFailing({ type: 'heartbeat' })
    await startFollowing()(at(59))
    assert.deepEqual(await eventsOf(monitor), [])
    const [one, other] = [startFollowing(), startFollowing()]
    await Promise.all([one(at(61)), other(at(61))])
    await one(at(62))
    assert.deepEqual(await eventsOf(monitor), ['monitor.down'])
    const incidents = await query(
      "SELECT started_at, cause FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1",
      [monitor.id],
    )
    assert.deepEqual(incidents, [{ started_at: at(60), cause: DOWN.errorMessage }])
    const checks = await query('SELECT status FROM checks WHERE monitor_id = $1 ORDER BY checked_at', [
      monitor.id,
    ])
    assert.deepEqual(
      checks.map(({ status }) => status),
      ['maintenance', 'down'],
    )
    assert.equal(await requestOf(monitor), null)
  })

  it('is waited for by every process; the leader arms heartbeats anew when windows change', async () => {
    const monitor = await createFailing()
    const rearmed: number[] = []
    let second = 30
    let leads = true
    const watch = startWindowWatch({
      db: database.db,
      recorder,
      region: null,
      now: () => at(second),
      leads: () => leads,
      rearm: (teamIds) => rearmed.push(...teamIds),
      onTrouble: (error) => troubles.push(error),
    })
    await until('it knows the team', () => rearmed.includes(monitor.teamId))
    assert.equal(await requestOf(monitor), null)
    rearmed.length = 0
    watch.changed(monitor.teamId)
    assert.deepEqual(rearmed, [monitor.teamId])
    second = 61
    await until('the check is asked for', async () => (await requestOf(monitor)) !== null)
    await query('UPDATE teams SET maintenance_revision = maintenance_revision + 1 WHERE id = $1', [
      monitor.teamId,
    ])
    rearmed.length = 0
    // The connection was lost, and with it what was said.
    watch.changed(null)
    await until('the change is found', () => rearmed.length > 0)
    assert.deepEqual(rearmed, [monitor.teamId])
    leads = false
    watch.changed(monitor.teamId)
    assert.deepEqual(rearmed, [monitor.teamId], 'another process watches the heartbeats')
    await query('UPDATE monitors SET check_requested_at = NULL WHERE id = $1', [monitor.id])
    await until('it follows ends all the same', async () => (await requestOf(monitor)) !== null)
    await watch.close()
    await forget()
  })
})

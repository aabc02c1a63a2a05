import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { endNextFlap } from '../../../src/engine/alerting/end-flap.ts'
import { createHeldFollowing } from '../../../src/engine/alerting/follow-held.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { executeNextStep } from '../../../src/engine/on-call/execute-step.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { resolveIncidentsQuietly } from '../../../src/store/monitors/monitor-changes.ts'
import { updateOnCallSettings } from '../../../src/store/on-call/settings.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const RULE = { changes: 3, minutes: 10 }
/** An hour ago: whatever did not change since is steady. */
const BEGIN_MS = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000
const at = (second: number) => new Date(BEGIN_MS + second * 1_000)

describe('a monitor that flaps', () => {
  let database: TestDatabase
  let recorder: Recorder
  let teamId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    teamId = await addTeam(database.db, { flap_changes: RULE.changes, flap_minutes: RULE.minutes })
    await addContacts(database.db, [{ team_id: teamId }])
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows
  const create = (columns: NewMonitor = {}) => addMonitor(database.db, { team_id: teamId, ...columns })
  const check = ({ id: monitorId, revision }: AddedMonitor, second: number, result = DOWN, by = recorder) =>
    by.record({
      ...{ monitorId, revision, checkedAt: at(second), region: null, result, heartbeat: null, ping: null },
    })
  const alertsOf = async ({ id }: AddedMonitor): Promise<string[]> =>
    (
      await query(
        `SELECT concat_ws(' ', event, CASE WHEN alert ? 'flapping' AND event NOT LIKE '%.flapping' THEN 'steady' END,
           CASE WHEN step > 0 THEN alert -> 'escalation' ->> 'kind' END) AS told
         FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id`,
        [id],
      )
    ).map(({ told }) => told)
  const incidentsOf = async ({ id }: AddedMonitor) =>
    (
      await query(
        `SELECT extract(epoch FROM started_at - $2)::int AS began, extract(epoch FROM resolved_at - $2)::int AS ended,
           untold, while_flapping AS flapping
         FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id`,
        [id, at(0)],
      )
    ).map(({ began, ended, untold, flapping }) => [began, ended, untold, flapping])
  const stepsOf = async ({ id }: AddedMonitor) =>
    (
      await query(
        `SELECT s.state FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id
         JOIN team_incidents i ON i.id = e.team_incident_id AND i.kind = e.kind WHERE i.subject_id = $1 ORDER BY s.id`,
        [id],
      )
    ).map(({ state }) => state)
  async function look() {
    await query('UPDATE flaps SET look_at = now() WHERE ended_at IS NULL')
    const seen = new Set<string>()
    for (;;) {
      const [due] = await query(
        'SELECT subject_id FROM flaps WHERE ended_at IS NULL AND look_at <= now() ORDER BY look_at, kind, subject_id LIMIT 1',
      )
      if (!due || seen.has(String(due.subject_id))) return
      seen.add(String(due.subject_id))
      await endNextFlap(database.db, createKnownWindows())
    }
  }
  /** It is up, fails twice and recovers; the fourth change is one too many. */
  async function flapping(columns: NewMonitor = {}) {
    const monitor = await create(columns)
    await check(monitor, 0, UP)
    for (const second of [10, 30]) {
      await check(monitor, second)
      await check(monitor, second + 10, UP)
    }
    return monitor
  }
  /** It is checked again long after it changed last. */
  const checkLate = (monitor: AddedMonitor, result = DOWN) => check(monitor, 3_000, result)

  it('is told once in place of its change, and once when it is steady and up', async () => {
    const monitor = await flapping()
    const told = ['monitor.down', 'monitor.recovery', 'monitor.down', 'monitor.flapping']
    assert.deepEqual(await alertsOf(monitor), told)
    await check(monitor, 50)
    await check(monitor, 55)
    await check(monitor, 60, UP)
    assert.deepEqual(await alertsOf(monitor), told)
    await look()
    assert.deepEqual(await alertsOf(monitor), told, 'nobody has looked since')
    await checkLate(monitor, UP)
    await look()
    await look()
    assert.deepEqual(await alertsOf(monitor), [...told, 'monitor.recovery steady'])
    assert.deepEqual(
      await incidentsOf(monitor),
      [
        [10, 20, false, false],
        [30, 40, false, false],
        [50, 60, true, true],
      ],
      'its incidents are exact',
    )
    const [alert] = await query(
      `SELECT alert FROM deliveries WHERE subject_id = $1 ORDER BY id DESC LIMIT 1`,
      [monitor.id],
    )
    assert.deepEqual(
      [alert?.alert.flapping.changes, alert?.alert.flapping.minutes, Date.parse(alert?.alert.occurredAt)],
      [6, RULE.minutes, at(60).getTime()],
    )
  })

  it('goes on as any incident where it is steady and down: with steps, and with its recovery', async () => {
    await query('UPDATE teams SET reminder_minutes = 10 WHERE id = $1', [teamId])
    const monitor = await flapping()
    assert.deepEqual(await stepsOf(monitor), ['ended', 'ended'], 'those of the incidents that were told')
    await check(monitor, 50)
    await checkLate(monitor)
    assert.deepEqual(await stepsOf(monitor), ['ended', 'ended'])
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(4), ['monitor.down steady'])
    assert.deepEqual(await stepsOf(monitor), ['ended', 'ended', 'waiting'])
    await query("UPDATE escalation_steps SET due_at = now(), look_at = now() WHERE state = 'waiting'")
    await query("UPDATE deliveries SET created_at = created_at - interval '1 hour'")
    while (await executeNextStep(database.db, createKnownWindows()));
    await check(monitor, 3_010)
    await check(monitor, 3_020, UP)
    assert.deepEqual((await alertsOf(monitor)).slice(4), [
      'monitor.down steady',
      'monitor.down steady reminder',
      'monitor.recovery',
    ])
    assert.deepEqual((await incidentsOf(monitor)).at(-1), [50, 3_020, false, true])
    const keys = await query(
      `SELECT coalesce(alert ->> 'knownAs', team_incident_id::text) AS key, event FROM deliveries
       WHERE subject_id = $1 ORDER BY id DESC LIMIT 4`,
      [monitor.id],
    )
    assert.equal(new Set(keys.map(({ key }) => key)).size, 1, 'programs know it by one incident')
    await query('UPDATE teams SET reminder_minutes = NULL WHERE id = $1', [teamId])
  })

  it('flaps from a failure on, too, and is told to whom the steps of its incident alerted', async () => {
    const monitor = await create()
    for (const [second, result] of [
      [10, DOWN],
      [20, UP],
      [30, DOWN],
      [900, UP],
      [1_000, DOWN],
      [1_010, UP],
      [1_020, DOWN],
    ] as const)
      await check(monitor, second, result)
    assert.deepEqual((await alertsOf(monitor)).slice(5), ['monitor.recovery', 'monitor.flapping'])
    assert.deepEqual((await incidentsOf(monitor)).at(-1), [1_020, null, true, true])
    await checkLate(monitor)
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(7), ['monitor.down steady'])
  })

  it('waits no longer when its team turns that off', async () => {
    const own = await addTeam(database.db, { flap_changes: 3, flap_minutes: 600 })
    await addContacts(database.db, [{ team_id: own }])
    const [up, down] = [await flapping({ team_id: own }), await flapping({ team_id: own })]
    await check(down, 50)
    await checkLate(up, UP)
    await checkLate(down)
    await look()
    assert.deepEqual(
      [await alertsOf(up), await alertsOf(down)].map((told) => told.length),
      [4, 4],
    )
    await updateOnCallSettings(database.db, own, { flapping: null })
    for (let round = 0; round < 200 && (await endNextFlap(database.db, createKnownWindows())); round++);
    assert.deepEqual((await alertsOf(up)).slice(4), ['monitor.recovery steady'])
    assert.deepEqual((await alertsOf(down)).slice(4), ['monitor.down steady'])
    await check(up, 3_010)
    await check(down, 3_010, UP)
    assert.deepEqual((await alertsOf(up)).slice(5), ['monitor.down'])
    assert.deepEqual((await alertsOf(down)).slice(5), ['monitor.recovery'])
  })

  it('tells nobody after a pause or a deletion', async () => {
    const monitor = await flapping()
    await check(monitor, 50)
    await database.db.query
      .transaction()
      .execute((query) => resolveIncidentsQuietly(query, [monitor.id], at(60)))
    await checkLate(monitor, UP)
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(4), [])
    await check(monitor, 3_100)
    assert.deepEqual((await alertsOf(monitor)).slice(4), ['monitor.down'], 'it is told as any other')
  })

  it('is not told to be steady and down under a window, and to be up at once', async () => {
    const monitor = await flapping()
    await check(monitor, 50)
    await checkLate(monitor)
    const now = Date.now()
    const window = oneOff(new Date(now - 60_000).toISOString(), new Date(now + 3_600_000).toISOString())
    await addWindow(
      database.db,
      teamId,
      { ...window, all_subjects: false, monitor_ids: [monitor.id] },
      new Date(0),
    )
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(4), [])
    await check(monitor, 3_010, UP)
    await query(`UPDATE team_incidents SET resolved_at = $2 WHERE subject_id = $1 AND resolved_at > $2`, [
      monitor.id,
      at(60),
    ])
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(4), ['monitor.recovery steady'], 'a recovery is told')
  })

  it('is not told to be up while it fails under a window', async () => {
    const monitor = await flapping()
    const window = oneOff(at(2_900).toISOString(), new Date(Date.now() + 3_600_000).toISOString())
    const only = { ...window, all_subjects: false, monitor_ids: [monitor.id] }
    await addWindow(database.db, teamId, only, new Date(0))
    await checkLate(monitor)
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(4), [])
    await check(monitor, 3_010, UP)
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(4), ['monitor.recovery steady'])
  })

  it('is told with other numbers as soon as its team sets them', async () => {
    const own = await addTeam(database.db, { flap_changes: 3, flap_minutes: 600 })
    await addContacts(database.db, [{ team_id: own }])
    const monitor = await flapping({ team_id: own })
    await checkLate(monitor, UP)
    await look()
    assert.equal((await alertsOf(monitor)).length, 4)
    await updateOnCallSettings(database.db, own, { flapping: RULE })
    await endNextFlap(database.db, createKnownWindows())
    assert.deepEqual((await alertsOf(monitor)).slice(4), ['monitor.recovery steady'])
  })

  it('is not told while a monitor that it depends on is down, whose failures are no changes of its own', async () => {
    const parent = await create()
    const child = await flapping()
    await query(
      "UPDATE monitors SET options = jsonb_build_object('depends_on', jsonb_build_array($2::int)) WHERE id = $1",
      [child.id, parent.id],
    )
    await check(parent, 45)
    await check(child, 50)
    assert.deepEqual((await incidentsOf(child)).at(-1), [50, null, true, false])
    await checkLate(child)
    await look()
    const follow = createHeldFollowing({ db: database.db, recorder, region: null })
    await follow(at(3_001))
    assert.deepEqual((await alertsOf(child)).slice(4), [])
    await check(parent, 3_010, UP)
    await check(child, 3_020)
    await look()
    assert.deepEqual((await alertsOf(child)).slice(4), ['monitor.down steady'])
    assert.deepEqual(await alertsOf(parent), ['monitor.down', 'monitor.recovery'])
  })

  it('never flaps by what waits for a parent alone', async () => {
    const parent = await create()
    const child = await create({ options: { depends_on: [parent.id] } })
    await check(child, 0, UP)
    await check(parent, 1)
    for (const second of [10, 20, 30, 40, 50]) {
      await check(child, second)
      await check(child, second + 5, UP)
    }
    await check(parent, 56, UP)
    await check(child, 60)
    await check(parent, 61, UP)
    await check(child, 62)
    assert.deepEqual(await alertsOf(child), ['monitor.down'])
  })

  it('may be a group, whose members are told by themselves', async () => {
    const member = await create()
    const group = await create({ type: 'group', url: null, options: { members: [member.id] } })
    await check(member, 0, UP)
    for (const second of [10, 30]) {
      await check(member, second)
      await check(member, second + 10, UP)
    }
    const told = ['monitor.down', 'monitor.recovery', 'monitor.down', 'monitor.flapping']
    assert.deepEqual([await alertsOf(group), await alertsOf(member)], [told, told])
    await checkLate(member, DOWN)
    await query(
      'UPDATE team_incidents SET started_at = $2 WHERE subject_id = ANY($1) AND resolved_at IS NULL',
      [[member.id, group.id], at(50)],
    )
    await look()
    assert.deepEqual((await alertsOf(group)).slice(4), ['monitor.down steady'])
    assert.deepEqual((await alertsOf(member)).slice(4), ['monitor.down steady'])
  })

  it('may be a heartbeat, which cannot be asked: it is steady when it says nothing else', async () => {
    const job = await create({ type: 'heartbeat', url: null })
    const report = (second: number, result: typeof DOWN | typeof UP) =>
      recorder.record({
        ...{ monitorId: job.id, revision: job.revision, checkedAt: at(second), region: null, result },
        ...{ heartbeat: 'ping', ping: null },
      })
    await report(0, UP)
    for (const second of [10, 30, 50]) {
      await report(second, DOWN)
      await report(second + 10, UP)
    }
    const told = ['monitor.down', 'monitor.recovery', 'monitor.down', 'monitor.flapping']
    assert.deepEqual(await alertsOf(job), told)
    await look()
    assert.deepEqual((await alertsOf(job)).slice(4), ['monitor.recovery steady'])
  })

  it('is not checked more often: nobody waits for its next check', async () => {
    const monitor = await flapping()
    await check(monitor, 50)
    await createHeldFollowing({ db: database.db, recorder, region: null })(at(60))
    const [row] = await query('SELECT check_requested_at FROM monitors WHERE id = $1', [monitor.id])
    assert.equal(row?.check_requested_at, null)
  })

  it('begins no steps where somebody has its incident by then', async () => {
    await query('UPDATE teams SET reminder_minutes = 10 WHERE id = $1', [teamId])
    const monitor = await flapping()
    await check(monitor, 50)
    await query(
      `INSERT INTO acknowledgements (team_id, kind, team_incident_id, via, acknowledged_at)
       SELECT team_id, kind, id, 'dashboard', now() FROM team_incidents WHERE subject_id = $1 AND resolved_at IS NULL`,
      [monitor.id],
    )
    await checkLate(monitor)
    await look()
    assert.deepEqual((await alertsOf(monitor)).slice(4), ['monitor.down steady'])
    assert.deepEqual(await stepsOf(monitor), ['ended', 'ended', 'ended'])
    await query('UPDATE teams SET reminder_minutes = NULL WHERE id = $1', [teamId])
  })

  it('is told as a recorder leaves it that was first', async (t) => {
    const monitor = await flapping()
    await check(monitor, 50)
    await checkLate(monitor)
    const rival = await database.db.pool.connect()
    t.after(() => rival.release())
    await rival.query('BEGIN')
    await rival.query('SELECT FROM monitor_state WHERE monitor_id = $1 FOR UPDATE', [monitor.id])
    await rival.query(
      'UPDATE team_incidents SET resolved_at = $2 WHERE subject_id = $1 AND resolved_at IS NULL',
      [monitor.id, at(60)],
    )
    const looked = look()
    await until('it waits for the recorder', async () => {
      const waiting = await query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      return waiting.length > 0
    })
    await rival.query('COMMIT')
    await looked
    assert.deepEqual((await alertsOf(monitor)).slice(4), ['monitor.recovery steady'])
  })

  it('is told once by recorders and processes that find all of it at once', async () => {
    const others = [1, 2, 3].map(() => createRecorder(database.db, (error) => troubles.push(error)))
    const monitors = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const monitor = await create()
        const by = (step: number) => others[(index + step) % others.length] as Recorder
        await check(monitor, 0, UP, by(0))
        for (let step = 1; step <= 9; step++) {
          const result = step % 2 === 1 ? DOWN : UP
          const twice = [by(step), by(step + 1)]
          await Promise.all(twice.map((one) => check(monitor, step * 10, result, one)))
        }
        await check(monitor, 3_000, index % 2 === 0 ? DOWN : UP, by(0))
        if (index % 2 === 1)
          await query(
            'UPDATE team_incidents SET resolved_at = $2 WHERE subject_id = $1 AND resolved_at > $2',
            [monitor.id, at(99)],
          )
        return monitor
      }),
    )
    await query('UPDATE flaps SET look_at = now() WHERE ended_at IS NULL')
    await Promise.all(
      others.map(async () => {
        for (let round = 0; round < 200 && (await endNextFlap(database.db, createKnownWindows())); round++);
      }),
    )
    for (const [index, monitor] of monitors.entries())
      assert.deepEqual(await alertsOf(monitor), [
        ...['monitor.down', 'monitor.recovery', 'monitor.down', 'monitor.flapping'],
        index % 2 === 0 ? 'monitor.down steady' : 'monitor.recovery steady',
      ])
    await Promise.all(others.map((other) => other.close()))
  })

  it('costs nothing in a team that did not ask for it: each change has its alert', async () => {
    const off = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: off }])
    const monitor = await flapping({ team_id: off })
    await check(monitor, 50)
    assert.equal((await alertsOf(monitor)).filter((told) => told.includes('flapping')).length, 0)
    assert.equal((await alertsOf(monitor)).length, 5)
    assert.deepEqual(await query('SELECT FROM flaps WHERE team_id = $1', [off]), [])
  })
})

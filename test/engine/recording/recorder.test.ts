import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import type { Finding, Recorder } from '../../../src/engine/recording/finding.ts'
import { recordBatch } from '../../../src/engine/recording/record-batch.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { inTransaction } from '../../../src/postgres/database.ts'
import { newestChecks } from '../../../src/store/history/history.ts'
import { leaveProbers } from '../../../src/store/probing/memberships.ts'
import { openTestDatabase, someoneWaits, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { addProber } from '../../support/records/probing.ts'
import { addServer } from '../../support/records/servers.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const A_DAY_MS = 86_400_000
const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')

describe('the recorder', () => {
  let database: TestDatabase
  let recorder: Recorder
  let teamId: number
  let made = 0
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
  })
  after(async () => {
    await recorder.close()
    await database.close()
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows

  const createMonitor = (state: NewMonitor['state'] = {}) =>
    addMonitor(database.db, { team_id: teamId, name: `m${++made}`, state })

  let lastMs = Date.now()
  const finding = (
    monitor: { id: number; revision: number },
    result: CheckResult | null,
    changes: Partial<Finding> = {},
  ): Finding => ({
    monitorId: monitor.id,
    revision: monitor.revision,
    checkedAt: new Date(++lastMs),
    region: null,
    result,
    heartbeat: null,
    ping: null,
    ...changes,
  })

  const incidentsOf = (id: number) =>
    query(
      "SELECT started_at, resolved_at, cause FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id",
      [id],
    )
  const eventsOf = async (id: number) =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id", [id])
    ).map(({ event }) => event)
  const stateOf = async (id: number) =>
    (await query('SELECT status, last_checked_at FROM monitor_state WHERE monitor_id = $1', [id]))[0]

  it('writes nothing where the transaction did not begin', async () => {
    const monitor = await createMonitor()
    const client = await database.db.pipelined.connect()
    const begun = Promise.reject(new Error('no transaction'))
    begun.catch(() => {})
    const found = [finding(monitor, UP)]
    await assert.rejects(
      recordBatch(client, found, createKnownWindows(), { begun, again: false }),
      /no transaction/,
    )
    client.release()
    const [checks] = await query('SELECT count(*) AS count FROM checks WHERE monitor_id = $1', [monitor.id])
    assert.equal(checks?.count, 0)
  })

  it('refuses what was found under a membership that has ended since, and nothing else', async () => {
    const monitor = await createMonitor()
    const [living, dead] = [await addProber(database.db), await addProber(database.db)]
    await leaveProbers(database.db, dead)
    const findings = [dead, living, null].map((membership) => finding(monitor, UP, { membership }))
    const recorded = await Promise.all(findings.map((one) => recorder.record(one)))
    assert.deepEqual(
      recorded.map(({ kind }) => kind),
      ['stale', 'recorded', 'recorded'],
    )
    const checks = await newestChecks(database.db.query, monitor.id, null, 100)
    assert.equal(checks.length, 2)
  })

  it('judges by nothing that is older than what it judged by: that is history', async () => {
    const monitor = await createMonitor()
    const living = await addProber(database.db)
    const record = async (result: CheckResult, atMs: number) => {
      const one = finding(monitor, result, { membership: living, checkedAt: new Date(atMs) })
      assert.equal((await recorder.record(one)).kind, 'recorded')
    }
    const atMs = Date.now() - 60_000
    await record(DOWN, atMs)
    await record(UP, atMs + 2_000)
    await record(DOWN, atMs + 1_000)
    assert.deepEqual(await eventsOf(monitor.id), ['monitor.down', 'monitor.recovery'])
    assert.deepEqual(await stateOf(monitor.id), { status: 'up', last_checked_at: new Date(atMs + 2_000) })
    assert.equal((await newestChecks(database.db.query, monitor.id, null, 100)).length, 3)
  })

  it('warns once of each certificate where several stand behind one name, whoever finds them', async () => {
    const monitor = await createMonitor()
    const expiresAt = new Date(Date.now() + 5 * A_DAY_MS)
    const record = async (fingerprint: string, region: string | null) => {
      const certificate = { fingerprint, expiresAt }
      const degraded: CheckResult = { ...UP, status: 'degraded', errorMessage: 'soon', certificate }
      await recorder.record(finding(monitor, degraded, { region }))
    }
    for (const region of [null, 'nyc', null, 'nyc', 'lon']) {
      await record('one', region)
      await record('two', region)
    }
    assert.deepEqual(await eventsOf(monitor.id), ['monitor.degraded', 'monitor.degraded'])
    // A process of the release before has warned of a third one.
    await query(`UPDATE monitor_state SET warned_certificate = 'three' WHERE monitor_id = $1`, [monitor.id])
    for (const fingerprint of ['three', 'one', 'three', 'two', 'four']) await record(fingerprint, null)
    assert.equal((await eventsOf(monitor.id)).length, 3)
    const [kept] = await query(
      'SELECT warned_certificate AS last, warned_certificates AS known FROM monitor_state WHERE monitor_id = $1',
      [monitor.id],
    )
    assert.equal(kept?.last, 'four')
    assert.deepEqual(
      (kept?.known as { fingerprint: string }[] | undefined)?.map(({ fingerprint }) => fingerprint),
      ['one', 'two', 'three', 'four'],
    )
  })

  it('takes from afar what comes late or twice: nothing is written twice, and only news is judged', async () => {
    const monitor = await createMonitor()
    const ended = await addProber(database.db, { region: 'nyc' })
    await leaveProbers(database.db, ended)
    // Ticks of a minute, the last of which has just begun.
    const lastTick = Math.floor(Date.now() / 60_000) * 60_000
    const tick = (back: number) => lastTick - back * 60_000
    const from = (back: number) => ({
      from: new Date(tick(back)),
      until: new Date(tick(back - 1)),
      region: 'nyc',
      hasTurn: true,
      askedAtMs: 0,
    })
    const late = (back: number, afterMs: number, result: CheckResult) =>
      finding(monitor, result, {
        membership: ended,
        region: 'nyc',
        checkedAt: new Date(tick(back) + afterMs),
        tick: from(back),
      })
    const record = async (one: Finding) => (await recorder.record(one)).kind

    assert.equal(await record(late(5, 10, DOWN)), 'recorded')
    assert.equal(await record(late(5, 10, DOWN)), 'recorded')
    assert.equal((await incidentsOf(monitor.id)).length, 1)
    // Others have taken over.
    assert.equal(await record(finding(monitor, UP, { checkedAt: new Date(tick(3) + 10) })), 'recorded')
    assert.equal(await record(late(3, 20, DOWN)), 'stale')
    assert.equal(await record(late(4, 10, DOWN)), 'recorded')
    assert.equal(await record(late(2, 10, UP)), 'recorded')
    const [incident, ...more] = await incidentsOf(monitor.id)
    assert.deepEqual([incident.resolved_at, more], [new Date(tick(3) + 10), []])
    assert.deepEqual(await eventsOf(monitor.id), ['monitor.down', 'monitor.recovery'])
    assert.deepEqual(await stateOf(monitor.id), { status: 'up', last_checked_at: new Date(tick(2) + 10) })
    const checks = await newestChecks(database.db.query, monitor.id, null, 100)
    assert.deepEqual(
      checks.map(({ status, checkedAt, region }) => [status, checkedAt.getTime(), region]),
      [
        ['up', tick(2) + 10, 'nyc'],
        ['up', tick(3) + 10, null],
        ['down', tick(4) + 10, 'nyc'],
        ['down', tick(5) + 10, 'nyc'],
      ],
    )
  })

  it('takes from afar one check of a tick, and one more when somebody asked for it', async () => {
    const monitor = await createMonitor()
    const living = await addProber(database.db, { region: 'nyc' })
    const beganMs = Math.floor(Date.now() / 60_000) * 60_000 - 60_000
    const found = (
      afterMs: number,
      result: CheckResult,
      changes: Partial<NonNullable<Finding['tick']>> = {},
    ) => {
      const tick = { from: new Date(beganMs), until: new Date(beganMs + 60_000), region: 'nyc' }
      return finding(monitor, result, {
        membership: living,
        region: 'nyc',
        checkedAt: new Date(beganMs + afterMs),
        tick: { ...tick, hasTurn: true, askedAtMs: 0, ...changes },
      })
    }
    const record = async (...all: Finding[]) => {
      const recorded = await Promise.all(all.map((one) => recorder.record(one)))
      return recorded.map(({ kind, why }) => (why ? `${kind}: ${why}` : kind))
    }

    // Together, in one transaction, and then alone.
    const PENDING = resultWithout('pending', 'no name server')
    const CHECKED = 'surplus: its tick was checked already'
    const first = [found(1_000, PENDING), found(10_000, UP), found(20_000, DOWN)]
    assert.deepEqual(await record(...first), ['recorded', 'recorded', CHECKED])
    assert.deepEqual(await record(found(30_000, DOWN)), [CHECKED])
    assert.deepEqual(await record(found(10_000, UP)), ['recorded'], 'the same again is no other one')
    assert.deepEqual(await incidentsOf(monitor.id), [])
    const askedAtMs = beganMs + 30_000
    const asked = [found(33_000, DOWN, { askedAtMs }), found(34_000, UP, { askedAtMs })]
    assert.deepEqual(await record(...asked), ['recorded', CHECKED])
    assert.deepEqual(await record(found(40_000, PENDING, { hasTurn: false })), [
      'surplus: its tick is that of another region',
    ])
    assert.deepEqual(await eventsOf(monitor.id), ['monitor.down'])
    assert.equal((await newestChecks(database.db.query, monitor.id, null, 100)).length, 3)
  })

  it('writes the check, the state, the incident and its deliveries together', async () => {
    const monitor = await createMonitor()
    const findings = [UP, DOWN, DOWN, UP].map((result) => finding(monitor, result))
    for (const one of findings) assert.equal((await recorder.record(one)).kind, 'recorded')
    const checks = await newestChecks(database.db.query, monitor.id, null, 100)
    assert.deepEqual(
      checks.map(({ status, checkedAt }) => [status, checkedAt]),
      findings.map(({ result, checkedAt }) => [result?.status, checkedAt]).reverse(),
    )
    assert.deepEqual(await incidentsOf(monitor.id), [
      { started_at: findings[1]?.checkedAt, resolved_at: findings[3]?.checkedAt, cause: DOWN.errorMessage },
    ])
    assert.deepEqual(await eventsOf(monitor.id), ['monitor.down', 'monitor.recovery'])
    assert.deepEqual(await stateOf(monitor.id), { status: 'up', last_checked_at: findings[3]?.checkedAt })
  })

  it('names in the alert the server that the target is on, if that is down and of the team', async () => {
    const { db } = database
    const down = (host_name: string) => ({ status: 'down' as const, machine: JSON.stringify({ host_name }) })
    const others = { name: 'Other', state: down('web-7.example.com') }
    await addServer(db, { ...others, team_id: await addTeam(db) })
    await addServer(db, { ...others, team_id: teamId, is_active: false })
    await addServer(db, { name: 'Web 7', team_id: teamId, state: down('web-7') })
    await addServer(db, { ...others, team_id: teamId, state: { ...others.state, status: 'up' } })
    const monitors = await Promise.all(
      ['https://web-7.example.com/', 'https://web-8.example.com/'].map((url) =>
        addMonitor(db, { team_id: teamId, name: url, url }),
      ),
    )
    for (const monitor of monitors) await recorder.record(finding(monitor, DOWN))
    const alerts = await query(
      `SELECT alert ->> 'server' AS server FROM deliveries WHERE kind = 'monitor' AND subject_id = ANY($1) ORDER BY id`,
      [monitors.map(({ id }) => id)],
    )
    assert.deepEqual(alerts, [{ server: 'Web 7' }, { server: null }])
  })

  it('notes since when a monitor has its status', async () => {
    const monitor = await createMonitor()
    const sinces: Date[] = []
    const findings = [UP, UP, DOWN, DOWN, resultWithout('pending', 'no name server answers'), UP]
    const given = findings.map((result) => finding(monitor, result))
    for (const one of given) {
      await recorder.record(one)
      const [state] = await query('SELECT status_since FROM monitor_state WHERE monitor_id = $1', [
        monitor.id,
      ])
      sinces.push(state.status_since)
    }
    const at = given.map(({ checkedAt }) => checkedAt)
    assert.deepEqual(sinces, [at[0], at[0], at[2], at[2], at[2], at[5]])
  })

  it('judges many findings of many monitors in the order in which they came', async () => {
    const monitors = await Promise.all(Array.from({ length: 40 }, () => createMonitor()))
    const recorded = await Promise.all(
      [DOWN, DOWN, UP, DOWN].flatMap((result) =>
        monitors.map((monitor) => recorder.record(finding(monitor, result))),
      ),
    )
    assert.ok(recorded.every(({ kind }) => kind === 'recorded'))
    for (const { id } of monitors) {
      const incidents = await incidentsOf(id)
      assert.deepEqual(
        incidents.map(({ resolved_at }) => resolved_at !== null),
        [true, false],
      )
      assert.deepEqual(await eventsOf(id), ['monitor.down', 'monitor.recovery', 'monitor.down'])
    }
  })

  it('what could not be judged is kept and changes nothing', async () => {
    const monitor = await createMonitor()
    await recorder.record(finding(monitor, DOWN))
    const pending = finding(monitor, resultWithout('pending', 'this machine was too busy to judge'))
    await recorder.record(pending)
    assert.deepEqual(await stateOf(monitor.id), { status: 'down', last_checked_at: pending.checkedAt })
    assert.equal((await incidentsOf(monitor.id))[0]?.resolved_at, null)
    assert.deepEqual(await eventsOf(monitor.id), ['monitor.down'])
  })

  it('a finding of other settings, of a paused monitor or of none is stale and leaves no trace', async () => {
    const monitor = await createMonitor()
    const stale = [
      finding({ ...monitor, revision: monitor.revision - 1 }, DOWN),
      finding({ id: 2_000_000_000, revision: 1 }, DOWN),
    ]
    for (const one of stale) assert.equal((await recorder.record(one)).kind, 'stale')
    await query('UPDATE monitor_state SET revision = NULL WHERE monitor_id = $1', [monitor.id])
    assert.equal((await recorder.record(finding(monitor, DOWN))).kind, 'stale')
    assert.deepEqual(await newestChecks(database.db.query, monitor.id, null, 100), [])
    assert.deepEqual([await incidentsOf(monitor.id), await eventsOf(monitor.id)], [[], []])
  })

  async function ping(monitor: { id: number; revision: number }, receivedAt: Date) {
    const { id: monitorId } = monitor
    const row = { monitorId, receivedAt, kind: 'success' as const, exitStatus: null, runId: null, body: null }
    return recorder.record(
      finding(monitor, UP, { revision: null, checkedAt: receivedAt, heartbeat: 'ping', ping: row }),
    )
  }

  const silence = (monitor: { id: number; revision: number }, checkedAt = new Date()) =>
    recorder.record(finding(monitor, DOWN, { checkedAt, heartbeat: 'silence' }))

  it("a ping moves the deadline; silence before it is stale by the database's clock, after it a failure", async () => {
    const monitor = await createMonitor({ heartbeat_due_at: new Date() })
    const [{ now }] = await query('SELECT clock_timestamp() AS now')
    const dueAt = new Date(now.getTime() + 60_000)
    assert.deepEqual(await ping(monitor, now), { kind: 'recorded', heartbeatDueAt: dueAt })
    const anHourOff = new Date(dueAt.getTime() + 3_600_000)
    assert.deepEqual(await silence(monitor, anHourOff), { kind: 'stale', heartbeatDueAt: dueAt })

    const missedAt = new Date(now.getTime() - 5)
    await query('UPDATE monitor_state SET heartbeat_due_at = $2 WHERE monitor_id = $1', [
      monitor.id,
      missedAt,
    ])
    const next = new Date(missedAt.getTime() + 60_000)
    assert.deepEqual(await silence(monitor, now), { kind: 'recorded', heartbeatDueAt: next })
    assert.equal((await incidentsOf(monitor.id)).length, 1)
  })

  it('silence is stale while jobs could not be heard up to the deadline', async (t) => {
    t.after(() => query('DELETE FROM scheduler_pulse'))
    const dueAt = new Date(Date.now() - 60_000)
    const monitor = await createMonitor({ heartbeat_due_at: dueAt })
    await query('INSERT INTO scheduler_pulse (alive_at) VALUES ($1)', [new Date(dueAt.getTime() - 2_001)])
    assert.equal((await silence(monitor)).kind, 'stale')
    await query('UPDATE scheduler_pulse SET alive_at = $1', [new Date(dueAt.getTime() - 2_000)])
    assert.equal((await silence(monitor)).kind, 'recorded')
  })

  it('one row that cannot be kept does not keep the others from being written', async () => {
    const [good, bad] = [await createMonitor(), await createMonitor()]
    const unkeepable: CheckResult = { ...DOWN, errorMessage: 'NUL \0' }
    const [first, second, third] = await Promise.allSettled([
      recorder.record(finding(good, DOWN)),
      recorder.record(finding(bad, unkeepable)),
      recorder.record(finding(good, UP)),
    ])
    assert.deepEqual([first?.status, second?.status, third?.status], ['fulfilled', 'rejected', 'fulfilled'])
    assert.ok(troubles.length > 0)
    assert.deepEqual(await eventsOf(good.id), ['monitor.down', 'monitor.recovery'])
    assert.deepEqual(await incidentsOf(bad.id), [])
  })

  it('a database that goes away for a moment delays findings and loses none', async () => {
    const monitor = await createMonitor()
    await recorder.record(finding(monitor, UP))
    const findings = [DOWN, DOWN, UP].map((result) => finding(monitor, result))
    troubles.length = 0
    const recorded = await inTransaction(database.db.pool, async (client) => {
      await client.query('SELECT FROM monitor_state WHERE monitor_id = $1 FOR UPDATE', [monitor.id])
      const recorded = findings.map((one) => recorder.record(one))
      await until('they are being written', () => someoneWaits(database.db))
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      await until('the recorder to notice', () => troubles.length > 0)
      return { recorded }
    })
    for (const { kind } of await Promise.all(recorded.recorded)) assert.equal(kind, 'recorded')
    assert.equal((await newestChecks(database.db.query, monitor.id, null, 100)).length, 4)
    assert.deepEqual(await eventsOf(monitor.id), ['monitor.down', 'monitor.recovery'])
  })

  it('a finding that may wait for long is written with the first that may not', async () => {
    const [patient, hasty] = [await createMonitor(), await createMonitor()]
    const outcomes = await Promise.all([
      recorder.record(finding(patient, UP, { waitsMs: A_DAY_MS })),
      recorder.record(finding(hasty, UP, { waitsMs: 1 })),
    ])
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['recorded', 'recorded'],
    )
  })

  it('closing writes what waits, and refuses what comes later', async () => {
    const monitor = await createMonitor()
    const closing = createRecorder(database.db, () => {})
    const last = closing.record(finding(monitor, UP, { waitsMs: A_DAY_MS }))
    await closing.close()
    assert.equal((await last).kind, 'recorded')
    await assert.rejects(closing.record(finding(monitor, UP)), /closed/)
  })
})

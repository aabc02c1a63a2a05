import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { unpackSample } from '../../../src/core/servers/history/sample-code.ts'
import type { MachineReport } from '../../../src/core/servers/machine-report.ts'
import type { ServerRecorder } from '../../../src/engine/servers/server-recorder.ts'
import { createServerRecorder } from '../../../src/engine/servers/server-recorder.ts'
import { inTransaction } from '../../../src/postgres/database.ts'
import { insertContacts } from '../../../src/store/alerting/attachments.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { hashServerToken } from '../../../src/store/servers/recording.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, someoneWaits, type TestDatabase } from '../../support/postgres/database.ts'
import { besideRival, openPlannedDatabase } from '../../support/postgres/rival.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { machineReport } from '../../support/records/machine-reports.ts'
import { type AddedServer, addServer, addServers, type NewServer } from '../../support/records/servers.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const MINUTE_MS = 60_000
const AT_ONCE = { is_on: true, warns_only: false, enter: 90, leave: 85, minutes: 0 }
const FULL = { 'file_system_used_percent:/': 95, 'file_system_size_bytes:/': 1_000_000_000 }
const FREE = { 'file_system_used_percent:/': 20, 'file_system_size_bytes:/': 1_000_000_000 }

describe('the recorder of servers', () => {
  let database: TestDatabase
  let recorder: ServerRecorder
  let teamId: number
  let contactId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createServerRecorder(database.db, (error) => troubles.push(error))
    teamId = await addTeam(database.db)
    contactId = (await addContacts(database.db, [{ team_id: teamId }]))[0] as number
    await query(createPartition('server_samples', new Date()))
    await query(createPartition('server_samples', new Date(Date.now() - 86_400_000)))
  })
  after(async () => {
    await recorder.close()
    await database.close()
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows
  const newServer = (columns: NewServer = {}) => addServer(database.db, { team_id: teamId, ...columns })
  const record = ({ token }: AddedServer, report: MachineReport, receivedAt = new Date()) =>
    recorder.recordReport({ tokenHash: hashServerToken(token), report, receivedAt })
  const kindOf = async (...sent: Parameters<typeof record>) => (await record(...sent)).kind
  const stateOf = async ({ id }: AddedServer) =>
    (await query('SELECT * FROM server_state WHERE server_id = $1', [id]))[0]
  const samplesOf = async ({ id }: AddedServer) =>
    (await query('SELECT at, content FROM server_samples WHERE server_id = $1 ORDER BY at', [id])).map(
      ({ at, content }) => ({ at, sample: unpackSample(content) }),
    )
  const eventsOf = async ({ id }: AddedServer) =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'server' AND subject_id = $1 ORDER BY id", [id])
    ).map(({ event }) => event)
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)

  it('keeps the sample, the state and since when it is up, with rates from the second report on', async () => {
    const server = await newServer()
    const [first, second] = [minutesAgo(2), minutesAgo(1)]
    assert.equal(await kindOf(server, machineReport({ uptime: 1_000 }), first), 'recorded')
    assert.equal(await kindOf(server, machineReport({ uptime: 1_060 }), second), 'recorded')
    const state = await stateOf(server)
    assert.deepEqual(
      [state.status, state.status_since, state.last_report_at, state.silent_at.getTime()],
      ['up', first, second, second.getTime() + 180_000],
    )
    assert.equal(state.machine.host_name, 'web-1')
    const [one, two] = await samplesOf(server)
    assert.deepEqual([one?.at, two?.at], [first, second])
    assert.deepEqual([one?.sample.load_1, one?.sample['disk_read_bytes:sda']], [0.1, undefined])
    assert.deepEqual([two?.sample['disk_read_bytes:sda'], two?.sample.cpu_percent], [1_000, 16.7])
    assert.equal(state.latest['disk_read_bytes:sda'], 1_000)
    const changes = await query(
      "SELECT at, status FROM subject_status_changes WHERE kind = 'server' AND subject_id = $1",
      [server.id],
    )
    assert.deepEqual(changes, [{ at: first, status: 'up' }])
  })

  it('keeps containers as they are told, and conditions of them where the release before does not look', async () => {
    const web = { name: 'web', image: 'x', state: 'running', health: null, restarts: 0, exit_code: 0 }
    const container = { is_on: true, warns_only: false, names: ['web'], minutes: 0 }
    const server = await newServer({ thresholds: JSON.stringify({ container }) })
    const versions: unknown[] = []
    for (const [minute, state] of ['running', 'running', 'exited', 'exited', 'running'].entries()) {
      const containers = { list: [{ ...web, state }], trouble: null }
      const hosted = { containers, units: null }
      await record(server, machineReport({ hosted, uptime: 1_000 + minute * 60 }), minutesAgo(10 - minute))
      const { hosted: kept, conditions, hosted_conditions: own, status } = await stateOf(server)
      versions.push([kept.containers.list[0].state, status, conditions.length, own.length])
    }
    assert.deepEqual(versions, [
      ['running', 'up', 0, 0],
      ['running', 'up', 0, 0],
      ['exited', 'down', 0, 1],
      ['exited', 'down', 0, 1],
      ['running', 'up', 0, 0],
    ])
    assert.deepEqual(await eventsOf(server), ['server.down', 'server.recovery'])
    const [incident] = await query("SELECT * FROM team_incidents WHERE kind = 'server' AND subject_id = $1", [
      server.id,
    ])
    assert.deepEqual([incident.about, incident.cause], ['container:web', 'container web has exited with 0'])
    // A report of another source says nothing of them.
    await record(server, machineReport({ uptime: 2_000 }), minutesAgo(1))
    const { hosted } = await stateOf(server)
    assert.deepEqual([hosted.containers.told, hosted.containers.list], ['none', [web]])
  })

  it('tells a contact once of a condition that begins, and once that it is over', async () => {
    const server = await newServer({ thresholds: JSON.stringify({ disk_space: AT_ONCE }) })
    const reports = [FULL, FULL, FREE, FREE].map((gauges, minute) =>
      machineReport({ gauges, uptime: 1_000 + minute * 60 }),
    )
    // In one batch, and the last one alone.
    const sent = reports.map((report, minute) => record(server, report, minutesAgo(10 - minute)))
    await Promise.all(sent)
    await record(server, machineReport({ gauges: FREE, uptime: 1_300 }), minutesAgo(5))
    assert.deepEqual(await eventsOf(server), ['server.down', 'server.recovery'])
    const incidents = await query("SELECT * FROM team_incidents WHERE kind = 'server' AND subject_id = $1", [
      server.id,
    ])
    assert.deepEqual(
      incidents.map(({ about, resolved_at, warns_only }) => [about, resolved_at !== null, warns_only]),
      [['disk_space:/', true, false]],
    )
    const [down, recovery] = await query(
      "SELECT * FROM deliveries WHERE kind = 'server' AND subject_id = $1 ORDER BY id",
      [server.id],
    )
    assert.deepEqual(
      [down.kind, down.team_incident_id, down.contact_id],
      ['server', incidents[0].id, contactId],
    )
    const { type, id, target, cause } = down.alert
    assert.deepEqual([type, id, target, cause], ['server', server.id, 'web-1', incidents[0].cause])
    assert.equal(recovery.alert.downSeconds, 120)
    const changes = await query(
      "SELECT status FROM subject_status_changes WHERE kind = 'server' AND subject_id = $1 ORDER BY at",
      [server.id],
    )
    assert.deepEqual(
      changes.map(({ status }) => status),
      ['down', 'up'],
    )
  })

  it('tells those attached to the server, and everybody else where none is', async () => {
    const team = await addTeam(database.db)
    const [one, two] = await addContacts(database.db, [{ team_id: team }, { team_id: team }])
    const thresholds = JSON.stringify({ disk_space: { ...AT_ONCE, warns_only: true } })
    const [chosen, every] = [
      await newServer({ team_id: team, thresholds }),
      await newServer({ team_id: team, thresholds }),
    ]
    await insertContacts(database.db.query, { kind: 'server', id: chosen.id }, [two as number])
    await Promise.all([chosen, every].map((server) => record(server, machineReport({ gauges: FULL }))))
    const told = async ({ id }: AddedServer) =>
      (
        await query(
          "SELECT contact_id, event FROM deliveries WHERE kind = 'server' AND subject_id = $1 ORDER BY contact_id",
          [id],
        )
      ).map(({ contact_id, event }) => [contact_id, event])
    assert.deepEqual(await told(chosen), [[two, 'server.degraded']])
    assert.deepEqual(await told(every), [
      [one, 'server.degraded'],
      [two, 'server.degraded'],
    ])
    assert.equal((await stateOf(every)).status, 'degraded')
  })

  it('asks for the processes while it matters, and keeps their names with the incident', async () => {
    const server = await newServer({
      thresholds: JSON.stringify({ memory: { ...AT_ONCE, enter: 10, leave: 15, minutes: 1 } }),
    })
    const gauges = { memory_total_bytes: 1e9, memory_available_bytes: 5e7 }
    const first = await record(server, machineReport({ gauges }), minutesAgo(3))
    assert.deepEqual(first, { kind: 'recorded', wantsTop: true, dueAt: null })
    const top = [{ name: 'cc1plus', cpu_percent: 99, memory_percent: 80 }]
    await record(server, machineReport({ gauges, top, uptime: 1_060 }), minutesAgo(2))
    const [incident] = await query(
      "SELECT processes FROM team_incidents WHERE kind = 'server' AND subject_id = $1",
      [server.id],
    )
    assert.deepEqual(incident.processes, top)
    const [delivery] = await query("SELECT alert FROM deliveries WHERE kind = 'server' AND subject_id = $1", [
      server.id,
    ])
    assert.deepEqual(delivery.alert.processes, ['cc1plus'])
  })

  it('answers the same report again, and writes nothing', async () => {
    const server = await newServer()
    const report = machineReport()
    const twice = await Promise.all([
      record(server, report, minutesAgo(2)),
      record(server, report, minutesAgo(2)),
    ])
    assert.deepEqual(
      twice.map(({ kind }) => kind),
      ['recorded', 'replay'],
    )
    const before = await stateOf(server)
    assert.equal(await kindOf(server, report), 'replay')
    assert.deepEqual(await stateOf(server), before)
    assert.equal((await samplesOf(server)).length, 1)
  })

  it('refuses another machine with the same token, says so, and lets it in once the first is silent', async () => {
    const server = await newServer()
    await record(server, machineReport(), minutesAgo(5))
    const other = machineReport({ machine: { machine_id: 'machine-2', host_name: 'web-2' }, uptime: 90_000 })
    assert.equal(await kindOf(server, other, minutesAgo(4)), 'other')
    const state = await stateOf(server)
    assert.deepEqual([state.machine.host_name, state.other_machine.host_name], ['web-1', 'web-2'])
    assert.equal((await samplesOf(server)).length, 1)
    assert.equal(await kindOf(server, other, minutesAgo(2)), 'recorded')
    assert.equal((await stateOf(server)).machine.host_name, 'web-2')
  })

  it('knows no server that is paused, deleted or was never there', async () => {
    const servers = [
      await newServer({ is_active: false }),
      await newServer({ deleted_at: new Date() }),
      { id: 0, teamId, token: 'b3a6f9c4-0000-4000-8000-000000000000' },
    ]
    for (const server of servers) assert.equal(await kindOf(server, machineReport()), 'unknown')
    assert.deepEqual(await samplesOf(servers[0] as AddedServer), [])
  })

  const silence = async ({ id }: AddedServer) => (await recorder.recordSilence(id)).kind

  it('tells a silence once, and its end; none before it is due', async () => {
    const server = await newServer()
    await record(server, machineReport({ uptime: 1_000 }), minutesAgo(2))
    assert.equal(await silence(server), 'stale')
    await query("UPDATE server_state SET silent_at = silent_at - interval '5 minutes' WHERE server_id = $1", [
      server.id,
    ])
    assert.equal(await silence(server), 'stale', 'the limit was raised')
    assert.ok((await stateOf(server)).silent_at > new Date())

    await query(
      `UPDATE server_state SET silent_at = silent_at - interval '5 minutes',
         last_report_at = last_report_at - interval '5 minutes' WHERE server_id = $1`,
      [server.id],
    )
    assert.equal(await silence(server), 'recorded')
    assert.equal(await silence(server), 'stale')
    assert.equal((await stateOf(server)).status, 'down')
    await record(server, machineReport({ uptime: 1_300 }))
    assert.equal((await stateOf(server)).status, 'up')
    assert.deepEqual(await eventsOf(server), ['server.down', 'server.recovery'])
  })

  it('tells no silence inside a window, and looks at it again', async () => {
    const server = await addServer(database.db)
    await record(server, machineReport(), minutesAgo(10))
    const window = oneOff(minutesAgo(1).toISOString(), minutesAgo(-60).toISOString())
    await addWindow(database.db, server.teamId, window, minutesAgo(30))
    assert.deepEqual([await silence(server), await silence(server)], ['covered', 'covered'])
    assert.deepEqual([(await stateOf(server)).status, await eventsOf(server)], ['maintenance', []])
  })

  it('tells no silence while reports could not be heard', async (t) => {
    t.after(() => query('DELETE FROM scheduler_pulse'))
    const server = await newServer()
    await record(server, machineReport(), minutesAgo(10))
    await query('INSERT INTO scheduler_pulse (alive_at) VALUES ($1)', [minutesAgo(8)])
    assert.equal(await silence(server), 'stale')
    await query('UPDATE scheduler_pulse SET alive_at = now()')
    assert.equal(await silence(server), 'recorded')
  })

  it('a database that goes away for a moment delays reports, and none is lost or kept twice', async () => {
    const server = await newServer()
    await record(server, machineReport({ uptime: 1_000 }), minutesAgo(5))
    troubles.length = 0
    const { sent } = await inTransaction(database.db.pool, async (client) => {
      await client.query('SELECT FROM server_state WHERE server_id = $1 FOR UPDATE', [server.id])
      const sent = [1, 2, 3].map((minute) =>
        record(server, machineReport({ uptime: 1_000 + minute * 60 }), minutesAgo(5 - minute)),
      )
      await until('they are being written', () => someoneWaits(database.db))
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      await until('the recorder to notice', () => troubles.length > 0)
      return { sent }
    })
    for (const { kind } of await Promise.all(sent)) assert.equal(kind, 'recorded')
    assert.equal((await samplesOf(server)).length, 4)
  })

  it('another transaction that changes the states meanwhile delays reports, and all are kept', async (t) => {
    const { db, close } = await openPlannedDatabase('by nested loops over indexes')
    const own = createServerRecorder(db, (error) => troubles.push(error))
    t.after(async () => {
      await own.close()
      await close()
    })
    await db.pool.query(createPartition('server_samples', new Date()))
    const servers = await addServers(db, 10)
    const ids = servers.map(({ id }) => id)
    const { result, waited } = await besideRival(
      db,
      (client) => client.query('UPDATE server_state SET silent_at = now() WHERE server_id = ANY($1)', [ids]),
      () =>
        Promise.all(
          servers.map(({ token }) =>
            own.recordReport({
              tokenHash: hashServerToken(token),
              report: machineReport(),
              receivedAt: new Date(),
            }),
          ),
        ),
    )
    assert.ok(waited)
    assert.deepEqual(
      result.map(({ kind }) => kind),
      servers.map(() => 'recorded'),
    )
  })

  it('one report that cannot be kept does not keep the others from being written', async () => {
    const [good, bad] = [await newServer(), await newServer()]
    const [first, second] = await Promise.allSettled([
      record(good, machineReport()),
      record(bad, machineReport({ machine: { host_name: 'NUL \0' } })),
    ])
    assert.deepEqual([first?.status, second?.status], ['fulfilled', 'rejected'])
    assert.equal((await samplesOf(good)).length, 1)
  })

  it('has no index on what changes with a report, so that its row stays on its page', async () => {
    const indexes = await query("SELECT indexdef FROM pg_indexes WHERE tablename = 'server_state'")
    assert.deepEqual(
      indexes.map(({ indexdef }) => indexdef.replace(/.* USING /, '')),
      ['btree (server_id)'],
    )
  })
})

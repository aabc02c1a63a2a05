import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { HOME_LOOKS } from '../../../src/core/sites/home-page.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { executeNextStep } from '../../../src/engine/on-call/execute-step.ts'
import { createServerRecorder } from '../../../src/engine/servers/server-recorder.ts'
import { createSiteRecorder } from '../../../src/engine/sites/site-recorder.ts'
import { acknowledge } from '../../../src/operations/on-call/acknowledge.ts'
import { replaceContacts } from '../../../src/store/alerting/attachments.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { choosePolicy, insertPolicy } from '../../../src/store/on-call/policies.ts'
import { hashServerToken } from '../../../src/store/servers/recording.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { machineReport } from '../../support/records/machine-reports.ts'
import { addServer } from '../../support/records/servers.ts'
import { addSite } from '../../support/records/sites.ts'
import { addTeam } from '../../support/records/teams.ts'

const DOWN = resultWithout('down', 'HTTP 503')
const diskOf = (warns_only: boolean) =>
  JSON.stringify({ disk_space: { is_on: true, warns_only, enter: 90, leave: 85, minutes: 0 } })
const FULL = { 'file_system_used_percent:/': 95, 'file_system_size_bytes:/': 1_000_000_000 }
const FREE = { 'file_system_used_percent:/': 20, 'file_system_size_bytes:/': 1_000_000_000 }

describe('incidents of servers and sites', () => {
  let database: TestDatabase
  let servers: ReturnType<typeof createServerRecorder>
  let sites: ReturnType<typeof createSiteRecorder>
  let teamId: number
  let policy: number
  let first: number
  let second: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    const { db } = database
    servers = createServerRecorder(db, (error) => troubles.push(error))
    sites = createSiteRecorder(db, (error) => troubles.push(error))
    teamId = await addTeam(db, { reminder_minutes: 5 })
    const ids = await addContacts(db, [
      { team_id: teamId, name: 'Ada' },
      { team_id: teamId, name: 'Bo' },
    ])
    first = ids[0] as number
    second = ids[1] as number
    await db.pool.query(createPartition('server_samples', new Date()))
    policy = await insertPolicy(db.query, teamId, {
      ...{ name: 'Primary', repeats: 0, repeat_every_minutes: 60, tags: [] },
      steps: [{ after_minutes: 0, contact_ids: [second], schedule_id: null }],
    })
  })
  after(async () => {
    assert.deepEqual(troubles, [])
    await servers.close()
    await sites.close()
    await database.close()
  })

  const windows = createKnownWindows()
  const execute = async () => {
    while (await executeNextStep(database.db, windows));
  }
  const toldOf = async (kind: 'server' | 'site', id: number) =>
    (
      await database.db.pool.query<{ said: string }>(
        `SELECT event || ' ' || contact_name || CASE WHEN step > 0 THEN ' by a step' ELSE '' END AS said
         FROM deliveries WHERE kind = $1 AND subject_id = $2 ORDER BY id`,
        [kind, id],
      )
    ).rows.map(({ said }) => said)
  const waiting = async () =>
    (await database.db.pool.query(`SELECT FROM escalation_steps WHERE state = 'waiting'`)).rowCount
  const lastOf = async (kind: 'site') =>
    (
      await database.db.pool.query<{ id: number }>(
        'SELECT max(id) AS id FROM team_incidents WHERE kind = $1',
        [kind],
      )
    ).rows[0]?.id ?? 0

  it('of servers are escalated until they recover, warnings are not', async () => {
    const { db } = database
    const add = (warnsOnly: boolean) => addServer(db, { team_id: teamId, thresholds: diskOf(warnsOnly) })
    const [down, warned] = [await add(false), await add(true)]
    const report = ({ token }: { token: string }, gauges: object, uptime: number) =>
      servers.recordReport({
        tokenHash: hashServerToken(token),
        report: machineReport({ gauges, uptime } as never),
        receivedAt: new Date(),
      })
    for (const server of [down, warned]) {
      await replaceContacts(db.query, { kind: 'server', id: server.id }, [first])
      await choosePolicy(db.query, teamId, { kind: 'server', id: server.id }, policy)
      await report(server, FULL, 1_000)
    }
    assert.equal(await waiting(), 2, 'a step and a reminder, of the outage alone')
    await execute()
    await report(down, FREE, 1_060)
    assert.deepEqual(await toldOf('server', down.id), [
      ...['server.down Ada', 'server.down Bo by a step', 'server.recovery Ada', 'server.recovery Bo'],
    ])
    assert.deepEqual(await toldOf('server', warned.id), ['server.degraded Ada'])
    assert.equal(await waiting(), 0)
  })

  it('of sites are escalated until someone acknowledges', async () => {
    const { db } = database
    const { id } = await addSite(db, { team_id: teamId })
    await choosePolicy(db.query, teamId, { kind: 'site', id }, policy)
    const look = (looks: (typeof DOWN)[]) =>
      sites.recordLook({
        ...{ siteId: id, revision: 0, membership: null, lookedAt: new Date() },
        found: { area: 'home_page', looks },
      })
    await look(Array.from({ length: HOME_LOOKS }, () => DOWN))
    assert.equal(await waiting(), 2)
    const ref = { kind: 'site', id: await lastOf('site') } as const
    await acknowledge(database, teamId, ref, { contactId: first }, { note: 'on it' })
    await execute()
    await look([UP])
    assert.deepEqual(await toldOf('site', id), [
      ...['site.down Ada', 'site.down Bo', 'site.recovery Ada', 'site.recovery Bo'],
    ])
    const { rows } = await db.pool.query<{ alert: { acknowledged: { by: string; note: string } } }>(
      `SELECT alert FROM deliveries WHERE kind = 'site' AND subject_id = $1 AND event = 'site.recovery'`,
      [id],
    )
    assert.deepEqual(
      rows.map(({ alert }) => [alert.acknowledged.by, alert.acknowledged.note]),
      [
        ['Ada', 'on it'],
        ['Ada', 'on it'],
      ],
    )
  })
})

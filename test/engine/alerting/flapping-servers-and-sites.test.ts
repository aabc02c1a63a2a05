import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { HOME_LOOKS } from '../../../src/core/sites/home-page.ts'
import { endNextFlap } from '../../../src/engine/alerting/end-flap.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { createServerRecorder } from '../../../src/engine/servers/server-recorder.ts'
import { createSiteRecorder } from '../../../src/engine/sites/site-recorder.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { NEWS_CHANNEL } from '../../../src/store/news.ts'
import { hashServerToken } from '../../../src/store/servers/recording.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { machineReport } from '../../support/records/machine-reports.ts'
import { addServer } from '../../support/records/servers.ts'
import { addSite } from '../../support/records/sites.ts'
import { addTeam } from '../../support/records/teams.ts'

const DOWN = resultWithout('down', 'HTTP 503')
const BEGIN_MS = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000
const at = (second: number) => new Date(BEGIN_MS + second * 1_000)

const diskOf = (warns_only: boolean) =>
  JSON.stringify({ disk_space: { is_on: true, warns_only, enter: 90, leave: 85, minutes: 0 } })
const diskAt = (percent: number) => ({
  ...{ 'file_system_used_percent:/': percent, 'file_system_size_bytes:/': 1_000_000_000 },
  ...{ 'file_system_used_percent:/var': 95, 'file_system_size_bytes:/var': 1_000_000_000 },
})

describe('servers and sites that flap', () => {
  let database: TestDatabase
  let servers: ReturnType<typeof createServerRecorder>
  let sites: ReturnType<typeof createSiteRecorder>
  let teamId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    const { db } = database
    servers = createServerRecorder(db, (error) => troubles.push(error))
    sites = createSiteRecorder(db, (error) => troubles.push(error))
    teamId = await addTeam(db, { flap_changes: 3, flap_minutes: 10, reminder_minutes: 10 })
    await addContacts(db, [{ team_id: teamId }])
    for (const day of [at(0), new Date()]) await db.pool.query(createPartition('server_samples', day))
  })
  after(async () => {
    assert.deepEqual(troubles, [])
    await servers.close()
    await sites.close()
    await database.close()
  })

  const toldOf = async (kind: 'server' | 'site', id: number) =>
    (
      await database.db.pool.query<{ said: string }>(
        `SELECT concat_ws(' ', event, alert -> 'flapping' ->> 'changes') AS said
         FROM deliveries WHERE kind = $1 AND subject_id = $2 ORDER BY id`,
        [kind, id],
      )
    ).rows.map(({ said }) => said)
  const stepsOf = async (kind: 'server' | 'site', id: number) =>
    (
      await database.db.pool.query<{ state: string }>(
        `SELECT s.state FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id
         JOIN team_incidents i ON i.kind = e.kind AND i.id = e.team_incident_id
         WHERE i.kind = $1 AND i.subject_id = $2 AND i.about NOT LIKE '%:/var' ORDER BY s.id`,
        [kind, id],
      )
    ).rows.map(({ state }) => state)
  async function look() {
    await database.db.pool.query('UPDATE flaps SET look_at = now() WHERE ended_at IS NULL')
    await endNextFlap(database.db, createKnownWindows())
  }

  for (const warnsOnly of [false, true]) {
    const trouble = warnsOnly ? 'server.degraded' : 'server.down'
    it(`are told once of a threshold that ${warnsOnly ? 'warns' : 'alerts'}, and others of the server go on`, async () => {
      const server = await addServer(database.db, { team_id: teamId, thresholds: diskOf(warnsOnly) })
      const report = (percent: number, second: number) =>
        servers.recordReport({
          tokenHash: hashServerToken(server.token),
          report: machineReport({ gauges: diskAt(percent), uptime: 1_000 + second } as never),
          receivedAt: at(second),
        })
      for (const [percent, second] of [
        [95, 0],
        [20, 60],
        [95, 120],
        [20, 180],
        [95, 240],
        [20, 300],
        [95, 360],
      ] as const)
        await report(percent, second)
      const before = await toldOf('server', server.id)
      assert.deepEqual(before.slice().sort(), [
        ...[trouble, trouble, trouble, 'server.flapping 4', 'server.recovery'].sort(),
      ])
      await look()
      assert.deepEqual((await toldOf('server', server.id)).length, 5, 'nothing was heard since')
      await report(95, 3_000)
      await look()
      assert.deepEqual((await toldOf('server', server.id)).slice(5), [`${trouble} 7`])
      const steps = warnsOnly ? [] : ['ended', 'ended', 'waiting']
      assert.deepEqual(await stepsOf('server', server.id), steps)
      await report(20, 3_060)
      assert.deepEqual((await toldOf('server', server.id)).slice(6), ['server.recovery'])
    })
  }

  it('are told once of the home page of a site, and once when it is steady', async () => {
    const { id } = await addSite(database.db, { team_id: teamId })
    const see = (result: typeof DOWN | typeof UP, second: number) =>
      sites.recordLook({
        ...{ siteId: id, revision: 0, membership: null, lookedAt: at(second) },
        found: {
          area: 'home_page',
          looks: result === UP ? [UP] : Array.from({ length: HOME_LOOKS }, () => DOWN),
        },
      })
    for (let step = 0; step < 7; step++) await see(step % 2 === 0 ? DOWN : UP, step * 60)
    await see(UP, 420)
    const told = ['site.down', 'site.recovery', 'site.down', 'site.flapping 4']
    assert.deepEqual(await toldOf('site', id), told)
    await look()
    assert.deepEqual(await toldOf('site', id), told, 'nobody has looked since')
    await see(UP, 3_000)
    const listener = await database.db.pool.connect()
    const heard: string[] = []
    listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '').event))
    await listener.query(`LISTEN ${NEWS_CHANNEL}`)
    await look()
    // News of before comes before this answer.
    await listener.query('SELECT 1')
    listener.release(true)
    assert.ok(heard.includes('sites'), `open screens are told that it is over: ${heard}`)
    assert.deepEqual((await toldOf('site', id)).slice(4), ['site.recovery 8'])
    await see(DOWN, 3_060)
    assert.deepEqual((await toldOf('site', id)).slice(5), ['site.down'])
    assert.deepEqual(await stepsOf('site', id), ['ended', 'ended', 'waiting'])
  })
})

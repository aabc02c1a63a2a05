import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PoolClient } from 'pg'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { HOME_LOOKS } from '../../../src/core/sites/home-page.ts'
import { createServerRecorder } from '../../../src/engine/servers/server-recorder.ts'
import { createSiteRecorder } from '../../../src/engine/sites/site-recorder.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { NEWS_CHANNEL } from '../../../src/store/news.ts'
import { hashServerToken } from '../../../src/store/servers/recording.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { machineReport } from '../../support/records/machine-reports.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addServer } from '../../support/records/servers.ts'
import { addSite } from '../../support/records/sites.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const DOWN = resultWithout('down', 'HTTP 503')
const AT_ONCE = { is_on: true, warns_only: false, enter: 90, leave: 85, minutes: 0 }

/** Dashboards show the incidents of a subject that was in trouble before as soon as those of one that was well. */
describe('an incident that begins or ends while its subject stays in trouble is news', () => {
  let database: TestDatabase
  let listener: PoolClient
  let teamId: number
  const heard: { event: string; data: { id: number; status: string } }[] = []
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
    await database.db.pool.query(createPartition('server_samples', new Date()))
    listener = await database.db.pool.connect()
    listener.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '')))
    await listener.query(`LISTEN ${NEWS_CHANNEL}`)
  })
  after(async () => {
    listener.release(true)
    await database.close()
    assert.deepEqual(troubles, [])
  })

  /** The news of a subject since the last call, once those of `change` have come. */
  async function newsOf(event: 'server' | 'site', id: number, change: () => Promise<unknown>) {
    heard.length = 0
    await change()
    // Announced later, and heard in order.
    await database.db.pool.query(`SELECT pg_notify('${NEWS_CHANNEL}', '{"event":"end"}')`)
    await until('the news', () => heard.some((news) => news.event === 'end'))
    return heard.filter((news) => news.event === event && news.data.id === id).map(({ data }) => data.status)
  }

  it('of a server', async (t) => {
    const recorder = createServerRecorder(database.db, (error) => troubles.push(error))
    t.after(() => recorder.close())
    const thresholds = JSON.stringify({ disk_space: AT_ONCE })
    const server = await addServer(database.db, { team_id: teamId, thresholds })
    let uptime = 1_000
    const report = (...used: [root: number, data: number]) => {
      const [root, data] = used
      uptime += 60
      const gauges = {
        ...{ 'file_system_used_percent:/': root, 'file_system_size_bytes:/': 1_000_000_000 },
        ...{ 'file_system_used_percent:/data': data, 'file_system_size_bytes:/data': 1_000_000_000 },
      }
      return recorder.recordReport({
        tokenHash: hashServerToken(server.token),
        report: machineReport({ gauges, uptime }),
        receivedAt: new Date(),
      })
    }
    const news = (root: number, data: number) => newsOf('server', server.id, () => report(root, data))
    assert.deepEqual(await news(95, 20), ['down'], 'one is full')
    assert.deepEqual(await news(96, 20), [], 'no incident begins or ends')
    assert.deepEqual(await news(96, 97), ['down'], 'another one is full')
    assert.deepEqual(await news(96, 20), ['down'], 'that one is over')
    assert.deepEqual(await news(20, 20), ['up'])
  })

  it('of a site', async (t) => {
    const recorder = createSiteRecorder(database.db, (error) => troubles.push(error))
    t.after(() => recorder.close())
    const { id } = await addSite(database.db, { team_id: teamId })
    const look = (...looks: [typeof DOWN, ...(typeof DOWN)[]]) =>
      recorder.recordLook({
        ...{ siteId: id, revision: 0, membership: null, lookedAt: new Date() },
        found: { area: 'home_page' as const, looks },
      })
    const down = () => look(...(Array.from({ length: HOME_LOOKS }, () => DOWN) as [typeof DOWN]))
    const snoozed = (until: Date | null) =>
      changeRows(database.db, 'site_areas', { site_id: id, area: 'home_page' }, { snoozed_until: until })
    await changeRows(database.db, 'site_areas', { site_id: id, area: 'dns' }, { status: 'down' })
    await snoozed(new Date(Date.now() + 60_000))
    assert.deepEqual(await newsOf('site', id, down), ['down'], 'down, and nobody is told')
    assert.deepEqual(await newsOf('site', id, down), [], 'no incident begins or ends')
    await snoozed(null)
    assert.deepEqual(await newsOf('site', id, down), ['down'], 'the snooze is over, and it is told')
    assert.deepEqual(
      await newsOf('site', id, () => look(UP)),
      ['down'],
      'it is over, and the other area is not',
    )
  })
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Monitor } from '../../src/core/monitors/monitor.ts'
import { SiteArea } from '../../src/core/sites/area.ts'
import { MAX_HOME_INTERVAL_SECONDS } from '../../src/core/sites/site.ts'
import { addWindow, keepSpan } from '../support/maintenance/stored-windows.ts'
import { oneOff } from '../support/maintenance/windows.ts'
import { addSite } from '../support/records/sites.ts'
import { suiteScope } from '../support/scope.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { documentedAsk } from '../support/services/documented.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000

describe('maintenance', { concurrency: true }, () => {
  const scope = suiteScope()
  let service: AskedService
  before(async () => {
    service = await wholeService()
  })

  /** A team whose monitors are all under a window for an hour; `end` ends it now and returns when that was. */
  async function teamInWindow() {
    const client = await teamClient(service)
    const { db } = service.services
    const start = new Date(Date.now() - HOUR_MS)
    const window = oneOff(start.toISOString(), new Date(Date.now() + HOUR_MS).toISOString())
    const windowId = await addWindow(db, client.teamId, window, start)
    return {
      client,
      async end(): Promise<string> {
        const now = new Date()
        await keepSpan(db, client.teamId, windowId, [start, now], { endedBy: 'person' })
        return now.toISOString()
      },
    }
  }

  const ping = ({ heartbeat_url }: Monitor, suffix = '') =>
    documentedAsk(`${service.url}${new URL(heartbeat_url ?? '').pathname}${suffix}`, {})

  async function assertToldSince(client: TeamClient, { id }: Monitor, endedAt: string) {
    const { open_incident } = await client.untilStatus(id, 'down')
    assert.equal(new Date(open_incident?.started_at ?? '').toISOString(), endedAt)
    assert.deepEqual(
      (await client.checks(id)).map(({ status }) => status),
      ['down', 'maintenance'],
    )
    assert.equal((await client.incidents(id)).length, 1)
  }

  it('ends with a check of what fails, whatever its interval, which is told then', async () => {
    const { client, end } = await teamInWindow()
    const target = await startSwitchTarget(scope, 503)
    const monitor = await client.monitor({ url: target.url, ...SELDOM })
    const failing = await client.untilStatus(monitor.id, 'maintenance')
    assert.equal(failing.open_incident, null)
    await assertToldSince(client, monitor, await end())
  })

  it('ends with a look at what fails of a site, whatever its interval', async () => {
    const { client, end } = await teamInWindow()
    const { db } = service.services
    const target = await startSwitchTarget(scope, 503)
    const areas_off = SiteArea.exclude(['home_page']).options
    const seldom = { home_interval_seconds: MAX_HOME_INTERVAL_SECONDS, areas_off }
    const { id } = await addSite(db, { team_id: client.teamId, url: target.url, ...seldom })
    const read = async (text: string) => (await db.pool.query(text, [id])).rows
    const isNow = async (status: string) => {
      const areas = await read(`SELECT status FROM site_areas WHERE site_id = $1 AND area = 'home_page'`)
      return areas[0].status === status
    }
    await until('it fails as planned', () => isNow('maintenance'))
    assert.deepEqual(await read("SELECT id FROM team_incidents WHERE kind = 'site' AND subject_id = $1"), [])
    const endedAt = await end()
    await until('it is down', () => isNow('down'))
    const incidents = await read(
      "SELECT started_at FROM team_incidents WHERE kind = 'site' AND subject_id = $1",
    )
    assert.deepEqual(incidents, [{ started_at: new Date(endedAt) }])
  })

  it('ends with a word about a job that failed in it, and no check', async () => {
    const { client, end } = await teamInWindow()
    const monitor = await client.monitor({ type: 'heartbeat', ...SELDOM })
    await ping(monitor, '/fail')
    await client.untilStatus(monitor.id, 'maintenance')
    await assertToldSince(client, monitor, await end())
  })

  it('does not count against a silent job, which is late once its interval is over after the end', async () => {
    const { client, end } = await teamInWindow()
    const watched = await teamClient(service)
    const [inside, outside] = [
      await client.monitor({ type: 'heartbeat' }),
      await watched.monitor({ type: 'heartbeat' }),
    ]
    await ping(inside)
    await ping(outside)
    await watched.untilStatus(outside.id, 'down')
    assert.equal((await client.show(inside.id)).status, 'up')
    const endedAt = await end()
    const { open_incident } = await client.untilStatus(inside.id, 'down')
    assert.ok(Date.parse(open_incident?.started_at ?? '') >= Date.parse(endedAt) + 1_000)
  })
})

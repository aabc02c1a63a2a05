// npm test leaves this out: it records looks before, in and after windows, with loops that follow their ends (seconds of a core).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../../src/core/monitors/check.ts'
import type { SiteArea } from '../../../../src/core/sites/area.ts'
import { HOME_LOOKS } from '../../../../src/core/sites/home-page.ts'
import { createSiteEndFollowing } from '../../../../src/engine/maintenance/follow-site-ends.ts'
import { createKnownWindows } from '../../../../src/engine/maintenance/known-windows.ts'
import type { SiteRecorder } from '../../../../src/engine/sites/site-finding.ts'
import { createSiteRecorder } from '../../../../src/engine/sites/site-recorder.ts'
import { SITES_CHANNEL } from '../../../../src/store/sites/due-areas.ts'
import { addWindow } from '../../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../../support/postgres/database.ts'
import { addContacts } from '../../../support/records/alerting.ts'
import { changeRows, type Given } from '../../../support/records/rows.ts'
import { addSite } from '../../../support/records/sites.ts'
import { addTeam } from '../../../support/records/teams.ts'
import { until } from '../../../support/until.ts'

const DOWN = resultWithout('down', 'HTTP 503')
const UP: CheckResult = { ...DOWN, status: 'up', errorMessage: null, responseTimeMs: 20, httpStatusCode: 200 }
const TOMORROW = new Date(Date.now() + 86_400_000)
const BEGAN_MS = Date.now() - 3_600_000
/** Minutes from an hour ago. The window lasts from 0 to 10. */
const at = (minute: number) => new Date(BEGAN_MS + minute * 60_000)

describe('a site under maintenance', () => {
  let database: TestDatabase
  let recorder: SiteRecorder
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createSiteRecorder(database.db, (error) => troubles.push(error))
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  // The leftovers of one test would be followed in the next.
  afterEach(() => query(`UPDATE site_areas SET status = 'up', snoozed_until = NULL`))

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows

  async function newSite(columns: Given<'sites'> = {}) {
    const team_id = await addTeam(database.db)
    await addContacts(database.db, [{ team_id }])
    const { id } = await addSite(database.db, { team_id, ...columns })
    return { id, team_id }
  }

  /** A site that a window covers, beside another one of its team. */
  async function newCovered() {
    const { id, team_id } = await newSite()
    const other = await addSite(database.db, { team_id })
    const window = oneOff(at(0).toISOString(), at(10).toISOString())
    await addWindow(database.db, team_id, { ...window, all_subjects: false, site_ids: [id] }, new Date(0))
    return { id, team_id, otherId: other.id }
  }

  async function look(siteId: number, minute: number, result: CheckResult) {
    const looks = result === UP ? [UP] : Array.from({ length: HOME_LOOKS }, () => result)
    const found = { area: 'home_page' as const, looks }
    const finding = { siteId, revision: 0, membership: null, lookedAt: at(minute), found }
    assert.equal((await recorder.recordLook(finding)).kind, 'recorded')
  }

  const areaOf = async (siteId: number, area: SiteArea = 'home_page') =>
    (await query('SELECT * FROM site_areas WHERE site_id = $1 AND area = $2', [siteId, area]))[0]
  const statusOf = async (siteId: number) => (await areaOf(siteId)).status
  const toldOf = async (siteId: number) =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'site' AND subject_id = $1 ORDER BY id", [
        siteId,
      ])
    ).map(({ event }) => event)
  const incidentsOf = async (siteId: number) =>
    query(
      "SELECT started_at, resolved_at FROM team_incidents WHERE kind = 'site' AND subject_id = $1 ORDER BY id",
      [siteId],
    )

  it('opens no incident and tells nothing, which another site does', async () => {
    const { id, otherId } = await newCovered()
    for (const siteId of [id, otherId]) await look(siteId, 5, DOWN)
    assert.deepEqual([await statusOf(id), await statusOf(otherId)], ['maintenance', 'down'])
    assert.deepEqual([await incidentsOf(id), await toldOf(id)], [[], []])
    assert.deepEqual(await toldOf(otherId), ['site.down'])
    await look(id, 6, UP)
    assert.deepEqual(
      [await statusOf(id), await toldOf(id)],
      ['up', []],
      'never told down, never told recovered',
    )
  })

  it('tells inside the window that what was told down is over', async () => {
    const { id } = await newCovered()
    await look(id, -5, DOWN)
    await look(id, 3, DOWN)
    assert.deepEqual([await statusOf(id), await toldOf(id)], ['maintenance', ['site.down']])
    await look(id, 6, UP)
    assert.deepEqual(await toldOf(id), ['site.down', 'site.recovery'])
    assert.deepEqual(await incidentsOf(id), [{ started_at: at(-5), resolved_at: at(6) }])
  })

  it('tells what fails when the window ends, with an incident from the end on', async () => {
    const { id } = await newCovered()
    await look(id, 5, DOWN)
    await look(id, 12, DOWN)
    assert.deepEqual([await statusOf(id), await toldOf(id)], ['down', ['site.down']])
    assert.deepEqual(await incidentsOf(id), [{ started_at: at(10), resolved_at: null }])
  })

  describe('at the end', () => {
    const startFollowing = () => createSiteEndFollowing(database.db, createKnownWindows())
    const isDue = async (siteId: number, area: SiteArea = 'home_page') =>
      (await areaOf(siteId, area)).next_look_at <= new Date()
    /** All of its areas are looked at tomorrow. */
    const rest = (site_id: number) =>
      changeRows(database.db, 'site_areas', { site_id }, { next_look_at: TOMORROW })

    it('is looked at at once where it fails, once, and wakes those that look', async (t) => {
      const { id } = await newCovered()
      await look(id, 5, DOWN)
      await rest(id)
      const woken: unknown[] = []
      const listener = await database.db.pool.connect()
      t.after(() => listener.release(true))
      listener.on('notification', (message) => woken.push(message))
      await listener.query(`LISTEN ${SITES_CHANNEL}`)
      const follow = startFollowing()
      assert.deepEqual(await follow(at(6)), { until: at(10) })
      assert.equal(await isDue(id), false)
      assert.deepEqual(await follow(new Date(at(10).getTime() + 100)), { until: null })
      assert.equal(await isDue(id), true)
      assert.equal(await isDue(id, 'dns'), false, 'an area that does not fail')
      await until('they wake', () => woken.length > 0)
      await look(id, 11, DOWN)
      await rest(id)
      await follow(at(12))
      assert.equal(await isDue(id), false, 'looked at since')
    })

    it('is looked at again where the look had begun before the end, and where it was down before', async () => {
      const [{ id: late }, { id: unseen }] = [await newCovered(), await newCovered()]
      await look(late, 9.9, DOWN)
      await look(unseen, -5, DOWN)
      for (const siteId of [late, unseen]) await rest(siteId)
      await startFollowing()(at(10.2))
      assert.deepEqual([await isDue(late), await isDue(unseen)], [true, true])
    })

    it('is left alone where it is paused, or passed meanwhile', async () => {
      const [{ id: paused }, { id: passed }] = [await newCovered(), await newCovered()]
      for (const siteId of [paused, passed]) await look(siteId, 5, DOWN)
      await look(passed, 6, UP)
      await changeRows(database.db, 'sites', { id: paused }, { is_active: false })
      for (const siteId of [paused, passed]) await rest(siteId)
      await startFollowing()(at(11))
      assert.deepEqual([await isDue(paused), await isDue(passed)], [false, false])
    })

    it('of a snooze, areas that are not up are looked at, and a crawl is made for links alone', async () => {
      const { id } = await newSite()
      const changes = { looked_at: at(0), next_look_at: TOMORROW, snoozed_until: at(5) }
      const states: [SiteArea, 'up' | 'degraded' | 'down'][] = [
        ['home_page', 'down'],
        ['certificate', 'degraded'],
        ['dns', 'up'],
        ['links', 'degraded'],
        ['sitemap', 'degraded'],
      ]
      for (const [area, status] of states)
        await changeRows(database.db, 'site_areas', { site_id: id, area }, { ...changes, status })
      const dueAreas = async () =>
        (
          await query(
            'SELECT area FROM site_areas WHERE site_id = $1 AND looked_at IS NOT NULL AND next_look_at <= now() ORDER BY 1',
            [id],
          )
        ).map(({ area }) => area)
      const follow = startFollowing()
      await follow(at(4))
      assert.deepEqual(await dueAreas(), [])
      await follow(at(6))
      assert.deepEqual(await dueAreas(), ['certificate', 'home_page', 'links'])
      await changeRows(
        database.db,
        'site_areas',
        { site_id: id },
        { looked_at: at(7), next_look_at: TOMORROW },
      )
      await follow(at(8))
      assert.deepEqual(await dueAreas(), [], 'looked at since')
    })
  })
})

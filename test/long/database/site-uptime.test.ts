// npm test leaves this out: it keeps and closes days of a site in a database of its own (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { HOME_LOOKS } from '../../../src/core/sites/home-page.ts'
import { createSiteRecorder } from '../../../src/engine/sites/site-recorder.ts'
import { createPageReader } from '../../../src/operations/status-pages/read-model.ts'
import { noteSiteStatus } from '../../../src/store/sites/status-changes.ts'
import { tend } from '../../support/history/upkeep.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addRow, changeRows } from '../../support/records/rows.ts'
import { addSite } from '../../support/records/sites.ts'
import { addStatusPage } from '../../support/records/status-pages.ts'

const MINUTE_MS = 60_000
const DAY = new Date('2027-03-14T00:00:00Z')
const at = (minute: number) => new Date(DAY.getTime() + minute * MINUTE_MS)
const DOWN = resultWithout('down', 'HTTP 503')
const UP: CheckResult = { ...DOWN, status: 'up', errorMessage: null, responseTimeMs: 20, httpStatusCode: 200 }

test('a component of a site has the time of the site, which stays as it was once a day is closed', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const recorder = createSiteRecorder(db, (error) => assert.fail(String(error)))
  t.after(() => recorder.close())
  // Looked at every hour, and known for a minute more.
  const created_at = at(-60)
  const site = await addSite(db, { id: 7, created_at, home_interval_seconds: 3_600, areas_off: ['dns'] })
  await addMonitor(db, { id: 7, team_id: site.team_id, created_at })
  const look = (minute: number, isUp = true) =>
    recorder.recordLook({
      ...{ siteId: 7, revision: 0, membership: null, lookedAt: at(minute) },
      found: { area: 'home_page', looks: isUp ? [UP] : Array.from({ length: HOME_LOOKS }, () => DOWN) },
    })
  for (const hour of [0, 1, 2]) await look(60 * hour)
  await look(180, false)
  await look(210)
  // From 271 to 600 nobody looks; it is paused from 660 on.
  for (const minute of [600, 650]) await look(minute)
  await changeRows(db, 'site_areas', { site_id: 7 }, { status: 'pending' })
  await noteSiteStatus(db.query, 7, at(660))

  const page_id = await addStatusPage(db, site.team_id, { slug: 'uptime-of-sites', days: 30 })
  for (const [position, kind] of (['site', 'monitor'] as const).entries()) {
    await addRow(db, 'status_components', {
      ...{ page_id, position, name: 'Web', group_id: null, description: '', state: 'operational' },
      ...{ shows_uptime: true, shows_chart: true, kind, subject_id: 7 },
    })
  }
  const daysAt = async (now: Date) => {
    const reader = createPageReader({ db, siteUrl: 'https://up.example.com', databaseNow: () => now })
    const shown = ((await reader.readModel(page_id))?.items ?? []).flatMap((item) =>
      'component' in item ? [item.component] : [],
    )
    assert.deepEqual([shown[1]?.history?.uptime, shown[0]?.chart], [null, null], 'of no other subject')
    const day = shown[0]?.history?.days.find((one) => one.day.getTime() === DAY.getTime())
    const { upMs = 0, downMs = 0, unknownMs = 0 } = day?.times ?? {}
    return { uptime: shown[0]?.history?.uptime, times: [upMs, downMs, unknownMs].map((ms) => ms / MINUTE_MS) }
  }

  const up = 180 + 61 + 60
  const unknown = 271 - 271 + (600 - 271) + (1_440 - 660)
  const expected = { uptime: up / (up + 30), times: [up, 30, unknown] }
  const tomorrow = at(1_500)
  assert.deepEqual(await daysAt(tomorrow), expected)
  await tend(db, at(4_000))
  await db.pool.query('DELETE FROM team_incidents; DELETE FROM subject_status_changes')
  assert.deepEqual(await daysAt(at(4_000)), expected, 'it is closed')
})

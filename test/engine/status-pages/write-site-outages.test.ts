import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { HOME_LOOKS } from '../../../src/core/sites/home-page.ts'
import { placeLayout } from '../../../src/core/status-pages/layout.ts'
import { Layout, type StatusPage } from '../../../src/core/status-pages/status-page.ts'
import type { FoundLook, SiteRecorder } from '../../../src/engine/sites/site-finding.ts'
import { createSiteRecorder } from '../../../src/engine/sites/site-recorder.ts'
import { writeOutages } from '../../../src/engine/status-pages/write-outages.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { writeLayout } from '../../../src/store/status-pages/layout.ts'
import { listPosts } from '../../../src/store/status-pages/posts.ts'
import { listUpdates } from '../../../src/store/status-pages/updates.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addSite } from '../../support/records/sites.ts'
import { addStatusPage } from '../../support/records/status-pages.ts'

const NOON = new Date('2027-03-10T12:00:00Z')
const at = (minute: number) => new Date(NOON.getTime() + minute * 60_000)
const DOWN = resultWithout('down', 'HTTP 503 from 10.0.0.7')
const UP: CheckResult = { ...DOWN, status: 'up', errorMessage: null, responseTimeMs: 20, httpStatusCode: 200 }
const HOME = {
  down: { area: 'home_page', looks: Array.from({ length: HOME_LOOKS }, () => DOWN) },
  up: { area: 'home_page', looks: [UP] },
} as const satisfies Record<string, FoundLook>
const REFUSED: FoundLook = {
  area: 'certificate',
  look: { kind: 'refused', reason: 'certificate expired', chain: [] },
}

describe('posts about outages of sites', () => {
  let db: Database
  let close: () => Promise<void>
  let recorder: SiteRecorder

  before(async () => {
    ;({ db, close } = await openTestDatabase())
    recorder = createSiteRecorder(db, (error) => assert.fail(String(error)))
  })
  after(async () => {
    await recorder.close()
    await close()
  })

  async function pageWithSite(settings: Partial<StatusPage> = {}) {
    const { id: site, team_id: teamId } = await addSite(db)
    const page = await addStatusPage(db, teamId, settings)
    const items = [{ component: { name: 'Web', monitor_id: null, site_id: site } }]
    await writeLayout(db.query, page, placeLayout(Layout.parse({ items })))
    await changeRows(db, 'status_pages', { id: page }, { is_published: true })
    return { page, teamId, site }
  }
  type Shown = Awaited<ReturnType<typeof pageWithSite>>

  const record = async ({ site: siteId }: Shown, minute: number, found: FoundLook) => {
    const look = { siteId, revision: 0, membership: null, lookedAt: at(minute), found }
    assert.equal((await recorder.recordLook(look)).kind, 'recorded')
  }
  const postsOf = ({ page, teamId }: Shown) =>
    listPosts(db.query, teamId, { pageId: page }, { limit: 10, offset: 0 })
  const said = async (shown: Shown) => {
    const updates = (await postsOf(shown)).map(({ id }) => listUpdates(db.query, id))
    return (await Promise.all(updates)).flat().map(({ phase, body }) => `${phase}: ${body}`)
  }

  it('are one for an outage, whatever areas it takes along, and say nothing of the cause', async () => {
    const shown = await pageWithSite({ posts: 'publish' })
    // A certificate is refused once two looks, minutes apart, have seen it.
    await record(shown, -2, REFUSED)
    await record(shown, 0, HOME.down)
    await writeOutages(db, at(1))
    assert.deepEqual(await said(shown), [], 'not for the first two minutes')
    await record(shown, 1.5, HOME.down)
    await writeOutages(db, at(2))
    await record(shown, 3, REFUSED)
    await record(shown, 3.5, HOME.up)
    await writeOutages(db, at(4))
    const begun = 'investigating: Not available: Web. We are looking into it.'
    assert.deepEqual(await said(shown), [begun])
    await changeRows(
      db,
      'team_incidents',
      { kind: 'site', subject_id: shown.site, about: 'certificate' },
      { resolved_at: at(5) },
    )
    await writeOutages(db, at(6))
    assert.deepEqual(await said(shown), [begun, 'resolved: Everything is available again.'])
    const [post] = await postsOf(shown)
    assert.deepEqual([post?.publishedAt, post?.startedAt, post?.incidentId], [at(2), at(0), null])
  })

  it('are drafts unless the page says otherwise, and not for an area that is snoozed', async () => {
    const shown = await pageWithSite()
    const area = { site_id: shown.site, area: 'home_page' } as const
    await record(shown, 0, HOME.down)
    await changeRows(db, 'site_areas', area, { snoozed_until: new Date('2099-01-01') })
    await writeOutages(db, at(3))
    assert.deepEqual(await postsOf(shown), [])
    await changeRows(db, 'site_areas', area, { snoozed_until: null })
    await writeOutages(db, at(3))
    const [draft] = await postsOf(shown)
    assert.deepEqual([draft?.title, draft?.publishedAt, draft?.startedAt], ['Outage: Web', null, at(0)])
  })
})

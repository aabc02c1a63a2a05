import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { placeLayout } from '../../../src/core/status-pages/layout.ts'
import { Layout, type StatusPage } from '../../../src/core/status-pages/status-page.ts'
import { writeOutages } from '../../../src/engine/status-pages/write-outages.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { writeLayout } from '../../../src/store/status-pages/layout.ts'
import { deletePost, listPosts } from '../../../src/store/status-pages/posts.ts'
import { listUpdates } from '../../../src/store/status-pages/updates.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addIncident } from '../../support/records/history.ts'
import { addRow, changeRows } from '../../support/records/rows.ts'
import { addServer } from '../../support/records/servers.ts'
import { addStatusPage } from '../../support/records/status-pages.ts'

const NOON = new Date('2027-03-10T12:00:00Z')
const at = (minute: number) => new Date(NOON.getTime() + minute * 60_000)

describe('posts about outages of servers', () => {
  let db: Database
  let close: () => Promise<void>

  before(async () => {
    ;({ db, close } = await openTestDatabase())
  })
  after(() => close())

  async function pageWithServer(settings: Partial<StatusPage> = {}) {
    const { id: server, teamId } = await addServer(db)
    const page = await addStatusPage(db, teamId, settings)
    const items = [{ component: { name: 'Web', monitor_id: null, server_id: server } }]
    await writeLayout(db.query, page, placeLayout(Layout.parse({ items })))
    await changeRows(db, 'status_pages', { id: page }, { is_published: true })
    return { page, teamId, server }
  }
  type Shown = Awaited<ReturnType<typeof pageWithServer>>

  const begin = ({ teamId, server }: Shown, about: string, minute: number, warns_only = false) => {
    const incident = { team_id: teamId, server_id: server, about, warns_only, cause: 'x' }
    return addIncident(db, { ...incident, started_at: at(minute) })
  }
  const end = (incident: number, minute: number) =>
    changeRows(db, 'team_incidents', { id: incident }, { resolved_at: at(minute) })
  const become = ({ server: subject_id }: Shown, status: 'up' | 'down', minute: number) =>
    addRow(db, 'subject_status_changes', { kind: 'server', subject_id, status, at: at(minute) })
  const postsOf = ({ page, teamId }: Shown) =>
    listPosts(db.query, teamId, { pageId: page }, { limit: 10, offset: 0 })
  const said = async (shown: Shown) => {
    const updates = (await postsOf(shown)).map(({ id }) => listUpdates(db.query, id))
    return (await Promise.all(updates)).flat().map(({ phase, body }) => `${phase}: ${body}`)
  }

  it('are one for an outage, however many conditions it has one after the other', async () => {
    const shown = await pageWithServer({ posts: 'publish' })
    await become(shown, 'down', 0)
    const disk = await begin(shown, 'disk_space:/', 0)
    await writeOutages(db, at(1))
    assert.deepEqual(await said(shown), [], 'not for the first two minutes')
    await writeOutages(db, at(2))
    const memory = await begin(shown, 'memory', 3)
    await end(disk, 3.5)
    await writeOutages(db, at(4))
    const begun = 'investigating: Not available: Web. We are looking into it.'
    assert.deepEqual(await said(shown), [begun])
    await end(memory, 5)
    await become(shown, 'up', 5)
    await writeOutages(db, at(6))
    assert.deepEqual(await said(shown), [begun, 'resolved: Everything is available again.'])
    const [post] = await postsOf(shown)
    assert.deepEqual([post?.publishedAt, post?.incidentId], [at(2), null])
  })

  it('are drafts unless the page says otherwise, and not for what only warns', async () => {
    const shown = await pageWithServer()
    await begin(shown, 'cpu', 0, true)
    await writeOutages(db, at(3))
    assert.deepEqual(await postsOf(shown), [])
    await become(shown, 'down', 3)
    await begin(shown, 'silent', 3)
    await writeOutages(db, at(5))
    const [draft] = await postsOf(shown)
    assert.deepEqual([draft?.title, draft?.publishedAt, draft?.startedAt], ['Outage: Web', null, at(3)])
  })

  it('stay away once a person deleted them, also for what joins the outage', async () => {
    const shown = await pageWithServer()
    await become(shown, 'down', 0)
    const silent = await begin(shown, 'silent', 0)
    await writeOutages(db, at(2))
    const [draft] = await postsOf(shown)
    await deletePost(db.query, shown.teamId, draft?.id as number)
    await begin(shown, 'memory', 3)
    await writeOutages(db, at(4))
    await end(silent, 5)
    await writeOutages(db, at(6))
    assert.deepEqual(await postsOf(shown), [])
  })
})

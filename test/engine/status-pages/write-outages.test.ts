import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { placeLayout } from '../../../src/core/status-pages/layout.ts'
import { POST_AFTER_MS } from '../../../src/core/status-pages/posts/automatic-post.ts'
import { Layout, type StatusPage } from '../../../src/core/status-pages/status-page.ts'
import { writeOutages } from '../../../src/engine/status-pages/write-outages.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'
import { readLayout, writeLayout } from '../../../src/store/status-pages/layout.ts'
import { deletePost, listPosts, type PostRecord, updatePost } from '../../../src/store/status-pages/posts.ts'
import { insertTemplate } from '../../../src/store/status-pages/templates.ts'
import { listUpdates, type UpdateRecord } from '../../../src/store/status-pages/updates.ts'
import { writePost } from '../../../src/store/status-pages/written-posts.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addIncident } from '../../support/records/history.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'

const NOON = new Date('2027-03-10T12:00:00Z')
const at = (minute: number) => new Date(NOON.getTime() + minute * 60_000)

describe('posts about outages', () => {
  let db: Database
  let close: () => Promise<void>
  const vault = new Vault('a secret')

  before(async () => {
    ;({ db, close } = await openTestDatabase())
  })
  after(() => close())

  /** A published page with a component for each name. */
  async function pageWith(names: string[], settings: Partial<StatusPage> = {}) {
    const teamId = await addTeam(db)
    const added = await addMonitors(db, names.length, () => ({ team_id: teamId }))
    const monitors = added.map((monitor) => monitor.id)
    const id = await addStatusPage(db, teamId, settings)
    const items = names.map((name, index) => ({ component: { name, monitor_id: monitors[index] } }))
    await writeLayout(db.query, id, placeLayout(Layout.parse({ items })))
    await changeRows(db, 'status_pages', { id }, { is_published: true })
    const { components } = await readLayout(db.query, id)
    return { id, teamId, monitors, ids: components.map((one) => one.id) }
  }
  type Page = Awaited<ReturnType<typeof pageWith>>

  const goDown = ({ teamId, monitors }: Page, index: number, minute: number): Promise<number> =>
    addIncident(db, { team_id: teamId, monitor_id: monitors[index] as number, started_at: at(minute) })
  const recover = (incident: number, minute: number) =>
    changeRows(db, 'team_incidents', { id: incident }, { resolved_at: at(minute) })
  const postsOf = ({ id, teamId }: Page): Promise<PostRecord[]> =>
    listPosts(db.query, teamId, { pageId: id }, { limit: 10, offset: 0 })
  const said = async (post: PostRecord | undefined): Promise<UpdateRecord[]> =>
    post ? listUpdates(db.query, post.id) : []
  const told = async (post: PostRecord): Promise<number> => {
    const rows = await db.query
      .selectFrom('status_notices as n')
      .innerJoin('status_updates as u', 'u.id', 'n.update_id')
      .select('n.id')
      .where('u.post_id', '=', post.id)
      .execute()
    return rows.length
  }
  const words = (updates: UpdateRecord[]) =>
    updates.map(({ phase, body, impacts }) => `${phase} ${impacts.length}: ${body}`)

  it('are drafts after two minutes down, and go on by themselves until all is up', async () => {
    const page = await pageWith(['Cart', 'Mail'])
    const incident = await goDown(page, 0, 0)
    await writeOutages(db, new Date(at(0).getTime() + POST_AFTER_MS - 1))
    assert.deepEqual(await postsOf(page), [])
    await writeOutages(db, at(2))
    await writeOutages(db, at(3))
    const [draft, ...others] = await postsOf(page)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [draft?.title, draft?.publishedAt, draft?.isAutomatic, draft?.incidentId, draft?.startedAt],
      ['Outage: Cart', null, true, incident, at(0)],
    )
    await recover(incident, 4)
    await writeOutages(db, at(5))
    assert.deepEqual(words(await said(draft)), [
      'investigating 1: Not available: Cart. We are looking into it.',
      'resolved 0: Everything is available again.',
    ])
    assert.deepEqual(
      (await postsOf(page)).map(({ resolvedAt }) => resolvedAt),
      [at(5)],
    )
  })

  it('are one for a storm, which later components join and recovered ones leave', async () => {
    const page = await pageWith(['Cart', 'Mail', 'Search', 'Login', 'Files'], { posts: 'publish' })
    await addSubscriber(db, vault, { pageId: page.id, teamId: page.teamId })
    const first = await goDown(page, 0, 0)
    await writeOutages(db, at(2))
    const rest = await Promise.all([1, 2, 3, 4].map((index) => goDown(page, index, 1)))
    await writeOutages(db, at(3))
    await recover(first, 4)
    await writeOutages(db, at(5))
    for (const incident of rest) await recover(incident, 6)
    await writeOutages(db, at(7))
    const [post, ...others] = await postsOf(page)
    assert.ok(post && others.length === 0)
    assert.deepEqual(post.publishedAt, at(2))
    assert.deepEqual(words(await said(post)), [
      'investigating 1: Not available: Cart. We are looking into it.',
      'investigating 5: Also not available: Mail, Search, Login and Files.',
      'investigating 4: Available again: Cart.',
      'resolved 0: Everything is available again.',
    ])
    assert.equal(await told(post), 3, 'nobody is told of each that recovers')
  })

  it('speak the words of the template, or the language of the page', async () => {
    const german = await pageWith(['Korb'], { posts: 'publish', language: 'de' })
    const page = await pageWith(['Cart'])
    const template = {
      name: 'a',
      title: '{page}: {component}',
      phase: 'identified' as const,
      body: 'Since {time}.',
    }
    const template_id = await insertTemplate(db.query, page.teamId, template)
    await changeRows(db, 'status_pages', { id: page.id }, { template_id })
    for (const one of [german, page]) await goDown(one, 0, 0)
    await writeOutages(db, at(2))
    const [[inGerman], [filled]] = [await postsOf(german), await postsOf(page)]
    assert.equal(inGerman?.title, 'Ausfall: Korb')
    assert.equal(filled?.title, 'Shop: Cart')
    assert.equal((await said(filled))[0]?.body, 'Since 2027-03-10 12:00 UTC.')
  })

  it('stay as a person left them: changed, deleted, or written before', async () => {
    const page = await pageWith(['Cart', 'Mail', 'Search'])
    const { id, teamId, ids } = page
    const incident = await goDown(page, 0, 0)
    await writeOutages(db, at(2))
    const [changed] = await postsOf(page)
    assert.ok(changed)
    await updatePost(db.query, teamId, changed.id, { isAutomatic: false, title: 'Mine' })
    await recover(incident, 3)
    await writeOutages(db, at(4))
    assert.equal((await said(changed)).length, 1)

    const again = await goDown(page, 1, 5)
    await writeOutages(db, at(7))
    const deleted = (await postsOf(page)).find(({ title }) => title !== 'Mine')
    await deletePost(db.query, teamId, deleted?.id as number)
    await writeOutages(db, at(8))
    assert.deepEqual(
      (await postsOf(page)).map(({ title }) => title),
      ['Mine'],
    )

    const post = {
      pageId: id,
      kind: 'incident' as const,
      title: 'Theirs',
      scheduledFor: null,
      scheduledUntil: null,
    }
    const impacts = [{ component_id: ids[2] as number, state: 'degraded' as const }]
    await writePost(db.query, teamId, post, {
      phase: 'identified',
      body: '',
      impacts,
      notifies: false,
      at: at(9),
    })
    await goDown(page, 2, 9)
    await writeOutages(db, at(11))
    assert.deepEqual(
      (await postsOf(page)).map(({ title }) => title),
      ['Theirs', 'Mine'],
    )
    await recover(again, 12)
  })

  it('are written once by several processes at a time, and not for pages that nobody sees', async () => {
    const page = await pageWith(['Cart'])
    const hidden = await pageWith(['Cart'])
    await changeRows(db, 'status_pages', { id: hidden.id }, { is_published: false })
    for (const one of [page, hidden]) await goDown(one, 0, 0)
    await Promise.all([1, 2, 3, 4].map(() => writeOutages(db, at(2))))
    assert.equal((await postsOf(page)).length, 1)
    assert.deepEqual(await postsOf(hidden), [])
  })
})

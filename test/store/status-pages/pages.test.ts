import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEWS_CHANNEL } from '../../../src/store/news.ts'
import {
  deletePage,
  findPage,
  pageChanged,
  publishPage,
  STATUS_PAGES_CHANNEL,
  updatePage,
} from '../../../src/store/status-pages/pages.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addStatusPage } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

test('a change is announced when it is committed, to renderings and to dashboards, and counts up', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const teamId = await addTeam(db)
  const pageId = await addStatusPage(db, teamId)
  const client = db.newClient('the test')
  await client.connect()
  t.after(() => client.end())
  const heard: string[] = []
  client.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
  await client.query(`LISTEN ${STATUS_PAGES_CHANNEL}; LISTEN ${NEWS_CHANNEL}`)
  const news = JSON.stringify({ team_id: teamId, event: 'status_pages', data: {} })
  const both = [`${STATUS_PAGES_CHANNEL} ${pageId}`, `${NEWS_CHANNEL} ${news}`]
  const before = await findPage(db.query, teamId, pageId)
  await db.query.transaction().execute(async (query) => {
    await publishPage(query, teamId, pageId, true)
    await pageChanged(query, teamId, pageId)
  })
  await until('the change is heard', () => heard.length === 2)
  assert.deepEqual(heard.sort(), both.sort())
  const after = await findPage(db.query, teamId, pageId)
  assert.deepEqual([before?.revision, after?.revision, after?.isPublished], [0, 1, true])
  assert.ok(after && before && after.updatedAt > before.updatedAt)
  await deletePage(db.query, teamId, pageId)
  await until('the end of the page is heard', () => heard.length === 4)
  assert.deepEqual(heard.slice(2).sort(), both)
})

test('two pages that want the same address do not both get it', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const teamId = await addTeam(db)
  const pages = [await addStatusPage(db, teamId), await addStatusPage(db, teamId)]
  const got = await Promise.all(
    pages.map((pageId) =>
      db.query
        .transaction()
        .execute((query) => updatePage(query, teamId, pageId, { slug: 'wanted' }))
        .catch(() => false),
    ),
  )
  assert.deepEqual(got.sort(), [false, true])
})

test('no page of another team is found, changed or deleted', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const [teamId, other] = [await addTeam(db), await addTeam(db)]
  const pageId = await addStatusPage(db, teamId)
  const before = await findPage(db.query, teamId, pageId)
  assert.equal(await findPage(db.query, other, pageId), null)
  await updatePage(db.query, other, pageId, { name: 'Theirs' })
  await publishPage(db.query, other, pageId, true)
  await pageChanged(db.query, other, pageId)
  await deletePage(db.query, other, pageId)
  assert.deepEqual(await findPage(db.query, teamId, pageId), before)
})

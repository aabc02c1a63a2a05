import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { followPlans } from '../../../src/engine/status-pages/follow-plans.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'
import { deletePost, findPost, type NewPostRow } from '../../../src/store/status-pages/posts.ts'
import { listUpdates } from '../../../src/store/status-pages/updates.ts'
import { writePost } from '../../../src/store/status-pages/written-posts.ts'
import { addWindow, keepSpan } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { changeRows, countRows } from '../../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'

const at = (minute: number) => new Date(Date.UTC(2027, 2, 10, 12, minute))

describe('posts about planned maintenance', () => {
  let db: Database
  let close: () => Promise<void>
  let page: { teamId: number; pageId: number }

  before(async () => {
    ;({ db, close } = await openTestDatabase())
    const teamId = await addTeam(db)
    page = { teamId, pageId: await addStatusPage(db, teamId, { language: 'de' }) }
    await changeRows(db, 'status_pages', { id: page.pageId }, { is_published: true })
    await addSubscriber(db, new Vault('a secret'), page)
  })
  after(() => close())

  const fail = (error: unknown) => {
    throw error
  }
  /** As four processes would. */
  const follow = (minute: number) => Promise.all([1, 2, 3, 4].map(() => followPlans(db, at(minute), fail)))
  const plan = (changes: Partial<NewPostRow> = {}) =>
    writePost(
      db.query,
      page.teamId,
      {
        pageId: page.pageId,
        kind: 'maintenance',
        title: 'Upgrade',
        scheduledFor: at(10),
        scheduledUntil: at(20),
        publishedAt: at(0),
        ...changes,
      },
      { phase: 'scheduled', body: '', impacts: [], notifies: false, at: at(0) },
    )
  const updatesOf = async (post: number) =>
    (await listUpdates(db.query, post)).map(
      ({ phase, body, at: said }) => `${phase} ${said.getUTCMinutes()} ${body}`,
    )

  it('begin and end once at their times, whoever looks, and tell subscribers', async () => {
    const post = await plan()
    for (const minute of [9, 10, 11, 20, 21]) await follow(minute)
    assert.deepEqual(await updatesOf(post), [
      'scheduled 0 ',
      'in_progress 10 Die Wartung hat begonnen.',
      'completed 20 Die Wartung ist beendet.',
    ])
    assert.deepEqual((await findPost(db.query, page.teamId, post))?.resolvedAt, at(20))
    assert.equal(await countRows(db, 'status_notices'), 2)
    await deletePost(db.query, page.teamId, post)
  })

  it('go by the occurrence of their window: prolonged, ended early, deleted', async () => {
    const windowId = await addWindow(db, page.teamId, oneOff('2027-03-10T12:10:00Z', '2027-03-10T12:20:00Z'))
    const other = await addWindow(db, page.teamId, oneOff('2027-03-10T12:40:00Z', '2027-03-10T12:50:00Z'))
    const ofWindow = (id: number, minute: number) => ({
      windowId: id,
      occurrenceAt: at(minute),
      followsWindow: true,
    })
    const post = await plan(ofWindow(windowId, 10))
    const later = await plan({ ...ofWindow(other, 40), scheduledFor: at(40), scheduledUntil: at(50) })
    await follow(10)
    await keepSpan(db, page.teamId, windowId, [at(10), at(30)])
    await follow(12)
    await keepSpan(db, page.teamId, windowId, [at(10), at(15)], { endedBy: 'person' })
    await changeRows(db, 'maintenance_windows', { id: other }, { deleted_at: at(14) })
    await follow(15)
    assert.deepEqual(await updatesOf(post), [
      'scheduled 0 ',
      'in_progress 10 Die Wartung hat begonnen.',
      'in_progress 12 Die Wartung dauert nun bis 2027-03-10 12:30 UTC.',
      'completed 15 Die Wartung ist beendet.',
    ])
    assert.deepEqual((await findPost(db.query, page.teamId, post))?.scheduledUntil, at(15))
    assert.deepEqual(await updatesOf(later), ['scheduled 0 ', 'completed 15 Die Wartung wurde abgesagt.'])
  })
})

// npm test leaves this out: it keeps a post with more updates than may be read at once (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { MAX_BODY_LENGTH, MAX_IMPACTS } from '../../../src/core/status-pages/post.ts'
import {
  findPublishedPost,
  listPostsSince,
  MAX_READ_TEXT,
} from '../../../src/store/status-pages/published-posts.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addRow } from '../../support/records/rows.ts'
import { addStatusPage } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'

const UPDATES = 250
const AT = new Date('2026-11-22T14:00:00Z')

test('of a page that would fill the memory, the newest updates are read with what they say', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const teamId = await addTeam(db)
  const pageId = await addStatusPage(db, teamId)
  const post = { page_id: pageId, team_id: teamId, kind: 'incident', phase: 'investigating' } as const
  const { id } = await addRow(db, 'status_posts', {
    ...post,
    title: 'Long',
    started_at: AT,
    published_at: AT,
  })
  await sql`INSERT INTO status_updates (post_id, phase, body, impacts, at)
    SELECT ${id}::int, 'investigating', repeat('x', ${MAX_BODY_LENGTH}::int), all_of_them.impacts,
      ${AT}::timestamptz + make_interval(secs => n)
    FROM generate_series(1, ${UPDATES}::int) n, (
      SELECT jsonb_agg(jsonb_build_object('component_id', c, 'state', 'degraded')) AS impacts
      FROM generate_series(1, ${MAX_IMPACTS}::int) c
    ) all_of_them`.execute(db.query)
  const alone = await findPublishedPost(db.query, pageId, id)
  const [listed] = await listPostsSince(db.query, pageId, AT, AT, 10)
  for (const read of [alone, listed]) {
    const updates = [...(read?.updates ?? [])].reverse()
    assert.equal(updates.length, UPDATES)
    const said = updates.map(({ body }) => body.length)
    assert.deepEqual(
      said,
      updates.map((_, age) => (age < MAX_READ_TEXT / MAX_BODY_LENGTH ? MAX_BODY_LENGTH : 0)),
    )
    const named = updates.findIndex(({ impacts }) => impacts.length < MAX_IMPACTS)
    assert.ok(named > 0)
    assert.ok(updates.slice(named).every(({ impacts }) => impacts.length === 0))
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOlderDatabase } from '../support/postgres/older-database.ts'
import { addSite } from '../support/records/sites.ts'

test('the history of sites begins with the status that they have, the worst of their areas', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '030')
  const { id, team_id } = await addSite(db)
  const { id: down } = await addSite(db, { team_id })
  const { id: pending } = await addSite(db, { team_id })
  const become = (site: number, area: string, status: string) =>
    db.pool.query('UPDATE site_areas SET status = $3 WHERE site_id = $1 AND area = $2', [site, area, status])
  await become(id, 'home_page', 'up')
  await become(id, 'links', 'degraded')
  await become(down, 'dns', 'down')
  await become(down, 'home_page', 'maintenance')
  await bringForward()
  const { rows } = await db.pool.query('SELECT site_id, status FROM site_status_changes ORDER BY 1')
  const expected = [
    [id, 'degraded'],
    [down, 'down'],
    [pending, 'pending'],
  ]
  assert.deepEqual(
    rows.map(({ site_id, status }) => [site_id, status]),
    expected,
  )
})

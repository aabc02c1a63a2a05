import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPageReader } from '../../../src/operations/status-pages/read-model.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addRow } from '../../support/records/rows.ts'
import { addServer } from '../../support/records/servers.ts'
import { addStatusPage } from '../../support/records/status-pages.ts'

const NOW = new Date('2027-03-15T12:00:00Z')
const HOUR = new Date('2027-03-14T10:00:00Z')

test('a component of a server has the uptime of the server, and a monitor with its id none of it', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const created_at = new Date('2027-03-01T00:00:00Z')
  const { id, teamId } = await addServer(db, { id: 7, created_at })
  await addMonitor(db, { id, team_id: teamId, created_at })
  await db.pool.query(createPartition('server_hours', HOUR))
  const times = { up_ms: 2_700_000, down_ms: 900_000, degraded_ms: 0, maintenance_ms: 0 }
  await addRow(db, 'server_hours', { hour: HOUR, server_id: id, content: Buffer.alloc(0), ...times })
  await db.pool.query('INSERT INTO history_progress (hours_until, server_hours_until) VALUES ($1, $1)', [NOW])
  const page_id = await addStatusPage(db, teamId, { slug: 'uptime-of-servers', days: 30 })
  for (const [position, kind] of (['server', 'monitor'] as const).entries()) {
    await addRow(db, 'status_components', {
      ...{ page_id, position, name: 'Web', group_id: null, description: '', state: 'operational' },
      ...{ shows_uptime: true, shows_chart: true, kind, subject_id: id },
    })
  }
  const reader = createPageReader({ db, siteUrl: 'https://up.example.com', databaseNow: () => NOW })
  const shown = ((await reader.readModel(page_id))?.items ?? []).flatMap((item) =>
    'component' in item ? [item.component] : [],
  )
  assert.deepEqual(
    shown.map(({ history, chart }) => [history?.uptime, chart === null]),
    [
      [0.75, true],
      [null, false],
    ],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/core/history/history-span.ts'
import { retainLogs } from '../../../src/engine/history/retain-logs.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'
import { listSubscribers } from '../../../src/store/status-pages/subscriber-list.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { ago, changeRows } from '../../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'

test('subscribers that did not confirm within a week are removed, and no others', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const vault = new Vault('a secret')
  const teamId = await addTeam(db)
  const pageId = await addStatusPage(db, teamId)
  const add = async (address: string, confirmedAt: Date | null, days: number) => {
    const id = await addSubscriber(db, vault, { teamId, pageId, address, confirmedAt })
    await changeRows(db, 'status_subscribers', { id }, { created_at: ago(days * DAY_MS) })
  }
  await add('old@example.com', null, 8)
  await add('new@example.com', null, 6)
  await add('confirmed@example.com', new Date(), 400)
  for await (const _step of retainLogs({ db, now: () => new Date() }));
  const left = await listSubscribers(db.query, vault, teamId, { pageId }, { limit: 10, offset: 0 })
  assert.deepEqual(left.map(({ address }) => address).sort(), ['confirmed@example.com', 'new@example.com'])
})

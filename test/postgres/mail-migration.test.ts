import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimDeliveries } from '../../src/store/alerting/deliveries.ts'
import { Vault } from '../../src/store/sealing/vault.ts'
import { TEST_SECRET } from '../support/postgres/database.ts'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

const HOLDER = '6f4f0c52-55f8-4f5c-9a3f-2f2a1f0e9d11'

test('contacts that are there already are alerted as before, and what waits for them is sent', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '019')
  const vault = new Vault(TEST_SECRET)
  await db.pool.query(
    `WITH team AS (INSERT INTO teams (name, plan, signing_secret) VALUES ('Ops', 'free', $1) RETURNING id),
       contact AS (INSERT INTO contacts (team_id, name, type, config) SELECT id, 'List', 'email', $2 FROM team
                   RETURNING id, team_id)
     INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, event, alert)
     SELECT team_id, id, 'List', 'email', 'test', $3 FROM contact`,
    [
      vault.seal('whsec_x', 'teams.signing_secret', null),
      vault.seal('{"email":"list@example.com"}', 'contacts.config', null),
      JSON.stringify({
        event: 'test',
        type: 'test',
        id: null,
        name: 'Test alert',
        target: null,
        occurredAt: '2026-11-22T10:00:00.000000Z',
        cause: null,
        downSeconds: null,
        teamName: 'Ops',
      }),
    ],
  )
  await bringForward()
  const [claimed] = await claimDeliveries(db, vault, { holder: HOLDER, leaseSeconds: 6, limit: 1 })
  assert.deepEqual(
    [claimed?.config, claimed?.unagreedHash, claimed?.mailboxHash],
    [{ email: 'list@example.com' }, null, null],
  )
})

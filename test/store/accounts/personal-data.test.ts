import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../support/postgres/database.ts'

/** Tables with columns about people whose rows a deleted account does not take along: `deleteUser` sees to each. */
const SEEN_TO = [
  'acknowledgements',
  'audit_entries',
  'incident_notes',
  'invitations',
  'report_recipients',
  'schedule_participants',
  'sign_ups',
  'status_subscribers',
  'users',
]
/** Their addresses are those of web pages and of targets. */
const OF_PAGES = ['baselines', 'site_crawl_addresses', 'site_crawl_faults', 'site_findings']

test('what tables hold about a person goes with the account, or is seen to when it is deleted', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { rows: held } = await db.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
                   AND a.attname IN ('user_id', 'email', 'address', 'user_agent'))
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'
                       AND k.confrelid = 'users'::regclass AND k.confdeltype = 'c')
     ORDER BY c.relname`,
  )
  assert.deepEqual(
    held.map(({ name }) => name).filter((name) => !OF_PAGES.includes(name)),
    SEEN_TO,
  )
  const { rows: blocking } = await db.pool.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint
     WHERE contype = 'f' AND confrelid = 'users'::regclass AND confdeltype NOT IN ('c', 'n')`,
  )
  assert.deepEqual(blocking, [], 'an account with such rows could not be deleted')
})

import { sql } from 'kysely'
import type { Language } from '../../core/language/language.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { nextId } from '../../postgres/next-id.ts'
import { removeSome } from '../../postgres/remove-some.ts'
import type { Vault } from '../sealing/vault.ts'

/** A test of mail settings waits to be sent. */
export const MAIL_TESTS_CHANNEL = 'upbeat_mail_tests'

const SETTINGS = 'mail_tests.settings'

/** The settings that a test is sent with. `smtpUrl`: null where no mail server is set up. */
export type MailTestSettings = { smtpUrl: string | null; from: string; to: string; language: Language }
export type MailTestResult = { isSent: boolean; statusCode: number | null; detail: string }

/** Asks a process that sends mail for a test, and wakes those. Returns the id of the test. */
export async function insertMailTest(
  query: Query,
  vault: Vault,
  { userId, settings, forMs }: { userId: number; settings: MailTestSettings; forMs: number },
): Promise<number> {
  const id = await nextId(query, 'mail_tests')
  const sealed = vault.seal(JSON.stringify(settings), SETTINGS, id)
  await sql`
    WITH inserted AS (
      INSERT INTO mail_tests (id, user_id, settings, expires_at) OVERRIDING SYSTEM VALUE
      VALUES (${id}, ${userId}, ${sealed}, now() + ${forMs}::float8 * interval '1 millisecond'))
    SELECT pg_notify(${MAIL_TESTS_CHANNEL}, '')`.execute(query)
  return id
}

/** The test of this person; null when there is none, or none any more. */
export async function readMailTest(
  query: Query,
  { userId, id }: { userId: number; id: number },
): Promise<{ isClaimed: boolean; result: MailTestResult | null } | null> {
  const row = await query
    .selectFrom('mail_tests')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .select(['is_claimed', 'result'])
    .executeTakeFirst()
  return row ? { isClaimed: row.is_claimed, result: row.result as MailTestResult | null } : null
}

/** Takes one test on, which no other process does from then on. Null without any. */
export async function claimMailTest(
  { pool }: Database,
  vault: Vault,
): Promise<{ id: number; settings: MailTestSettings } | null> {
  const { rows } = await pool.query<{ id: number; settings: string }>(
    `WITH due AS (
       SELECT id FROM mail_tests WHERE NOT is_claimed AND expires_at > now()
       ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE mail_tests t SET is_claimed = true FROM due WHERE t.id = due.id RETURNING t.id, t.settings`,
  )
  const [row] = rows
  return row ? { id: row.id, settings: JSON.parse(vault.open(row.settings, SETTINGS, row.id)) } : null
}

/** The settings go with the answer: the secret in them is of no more use here. */
export async function answerMailTest({ pool }: Database, id: number, result: MailTestResult): Promise<void> {
  await pool.query('UPDATE mail_tests SET result = $2, settings = NULL WHERE id = $1', [
    id,
    JSON.stringify(result),
  ])
}

/** Deletes some tests that are over; true if there may be more. */
export async function removeSomeMailTests(db: Database): Promise<boolean> {
  return removeSome(db, { table: 'mail_tests', key: ['id'], where: 'expires_at < now()', values: [] })
}

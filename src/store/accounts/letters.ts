import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Letter } from '../../core/accounts/letter.ts'
import {
  DIGEST_AFTER_SECONDS,
  DIGEST_EVERY_SECONDS,
  LETTERS_PER_HOUR,
  MAX_IN_LETTER,
} from '../../core/alerting/mailbox.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { letterboxHash } from '../alerting/mailboxes.ts'
import { claimable, type Settlement } from '../claims.ts'
import type { Vault } from '../sealing/vault.ts'

export const LETTERS_CHANNEL = 'upbeat_letters'

const CONTENT = 'letters.content'

export type ClaimedLetter = {
  id: number
  /** The team that has it sent; 0 for none. */
  teamId: number
  messageId: string
  /** Sealed; see `openLetter`. */
  content: string
  attempts: number
  createdAt: Date
  expiresAt: Date
}

/** Expired ones are claimed, too. */
export const queuedLetters = claimable<ClaimedLetter>({
  table: 'letters',
  waiting: 'true',
  read: `SELECT id, team_id AS "teamId", message_id AS "messageId", content, attempts, created_at AS "createdAt",
    expires_at AS "expiresAt" FROM claimed`,
})

/**
 * Queues a letter; it is sent once the transaction of `query` commits. Beyond the hourly limit of a mailbox,
 * letters are merged into one. `teamId`: the team that has it sent; 0 where a person asked for it.
 */
export async function insertLetter(
  query: Query,
  vault: Vault,
  letter: Letter,
  expiresAt: Date,
  teamId = 0,
): Promise<void> {
  const messageId = randomUUID()
  const content = seal(vault, messageId, letter)
  const mailbox = letterboxHash(letter.to)
  if (await reserveLetter(query, mailbox)) {
    await query
      .insertInto('letters')
      .values({ message_id: messageId, content, expires_at: expiresAt, team_id: teamId })
      .execute()
  } else if (!(await addToMergedLetter(query, vault, mailbox, letter, expiresAt))) {
    await insertMergedLetter(query, { messageId, content, expiresAt, mailbox, teamId })
  }
  await sql`SELECT pg_notify(${LETTERS_CHANNEL}, '')`.execute(query)
}

function seal(vault: Vault, messageId: string, letter: Letter): string {
  return vault.seal(JSON.stringify(Letter.parse(letter)), CONTENT, messageId)
}

/** Locks the mailbox until the transaction ends. */
async function reserveLetter(query: Query, mailbox: Buffer): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    INSERT INTO mailboxes AS m (mailbox_hash, hour_began_at, sent) VALUES (${mailbox}, now(), 1)
    ON CONFLICT (mailbox_hash) DO UPDATE SET
      hour_began_at = CASE WHEN m.hour_began_at <= now() - interval '1 hour' THEN now() ELSE m.hour_began_at END,
      sent = CASE WHEN m.hour_began_at <= now() - interval '1 hour' THEN 1
        ELSE least(m.sent, ${LETTERS_PER_HOUR}::int) + 1 END
    RETURNING m.sent <= ${LETTERS_PER_HOUR}::int AS free`.execute(query)
  return rows[0]?.free ?? false
}

/** Appends the letter to a merged one that waits to be sent; false if there is none or it is full. */
async function addToMergedLetter(
  query: Query,
  vault: Vault,
  mailbox: Buffer,
  { title, text, link }: Letter,
  expiresAt: Date,
): Promise<boolean> {
  const waiting = await query
    .selectFrom('letters')
    .select(['id', 'message_id as messageId', 'content'])
    .where('mailbox_hash', '=', mailbox)
    .where('claimed_by', 'is', null)
    .where('attempts', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!waiting) return false
  const merged = openLetter(vault, waiting)
  const others = [...(merged.others ?? []), { title, text, link }]
  if (others.length >= MAX_IN_LETTER) return false
  await query
    .updateTable('letters')
    .set({ content: seal(vault, waiting.messageId, { ...merged, others }) })
    .set({ expires_at: sql<Date>`greatest(expires_at, ${expiresAt})` })
    .where('id', '=', waiting.id)
    .execute()
  return true
}

async function insertMergedLetter(
  query: Query,
  letter: { messageId: string; content: string; expiresAt: Date; mailbox: Buffer; teamId: number },
): Promise<void> {
  const { messageId, content, expiresAt, mailbox, teamId } = letter
  await sql`
    WITH box AS (
      UPDATE mailboxes
      SET digest_at = greatest(now() + ${DIGEST_AFTER_SECONDS}::int * interval '1 second',
                               digest_at + ${DIGEST_EVERY_SECONDS}::int * interval '1 second')
      WHERE mailbox_hash = ${mailbox} RETURNING digest_at)
    INSERT INTO letters (message_id, content, expires_at, mailbox_hash, team_id, next_attempt_at)
    SELECT ${messageId}::uuid, ${content}, ${expiresAt}, ${mailbox}, ${teamId}::int, digest_at FROM box`.execute(
    query,
  )
}

/** Throws if no key opens it. */
export function openLetter(
  vault: Vault,
  { content, messageId }: Pick<ClaimedLetter, 'content' | 'messageId'>,
): Letter {
  return Letter.parse(JSON.parse(vault.open(content, CONTENT, messageId)))
}

/** Schedules another attempt, or deletes a letter that was sent or given up, unless another process has claimed it. */
export async function settleLetter(
  { pool }: Database,
  holder: string,
  { id }: Pick<ClaimedLetter, 'id'>,
  { nextDelaySeconds }: Settlement,
): Promise<void> {
  if (nextDelaySeconds === null) {
    await pool.query('DELETE FROM letters WHERE id = $1 AND claimed_by = $2', [id, holder])
    return
  }
  await pool.query(
    `UPDATE letters SET attempts = attempts + 1, claimed_by = NULL, claimed_until = NULL,
                        next_attempt_at = now() + $3 * interval '1 second'
     WHERE id = $1 AND claimed_by = $2`,
    [id, holder, nextDelaySeconds],
  )
}

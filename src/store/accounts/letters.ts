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
import {
  type Claim,
  claimValues,
  type Queue,
  releaseClaimsOf,
  renewClaimsOf,
  withDueRows,
} from '../claims.ts'
import type { Vault } from '../sealing/vault.ts'

export const LETTERS_CHANNEL = 'upbeat_letters'

const CONTENT = 'letters.content'

const QUEUE: Queue = { table: 'letters', waiting: 'true' }

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

/** Claims due letters for `leaseSeconds`, including expired ones, by turns of the teams that have them sent. */
export async function claimLetters({ pool }: Database, claim: Claim): Promise<ClaimedLetter[]> {
  const { rows } = await pool.query<ClaimedLetter>({
    name: 'claim-letters',
    text: `${withDueRows(QUEUE)}
           UPDATE letters l SET claimed_by = $1, claimed_until = now() + $2 * interval '1 second'
           FROM due WHERE l.id = due.id
           RETURNING l.id, l.team_id AS "teamId", l.message_id AS "messageId", l.content, l.attempts, l.created_at AS "createdAt",
                     l.expires_at AS "expiresAt"`,
    values: claimValues(claim),
  })
  return rows
}

/** Throws if no key opens it. */
export function openLetter(
  vault: Vault,
  { content, messageId }: Pick<ClaimedLetter, 'content' | 'messageId'>,
): Letter {
  return Letter.parse(JSON.parse(vault.open(content, CONTENT, messageId)))
}

/** Renews the claims on letters that are being sent. */
export function renewLetterClaims(
  db: Database,
  holder: string,
  ids: number[],
  leaseSeconds: number,
): Promise<void> {
  return renewClaimsOf(db, QUEUE, holder, ids, leaseSeconds)
}

export function releaseLetterClaims(db: Database, holder?: string, ids?: number[]): Promise<void> {
  return releaseClaimsOf(db, QUEUE, holder, ids)
}

/** Schedules another attempt, unless another process has claimed the letter. */
export async function postponeLetter({ pool }: Database, holder: string, id: number, seconds: number) {
  await pool.query(
    `UPDATE letters SET attempts = attempts + 1, claimed_by = NULL, claimed_until = NULL,
                        next_attempt_at = now() + $3 * interval '1 second'
     WHERE id = $1 AND claimed_by = $2`,
    [id, holder, seconds],
  )
}

/** Deletes a letter that was sent or given up, unless another process has claimed it. */
export async function deleteLetter({ pool }: Database, holder: string, id: number): Promise<void> {
  await pool.query('DELETE FROM letters WHERE id = $1 AND claimed_by = $2', [id, holder])
}

/** Seconds until the next letter is due (0 if one is due); null if none is queued. */
export async function secondsToNextLetter({ pool }: Database): Promise<number | null> {
  const { rows } = await pool.query<{ seconds: number | null }>({
    name: 'next-letter',
    text: `SELECT extract(epoch FROM min(greatest(next_attempt_at, coalesce(claimed_until, next_attempt_at))) - now())::float8
             AS seconds FROM letters`,
  })
  const seconds = rows[0]?.seconds ?? null
  return seconds === null ? null : Math.max(0, seconds)
}

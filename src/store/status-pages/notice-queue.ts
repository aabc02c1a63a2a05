import type { PageLanguage } from '../../core/language/page-languages.ts'
import { pageUrl } from '../../core/status-pages/page-address.ts'
import type { PageVisibility } from '../../core/status-pages/status-page.ts'
import type { Notice, NoticeUpdate } from '../../core/status-pages/subscribers/notice.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'
import {
  type Claim,
  claimValues,
  type Queue,
  releaseClaimsOf,
  renewClaimsOf,
  withDueRows,
} from '../claims.ts'
import { NEWS_CHANNEL } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'
import { holdSubscriber } from './notices.ts'
import { openAddress, openToken } from './subscribers.ts'

const QUEUE: Queue = { table: 'status_notices', waiting: "state = 'pending'" }

export type ClaimedNotice = {
  id: number
  teamId: number
  type: Notice['type']
  messageId: string
  subscriberId: number
  attempts: number
  createdAt: Date
  /** Asks a webhook to confirm: nobody there has agreed yet. */
  isConfirmation: boolean
  /** Whether the page and the post can still be seen: who follows a link finds something. */
  isShown: boolean
  /** Throws if no key opens it. */
  open: () => Notice
}

type ClaimedRow = Omit<ClaimedNotice, 'open'> & {
  address: string
  token: string
  language: PageLanguage
  pageId: number
  name: string
  slug: string
  visibility: PageVisibility
  domain: string | null
  update: (Omit<NoticeUpdate, 'at' | 'post'> & { at: string }) | null
  post: Record<keyof NoticeUpdate['post'], never> | null
}

/** Claims messages that are due for `leaseSeconds`, by turns of the teams. */
export async function claimNotices(
  { pool }: Database,
  vault: Vault,
  siteUrl: string,
  claim: Claim,
): Promise<ClaimedNotice[]> {
  const { rows } = await pool.query<ClaimedRow>({
    name: 'claim-status-notices',
    text: `${withDueRows(QUEUE)},
      claimed AS (
        UPDATE status_notices n SET claimed_by = $1, claimed_until = now() + $2 * interval '1 second'
        FROM due WHERE n.id = due.id RETURNING n.*)
      SELECT n.id, n.team_id AS "teamId", n.message_id AS "messageId", n.subscriber_id AS "subscriberId", n.attempts,
        n.created_at AS "createdAt", n.update_id IS NULL AS "isConfirmation", s.type, s.address, s.token, s.language,
        g.id AS "pageId", g.name, g.slug, g.visibility,
        g.is_published AND (u.id IS NULL OR p.published_at IS NOT NULL) AS "isShown",
        (SELECT d.domain FROM status_domains d WHERE d.page_id = g.id AND d.proved_at IS NOT NULL
          ORDER BY d.created_at, d.domain LIMIT 1) AS domain,
        CASE WHEN u.id IS NOT NULL THEN jsonb_build_object('id', u.id, 'phase', u.phase, 'body', u.body, 'at', u.at,
          'components', (SELECT coalesce(jsonb_agg(
              jsonb_build_object('id', c.id, 'name', c.name, 'state', i ->> 'state') ORDER BY c.position, c.id), '[]')
            FROM jsonb_array_elements(u.impacts) AS i
            JOIN status_components c ON c.id = (i ->> 'component_id')::int AND c.page_id = g.id)) END AS update,
        CASE WHEN u.id IS NOT NULL THEN jsonb_build_object('id', p.id, 'kind', p.kind, 'title', p.title,
          'startedAt', p.started_at, 'resolvedAt', p.resolved_at,
          'scheduledFor', p.scheduled_for, 'scheduledUntil', p.scheduled_until) END AS post
      FROM claimed n
      JOIN status_subscribers s ON s.id = n.subscriber_id
      JOIN status_pages g ON g.id = s.page_id
      LEFT JOIN status_updates u ON u.id = n.update_id
      LEFT JOIN status_posts p ON p.id = u.post_id
      ORDER BY n.id`,
    values: claimValues(claim),
  })
  return rows.map((row) => ({
    id: row.id,
    teamId: row.teamId,
    type: row.type,
    messageId: row.messageId,
    subscriberId: row.subscriberId,
    attempts: row.attempts,
    createdAt: row.createdAt,
    isConfirmation: row.isConfirmation,
    isShown: row.isShown,
    open: () => openNotice(row, vault, siteUrl),
  }))
}

function openNotice(row: ClaimedRow, vault: Vault, siteUrl: string): Notice {
  const { subscriberId: id, type, language, pageId, name, update, post } = row
  return {
    type,
    language,
    address: openAddress(vault, { id, address: row.address }),
    token: openToken(vault, { id, token: row.token }),
    page: { id: pageId, name, url: pageUrl(siteUrl, row, row.domain) },
    update: update && post && { ...update, at: new Date(update.at), post: postOf(post) },
  }
}

function postOf(post: Record<keyof NoticeUpdate['post'], never>): NoticeUpdate['post'] {
  const time = (at: string | null) => (at === null ? null : new Date(at))
  return {
    id: post.id,
    kind: post.kind,
    title: post.title,
    startedAt: new Date(post.startedAt),
    resolvedAt: time(post.resolvedAt),
    scheduledFor: time(post.scheduledFor),
    scheduledUntil: time(post.scheduledUntil),
  }
}

export function renewNoticeClaims(
  db: Database,
  holder: string,
  ids: number[],
  leaseSeconds: number,
): Promise<void> {
  return renewClaimsOf(db, QUEUE, holder, ids, leaseSeconds)
}

export function releaseNoticeClaims(db: Database, holder?: string, ids?: number[]): Promise<void> {
  return releaseClaimsOf(db, QUEUE, holder, ids)
}

/**
 * Writes what became of an attempt, unless another process has claimed the message. A subscriber whose address refuses
 * for good gets nothing more.
 */
export async function settleNotice(
  { pool }: Database,
  holder: string,
  { id, subscriberId }: Pick<ClaimedNotice, 'id' | 'subscriberId'>,
  settled: {
    state: 'pending' | 'sent' | 'failed'
    nextDelaySeconds: number | null
    detail: string
    refusesReceiver: boolean
  },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (settled.refusesReceiver) await holdSubscriber(client, subscriberId)
    const { rowCount } = await client.query({
      name: 'settle-status-notice',
      text: `UPDATE status_notices
        SET state = $3, attempts = attempts + 1, claimed_by = NULL, claimed_until = NULL, detail = $5,
            next_attempt_at = now() + coalesce($4::float8, 0) * interval '1 second',
            finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END
        WHERE id = $1 AND claimed_by = $2 AND state = 'pending'`,
      values: [id, holder, settled.state, settled.nextDelaySeconds, settled.detail],
    })
    if (!rowCount || !settled.refusesReceiver) return
    await client.query(
      `UPDATE status_subscribers SET refused_at = now() WHERE id = $1
       RETURNING pg_notify('${NEWS_CHANNEL}',
         json_build_object('team_id', team_id, 'event', 'status_pages', 'data', json_build_object())::text)`,
      [subscriberId],
    )
    await client.query(
      `UPDATE status_notices SET state = 'failed', finished_at = now(), detail = $2
       WHERE subscriber_id = $1 AND state = 'pending'`,
      [subscriberId, settled.detail],
    )
  })
}

/** Seconds until the next message is due (0 if one is due); null if none is queued. */
export async function secondsToNextNotice({ pool }: Database): Promise<number | null> {
  const { rows } = await pool.query<{ seconds: number | null }>({
    name: 'next-status-notice',
    text: `SELECT extract(epoch FROM min(greatest(next_attempt_at, coalesce(claimed_until, next_attempt_at))) - now())::float8
             AS seconds FROM status_notices WHERE state = 'pending'`,
  })
  const seconds = rows[0]?.seconds ?? null
  return seconds === null ? null : Math.max(0, seconds)
}

import type { PageLanguage } from '../../core/language/page-languages.ts'
import { pageUrl } from '../../core/status-pages/page-address.ts'
import type { PageVisibility } from '../../core/status-pages/status-page.ts'
import type { Notice, NoticeUpdate } from '../../core/status-pages/subscribers/notice.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'
import { noteSettled, openAskedAddress, openAskedToken } from '../accounts/asked-addresses.ts'
import { claimable, type Settlement, settleClaimed } from '../claims.ts'
import type { Vault } from '../sealing/vault.ts'
import { holdSubscriber } from './notices.ts'

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
  /** Sealed, as the token is; see `openNotice`. */
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

export const queuedNotices = claimable<ClaimedNotice>({
  table: 'status_notices',
  waiting: "state = 'pending'",
  read: `SELECT n.id, s.team_id AS "teamId", n.message_id AS "messageId", n.subscriber_id AS "subscriberId", n.attempts,
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
})

/** Throws if no key opens it. */
export function openNotice(row: ClaimedNotice, vault: Vault, siteUrl: string): Notice {
  const { subscriberId: id, type, language, pageId, name, update, post } = row
  return {
    type,
    language,
    address: openAskedAddress(vault, 'status_subscribers', { id, address: row.address }),
    token: openAskedToken(vault, 'status_subscribers', { id, token: row.token }),
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

/**
 * Writes what became of an attempt, unless another process has claimed the message. A subscriber whose address refuses
 * for good gets nothing more.
 */
export async function settleNotice(
  { pool }: Database,
  holder: string,
  { id, teamId, subscriberId }: Pick<ClaimedNotice, 'id' | 'teamId' | 'subscriberId'>,
  settled: Settlement & { detail: string; refusesReceiver: boolean },
): Promise<void> {
  const subscriber = { teamId, id: subscriberId }
  await inTransaction(pool, async (client) => {
    if (settled.refusesReceiver) await holdSubscriber(client, subscriber)
    const row = { table: 'status_notices', holder, id } as const
    const isOurs = await settleClaimed(client, row, settled, { detail: settled.detail })
    if (!isOurs || !settled.refusesReceiver) return
    await noteSettled(client, 'status_subscribers', subscriber, true)
    await client.query(
      `UPDATE status_notices SET state = 'failed', finished_at = now(), detail = $2
       WHERE subscriber_id = $1 AND state = 'pending'`,
      [subscriberId, settled.detail],
    )
  })
}

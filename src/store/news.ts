import { type RawBuilder, sql } from 'kysely'
import type { News } from '../core/live-event.ts'
import type { SubjectKind } from '../core/maintenance/subject-kind.ts'
import type { CheckStatus } from '../core/monitors/check.ts'
import type { Connection, Query } from '../postgres/database.ts'

/** Deliveries may be due. */
export const DELIVERIES_CHANNEL = 'upbeat_deliveries'
/** Events of a team, for clients that watch it live (operations/live-streams.ts). */
export const NEWS_CHANNEL = 'upbeat_news'
/** The id of a user who lost a session, a membership or a role. */
export const SESSIONS_CHANNEL = 'upbeat_sessions'

/**
 * For the RETURNING clause of a statement: announces the news when the transaction commits, if the statement
 * wrote a row.
 */
export function newsNotification(news: News): RawBuilder<unknown> {
  return sql`pg_notify(${NEWS_CHANNEL}, ${JSON.stringify(news)})`
}

/** The same for an event without data. */
export function changeNotification(
  teamId: number,
  event: `${SubjectKind}s` | 'contacts' | 'maintenance' | 'on_call' | 'status_pages' | 'team',
): RawBuilder<unknown> {
  return newsNotification({ team_id: teamId, event, data: {} })
}

/** Has the live streams of a user checked again. */
export function sessionsNotification(userId: number): RawBuilder<unknown> {
  return sql`pg_notify(${SESSIONS_CHANNEL}, ${String(userId)})`
}

/** Announces news when the transaction of `query` commits. */
export async function announceNews(query: Query, news: News): Promise<void> {
  await sql`SELECT ${newsNotification(news)}`.execute(query)
}

/** News that the recorder announces about a monitor; the statement adds the team. */
export type MonitorNews =
  | { event: 'monitor'; data: { id: number; status: CheckStatus; is_active: boolean } }
  | { event: 'incident'; data: { id: number; monitor_id: number; state: 'open' | 'resolved' } }

/** Announces all news of a batch in one statement, in order. */
export async function announceMonitorNews(client: Connection, news: MonitorNews[]): Promise<void> {
  if (news.length === 0) return
  await client.query({
    name: 'announce-monitor-news',
    text: `SELECT pg_notify('${NEWS_CHANNEL}', (n.news || jsonb_build_object('team_id', m.team_id))::text)
           FROM unnest($1::int[], $2::jsonb[]) WITH ORDINALITY AS n (monitor_id, news, position)
           JOIN monitors m ON m.id = n.monitor_id ORDER BY n.position`,
    values: [
      news.map(({ event, data }) => (event === 'monitor' ? data.id : data.monitor_id)),
      news.map((one) => JSON.stringify(one)),
    ],
  })
}

/** Announces all news of servers or sites in a batch in one statement, in order. */
export async function announceSubjectNews(client: Connection, news: News[]): Promise<void> {
  await client.query({
    name: 'announce-subject-news',
    text: `SELECT pg_notify('${NEWS_CHANNEL}', n.news)
           FROM unnest($1::text[]) WITH ORDINALITY AS n (news, position) ORDER BY n.position`,
    values: [news.map((one) => JSON.stringify(one))],
  })
}

/** Announces a delivery whose row is `d`; named statements use it. */
export const DELIVERY_NOTIFICATION = `pg_notify('${NEWS_CHANNEL}', json_build_object(
  'team_id', d.team_id, 'event', 'delivery',
  'data', json_build_object('id', d.id, 'state', d.state, 'contact_id', d.contact_id, 'incident_id', CASE WHEN d.kind = 'monitor' THEN d.team_incident_id END))::text)`

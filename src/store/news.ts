import { type RawBuilder, sql } from 'kysely'
import type { News } from '../core/live-event.ts'
import type { CheckStatus } from '../core/monitors/check.ts'
import type { Connection, Query } from '../postgres/database.ts'

/** Something may be due to be sent. */
export const DELIVERIES_CHANNEL = 'upbeat_deliveries'
/** What happened in a team, for those who watch it live (operations/live-streams.ts). */
export const NEWS_CHANNEL = 'upbeat_news'
/** The id of a user who lost a session, a membership or a role. */
export const SESSIONS_CHANNEL = 'upbeat_sessions'

/** Told by the statement whose RETURNING it stands in, once its transaction commits, if it wrote a row. */
export function telling(news: News): RawBuilder<unknown> {
  return sql`pg_notify(${NEWS_CHANNEL}, ${JSON.stringify(news)})`
}

/** The same, of a change that is no more than a change. */
export function tellingOf(teamId: number, event: 'monitors' | 'contacts' | 'team'): RawBuilder<unknown> {
  return telling({ team_id: teamId, event, data: {} })
}

/** Has the streams of a user looked at again. */
export function tellingSessionsOf(userId: number): RawBuilder<unknown> {
  return sql`pg_notify(${SESSIONS_CHANNEL}, ${String(userId)})`
}

/** Tells it once the transaction of `query` commits. */
export async function announceNews(query: Query, news: News): Promise<void> {
  await sql`SELECT ${telling(news)}`.execute(query)
}

/** What the recorder tells of a monitor; the statement adds the team. */
export type MonitorNews =
  | { event: 'monitor'; data: { id: number; status: CheckStatus; is_active: boolean } }
  | { event: 'incident'; data: { id: number; monitor_id: number; state: 'open' | 'resolved' } }

/** Tells all news of a batch in one statement, in their order. */
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

/** For named statements: the news of a delivery whose row is `d`. */
export const TELLING_OF_DELIVERY = `pg_notify('${NEWS_CHANNEL}', json_build_object(
  'team_id', d.team_id, 'event', 'delivery',
  'data', json_build_object('id', d.id, 'state', d.state, 'contact_id', d.contact_id, 'incident_id', d.incident_id))::text)`

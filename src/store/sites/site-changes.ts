import { sql } from 'kysely'
import { SLOTS } from '../../core/probing/slot.ts'
import { SiteArea } from '../../core/sites/area.ts'
import type { SiteSettings } from '../../core/sites/site.ts'
import type { Query } from '../../postgres/database.ts'
import { insertContacts, replaceContacts } from '../alerting/attachments.ts'
import { markDeletedSubject } from '../history/subjects.ts'
import { resolveQuietly } from '../incidents/recording.ts'
import { changeNotification } from '../news.ts'
import { insertRecord, updateRecord } from '../records.ts'
import { noteSiteStatus } from './status-changes.ts'

/** Every area is due at once. */
export async function insertSite(
  query: Query,
  teamId: number,
  { contact_ids, ...settings }: SiteSettings,
  now: Date,
): Promise<number> {
  const slot = Math.floor(Math.random() * SLOTS)
  const id = await insertRecord(query, 'sites', teamId, () => ({ slot, created_at: now, ...settings }))
  const areas = SiteArea.options.map((area) => ({
    ...{ site_id: id, area },
    ...{ status_since: now, next_look_at: now },
  }))
  await query.insertInto('site_areas').values(areas).execute()
  await insertContacts(query, { kind: 'site', id }, contact_ids)
  return id
}

/** Writes all settings of a locked site. `isOther`: what is looked at has changed. */
export async function writeSite(
  query: Query,
  teamId: number,
  siteId: number,
  { contact_ids, ...settings }: SiteSettings,
  isOther: boolean,
): Promise<void> {
  const revision = sql<number>`revision + ${isOther ? 1 : 0}::int`
  await updateRecord(query, 'sites', { teamId, id: siteId }, { ...settings, revision })
  await replaceContacts(query, { kind: 'site', id: siteId }, contact_ids)
}

/** Ends the judging of areas of a locked site, without an alert: their incidents are resolved. */
export async function stopJudgingAreas(
  query: Query,
  siteId: number,
  areas: readonly SiteArea[],
  now: Date,
): Promise<void> {
  if (areas.length === 0) return
  await resolveQuietly(query, { kind: 'site', ids: [siteId], about: areas }, now)
  await query
    .updateTable('site_areas')
    .set({
      status: 'pending',
      status_since: now,
      cause: null,
      told_status: null,
      told_cause: null,
      doubt: null,
      doubted_at: null,
    })
    .where('site_id', '=', siteId)
    .where('area', 'in', areas)
    .execute()
  await noteSiteStatus(query, siteId, now)
}

/** Forgets what was found at another address. A crawl of it ends. */
export async function forgetSite(query: Query, siteId: number): Promise<void> {
  await sql`UPDATE site_areas SET memory = '{}', looked_at = NULL, doubt = NULL, doubted_at = NULL WHERE site_id = ${siteId}`.execute(
    query,
  )
  for (const table of ['site_crawls', 'site_findings', 'site_dns_sets'] as const)
    await query.deleteFrom(table).where('site_id', '=', siteId).execute()
}

/** Has areas of a locked site looked at by a time, or earlier if they are due then. */
export async function bringForward(
  query: Query,
  siteId: number,
  areas: readonly SiteArea[],
  at: Date,
): Promise<void> {
  if (areas.length === 0) return
  await query
    .updateTable('site_areas')
    .set({ next_look_at: sql<Date>`least(next_look_at, ${at}::timestamptz)` })
    .where('site_id', '=', siteId)
    .where('area', 'in', areas)
    .execute()
}

/** Snoozes an area of a locked site. Null: tells of it again. */
export async function snoozeArea(
  query: Query,
  teamId: number,
  siteId: number,
  area: SiteArea,
  snooze: { until: Date; reason: string } | null,
  now: Date,
): Promise<void> {
  await query
    .updateTable('site_areas')
    .set({ snoozed_until: snooze?.until ?? null, snooze_reason: snooze?.reason || null })
    .where('site_id', '=', siteId)
    .where('area', '=', area)
    .returning(changeNotification(teamId, 'sites').as('notified'))
    .execute()
  await noteSiteStatus(query, siteId, now)
}

/** Takes a locked site from its team. Looks that are under way count no more. */
export async function markSiteDeleted(
  query: Query,
  teamId: number,
  siteId: number,
  now: Date,
): Promise<void> {
  await markDeletedSubject(query, 'sites', teamId, siteId, now)
  await sql`UPDATE sites SET revision = revision + 1 WHERE team_id = ${teamId} AND id = ${siteId}`.execute(
    query,
  )
}

import type { FlapRule } from '../../core/alerting/flapping.ts'
import type { Language } from '../../core/language/language.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { CutReason } from '../../core/sites/cut-reason.ts'
import type { Doubt } from '../../core/sites/second-look.ts'
import { MAX_DNS_SETS } from '../../core/sites/shown-site.ts'
import type { ToldTrouble } from '../../core/sites/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { FLAP_RULE } from '../alerting/flaps.ts'

/** The recording of looks at sites: named statements over arrays, with one round trip per batch. */

/** A site as it is judged and as alerts describe it. */
export type SiteSubject = {
  /** When its team wants to hear that it flaps; null for never. */
  flapRule?: FlapRule | null
  siteId: number
  teamId: number
  teamName: string
  language: Language
  name: string
  url: string
  revision: number
  homeIntervalSeconds: number
  areasOff: SiteArea[]
  domainExpiresOn: string | null
  /** How often the windows of its team have changed; 0: it never had one. */
  maintenanceRevision: number
  /** The database's clock at the read. */
  readAt: Date
}

/**
 * Those that are active, kept as they are until the transaction ends; before their areas, as changes of users do. Sent
 * together: what is read of sites and teams is read once the sites are held.
 */
export async function holdSites(client: Connection, siteIds: number[]): Promise<SiteSubject[]> {
  const [, subjects] = await Promise.all([
    client.query({
      name: 'hold-sites',
      text: 'SELECT FROM sites WHERE id = ANY($1) ORDER BY id FOR SHARE',
      values: [siteIds],
    }),
    readSiteSubjects(client, siteIds),
  ])
  return subjects
}

async function readSiteSubjects(client: Connection, siteIds: number[]): Promise<SiteSubject[]> {
  const { rows } = await client.query<SiteSubject>({
    name: 'read-site-subjects',
    text: `SELECT s.id AS "siteId", s.team_id AS "teamId", t.name AS "teamName", t.language, s.name, s.url, s.revision,
                  s.home_interval_seconds AS "homeIntervalSeconds", s.areas_off AS "areasOff",
                  s.domain_expires_on::text AS "domainExpiresOn", t.maintenance_revision AS "maintenanceRevision",
                  ${FLAP_RULE} AS "flapRule", clock_timestamp() AS "readAt"
           FROM sites s JOIN teams t ON t.id = s.team_id
           WHERE s.id = ANY($1) AND s.is_active AND s.deleted_at IS NULL
           ORDER BY s.id`,
    values: [siteIds],
  })
  return rows
}

export type AreaRow = {
  siteId: number
  area: SiteArea
  status: CheckStatus
  statusSince: Date
  lookedAt: Date | null
  nextLookAt: Date
  cause: string | null
  causeReasons: readonly CutReason[] | null
  memory: Record<string, unknown>
  snoozedUntil: Date | null
  told: ToldTrouble | null
  doubt: Doubt | null
}

type LockedRow = Omit<AreaRow, 'doubt'> & { doubt: string | null; doubtedAt: Date | null }

/** Locks all areas of sites in one order, so that batches and users' changes cannot deadlock. */
export async function lockAreas(client: Connection, siteIds: number[]): Promise<AreaRow[]> {
  const { rows } = await client.query<LockedRow>({
    name: 'lock-site-areas',
    text: `SELECT site_id AS "siteId", area, status, status_since AS "statusSince", looked_at AS "lookedAt",
                  next_look_at AS "nextLookAt", cause, cause_reasons AS "causeReasons", memory, snoozed_until AS "snoozedUntil",
                  CASE WHEN told_status IS NOT NULL
                    THEN jsonb_build_object('status', told_status, 'cause', told_cause) END AS told,
                  doubt, doubted_at AS "doubtedAt"
           FROM site_areas WHERE site_id = ANY($1) ORDER BY site_id, area FOR UPDATE`,
    values: [siteIds],
  })
  return rows.map(({ doubt, doubtedAt, ...row }) => ({
    ...row,
    doubt: doubt !== null && doubtedAt !== null ? { cause: doubt, since: doubtedAt } : null,
  }))
}

export type OpenSiteIncident = { id: number; siteId: number; area: SiteArea; startedAt: Date }

/** To be sent after the areas are locked, so that it sees what they were judged by before. */
export async function readOpenIncidents(client: Connection, siteIds: number[]): Promise<OpenSiteIncident[]> {
  const { rows } = await client.query<OpenSiteIncident>({
    name: 'read-open-site-incidents',
    text: `SELECT id, subject_id AS "siteId", about AS area, started_at AS "startedAt"
           FROM team_incidents WHERE kind = 'site' AND subject_id = ANY($1) AND resolved_at IS NULL`,
    values: [siteIds],
  })
  return rows
}

export async function updateAreas(client: Connection, areas: AreaRow[]): Promise<void> {
  const column = <T>(read: (area: AreaRow) => T) => areas.map(read)
  await client.query({
    name: 'update-site-areas',
    text: `UPDATE site_areas a
           SET status = n.status, status_since = n.status_since, looked_at = n.looked_at, next_look_at = n.next_look_at,
               cause = n.cause, cause_reasons = n.cause_reasons, memory = n.memory, told_status = n.told_status, told_cause = n.told_cause,
               doubt = n.doubt, doubted_at = n.doubted_at
           FROM unnest($1::int[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
                       $7::text[], $8::jsonb[], $9::text[], $10::text[], $11::text[], $12::timestamptz[],
                       $13::jsonb[])
             AS n (site_id, area, status, status_since, looked_at, next_look_at, cause, memory, told_status, told_cause,
                   doubt, doubted_at, cause_reasons)
           WHERE a.site_id = n.site_id AND a.area = n.area`,
    values: [
      column(({ siteId }) => siteId),
      column(({ area }) => area),
      column(({ status }) => status),
      column(({ statusSince }) => statusSince),
      column(({ lookedAt }) => lookedAt),
      column(({ nextLookAt }) => nextLookAt),
      column(({ cause }) => cause),
      column(({ memory }) => JSON.stringify(memory)),
      column(({ told }) => told?.status ?? null),
      column(({ told }) => told?.cause ?? null),
      column(({ doubt }) => doubt?.cause ?? null),
      column(({ doubt }) => doubt?.since ?? null),
      column(({ causeReasons }) => causeReasons && JSON.stringify(causeReasons)),
    ],
  })
}

/** The known records of one type at a look. */
export type DnsSighting = { siteId: number; type: string; records: string[]; at: Date }

/** A set that still stands is written once an hour; of many sets the newest are kept. */
export async function noteDnsSets(
  client: Connection,
  sightings: DnsSighting[],
  changedSiteIds: number[],
): Promise<void> {
  await client.query({
    name: 'note-dns-sets',
    text: `INSERT INTO site_dns_sets AS s (site_id, type, set_hash, records, first_seen_at, last_seen_at)
           SELECT n.site_id, n.type, sha256(convert_to(n.records::text, 'UTF8')),
                  ARRAY(SELECT jsonb_array_elements_text(n.records)), n.at, n.at
           FROM unnest($1::int[], $2::text[], $3::jsonb[], $4::timestamptz[]) AS n (site_id, type, records, at)
           ON CONFLICT (site_id, type, set_hash) DO UPDATE SET last_seen_at = excluded.last_seen_at
             WHERE s.last_seen_at < excluded.last_seen_at - interval '1 hour'`,
    values: [
      sightings.map(({ siteId }) => siteId),
      sightings.map(({ type }) => type),
      sightings.map(({ records }) => JSON.stringify(records)),
      sightings.map(({ at }) => at),
    ],
  })
  if (changedSiteIds.length === 0) return
  await client.query({
    name: 'forget-dns-sets',
    text: `DELETE FROM site_dns_sets s USING (
             SELECT site_id, type, set_hash,
                    row_number() OVER (PARTITION BY site_id ORDER BY last_seen_at DESC) AS place
             FROM site_dns_sets WHERE site_id = ANY($1)) old
           WHERE old.place > ${MAX_DNS_SETS} AND s.site_id = old.site_id AND s.type = old.type
             AND s.set_hash = old.set_hash`,
    values: [changedSiteIds],
  })
}

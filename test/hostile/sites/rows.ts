import { SLOTS } from '../../../src/core/probing/slot.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { insertContacts } from '../../../src/store/alerting/attachments.ts'
import { addSite } from '../../support/records/sites.ts'
import type { Delivery, Incident } from '../logs.ts'
import type { EndedCrawl, Warning, WatchedSite } from './truth.ts'

/** Shorter than anybody may set, so that a run has many looks. */
export const HOME_INTERVAL_SECONDS = 2
/** From the end of a crawl to the next one. */
const PAUSE_SECONDS = 15
/** Incidents are numbered apart from those of monitors and servers. */
const FIRST_INCIDENT = 1_000_000_000

type Place = { teamId: number; contactId: number; address: string; ports: number[]; numbers: number[] }

/** Sites of a team, one for each port, whose alerts go to a contact. Only their home pages are looked at, and they are crawled. */
export async function addWatchedSites(
  db: Database,
  { teamId: team_id, contactId: contact_id, address, ports, numbers }: Place,
): Promise<WatchedSite[]> {
  const sites: WatchedSite[] = []
  for (const [i, number] of numbers.entries()) {
    const { id } = await addSite(db, {
      ...{ team_id, name: `w${number}`, url: `http://${address}:${ports[i]}/` },
      ...{ home_interval_seconds: HOME_INTERVAL_SECONDS, slot: Math.trunc((i * SLOTS) / numbers.length) },
      ...{ checks_foreign_links: false, areas_off: ['certificate', 'dns', 'domain'] },
    })
    await insertContacts(db.query, { kind: 'site', id }, [contact_id])
    sites.push({ id, number })
  }
  return sites
}

/** Crawls are daily: here one follows the other. It is asked for again where the database does not answer. */
export async function makeCrawlsDue({ pool }: Database): Promise<void> {
  await pool
    .query(
      `UPDATE site_areas SET next_look_at = clock_timestamp()
       WHERE area = 'links' AND next_look_at > clock_timestamp()
         AND looked_at < clock_timestamp() - $1 * interval '1 second'`,
      [PAUSE_SECONDS],
    )
    .catch(() => {})
}

/** Those that ended, by the ids of their sites; each is kept until the next one of its site ends. */
export async function readEndedCrawls({ pool }: Database): Promise<EndedCrawl[]> {
  const crawls = pool.query<EndedCrawl>(
    `SELECT id, site_id AS site, extract(epoch FROM started_at)::float8 * 1000 AS "fromMs",
            extract(epoch FROM ended_at)::float8 * 1000 AS "toMs", cut_short IS NOT NULL AS "isCutShort",
            EXISTS (SELECT FROM site_crawl_addresses a WHERE a.crawl_id = c.id AND a.address LIKE '%/sitemap.xml'
                      AND a.outcome ->> 'verdict' <> 'unjudged') AS "isSitemapRead"
     FROM site_crawls c WHERE ended_at IS NOT NULL`,
  )
  return crawls.then(
    ({ rows }) => rows,
    () => [],
  )
}

/** Whether an incident of a site is open, and was told; null while neither is certain. */
export async function isToldDown({ pool }: Database, siteId: number): Promise<boolean | null> {
  const open = pool.query<{ isTold: boolean }>(
    `SELECT EXISTS (SELECT FROM deliveries d WHERE d.kind = i.kind AND d.team_incident_id = i.id AND d.state = 'sent') AS "isTold"
     FROM team_incidents i WHERE i.kind = 'site' AND i.subject_id = $1 AND i.resolved_at IS NULL`,
    [siteId],
  )
  return open.then(
    ({ rows: [incident] }) => (!incident ? false : incident.isTold || null),
    () => null,
  )
}

/** The rows of sites in the database, by their ids. */
export async function readSiteRows({ pool }: Database) {
  const incidents = await pool.query<Incident>(
    `SELECT $1 + id AS id, subject_id AS monitor, about AS condition,
            extract(epoch FROM started_at)::float8 * 1000 AS "startedMs",
            extract(epoch FROM resolved_at)::float8 * 1000 AS "resolvedMs"
     FROM team_incidents WHERE kind = 'site'`,
    [FIRST_INCIDENT],
  )
  const deliveries = await pool.query<Delivery>(
    `SELECT message_id AS "messageId", $1 + team_incident_id AS incident, subject_id AS monitor, event, state, attempts
     FROM deliveries WHERE kind = 'site' AND team_incident_id IS NOT NULL`,
    [FIRST_INCIDENT],
  )
  const warnings = await pool.query<Warning>(
    `SELECT message_id AS "messageId", subject_id AS monitor, event, state, attempts,
            extract(epoch FROM (alert->>'occurredAt')::timestamptz)::float8 * 1000 AS "atMs"
     FROM deliveries WHERE kind = 'site' AND team_incident_id IS NULL ORDER BY id`,
  )
  return { incidents: incidents.rows, deliveries: deliveries.rows, warnings: warnings.rows }
}

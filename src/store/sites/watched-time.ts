import type { WatchedTime } from '../../core/history/uptime.ts'
import { watchedByStatus } from '../../core/history/watched-by-status.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import { watchedForMs } from '../../core/sites/site-time.ts'
import type { Connection } from '../../postgres/database.ts'
import { readSpans, readStatusChanges } from '../history/status-time.ts'
import { type KnownCover, readCoveredTime } from '../maintenance/covered-time.ts'

type Reader = Pick<Connection, 'query'>
type SiteRow = {
  id: number
  teamId: number
  createdAt: Date
  homeIntervalSeconds: number
  areasOff: SiteArea[]
  lookedAt: Date | null
}

/** The known history of these sites in a range; `cover` as for servers (store/servers/watched-time.ts). */
export async function readWatchedSites(
  reader: Reader,
  siteIds: readonly number[],
  range: { from: Date; to: Date },
  cover: KnownCover | null = null,
): Promise<Map<number, WatchedTime>> {
  const { rows: sites } = await reader.query<SiteRow>({
    name: 'read-watched-sites',
    text: `SELECT s.id, s.team_id AS "teamId", s.created_at AS "createdAt", s.areas_off AS "areasOff",
             s.home_interval_seconds AS "homeIntervalSeconds", max(a.looked_at) AS "lookedAt"
           FROM sites s LEFT JOIN site_areas a ON a.site_id = s.id WHERE s.id = ANY($1) GROUP BY s.id`,
    values: [siteIds],
  })
  const changes = await readStatusChanges(reader, 'site', siteIds, range)
  const incidents = await readSpans(reader, 'read-site-outages', OUTAGES, [siteIds, range.from, range.to])
  const maintenance = await readCoveredTime(reader, 'site', sites, range, cover)
  return new Map(
    sites.map((site) => {
      const { id, lookedAt } = site
      const watched = watchedByStatus({
        changes: changes.get(id) ?? [],
        // Earlier times in which nobody looked are changes.
        reports: lookedAt ? [{ fromMs: 0, toMs: lookedAt.getTime() }] : [],
        silences: [],
        maintenance: maintenance.get(id) ?? [],
        deletedMs: null,
        validMs: watchedForMs(site),
      })
      return [id, { ...watched, incidents: [...watched.incidents, ...(incidents.get(id) ?? [])] }]
    }),
  )
}

const OUTAGES = `
  SELECT subject_id AS id, started_at AS from, resolved_at AS to FROM team_incidents
  WHERE kind = 'site' AND subject_id = ANY($1) AND started_at < $3 AND (resolved_at IS NULL OR resolved_at >= $2)`

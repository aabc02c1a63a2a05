import type { MonitorSort } from '../../core/monitors/monitor-row.ts'
import { MonitorType } from '../../core/monitors/monitor-types.ts'
import type { LiveStatus } from '../../core/monitors/status.ts'
import { showsPort } from '../../core/monitors/target.ts'
import { partsOf } from '../../core/tags/selector.ts'
import type { TagGroup } from '../../core/tags/tag-group.ts'
import type { Database } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'
import { selects, tagOfKey } from '../tags/selecting.ts'
import { BRIEF, type BriefRow, LIVE_STATUS, openBrief, type SealedBrief, URGENCY } from './monitor-briefs.ts'

export type MonitorRowFilter = {
  /** Part of the name, or of the target without its query, which is sealed; case-insensitive; no wildcards. */
  search?: string | undefined
  status?: LiveStatus | undefined
  type?: MonitorType | undefined
  /** A monitor carries all of them. */
  tags?: readonly string[] | undefined
}

export type MonitorRowRecord = BriefRow & {
  lastCheckedAt: Date | null
  intervalSeconds: number
  cause: string | null
  contactsCount: number
  tags: string[]
}

/** Types whose target ends with its port. */
const WITH_PORT = MonitorType.options
  .filter(showsPort)
  .map((type) => `'${type}'`)
  .join(', ')

const NAME = `lower(m.name) COLLATE "C"`

/** Primary sort keys; ties are ordered by name and id. Monitors without checks sort as checked longest ago. */
const SORT_KEYS = {
  attention: URGENCY,
  name: NAME,
  last_checked_at: `coalesce(s.last_checked_at, '-infinity')`,
  created_at: 'm.created_at',
} as const satisfies Record<MonitorSort, string>

/** Monitors of a team that match a filter, whose values are the first parameters (`filterValues`). */
const MATCHING = `
  FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
  WHERE m.team_id = $1 AND m.deleted_at IS NULL
    AND ($2::text IS NULL OR strpos(lower(m.name), lower($2)) > 0 OR strpos(lower(m.url), lower($2)) > 0
         OR m.type IN (${WITH_PORT}) AND strpos(lower(substring(m.url, '//([^/?#]*)') || ':' || m.port), lower($2)) > 0)
    AND ($3::text IS NULL OR ${LIVE_STATUS} = $3) AND ($4::text IS NULL OR m.type = $4)
    AND ${selects('m.tags', '$5', '$6')}`

function filterValues(teamId: number, { search, status, type, tags = [] }: MonitorRowFilter): unknown[] {
  const { exact, keys } = partsOf(tags)
  return [teamId, search ?? null, status ?? null, type ?? null, exact, keys]
}

/**
 * One page and the total number of matches. Finds the page first and reads only its monitors. `group`: the key of tags whose
 * groups come before the order.
 */
export async function listMonitorRows(
  { pool }: Database,
  vault: Vault,
  teamId: number,
  filter: MonitorRowFilter,
  { sort, order, group }: { sort: MonitorSort; order: 'asc' | 'desc'; group?: string | undefined },
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: MonitorRowRecord[] }> {
  const inOrder = `grouped COLLATE "C" NULLS LAST, key ${order}, "nameKey", id`
  const { rows } = await pool.query<{ total: number } & (SealedBrief<MonitorRowRecord> | { id: null })>({
    name: `monitor-rows-${sort}-${order}`,
    text: `
      WITH matching AS MATERIALIZED (
        SELECT m.id, ${SORT_KEYS[sort]} AS key, ${NAME} AS "nameKey", ${tagOfKey('m.tags', '$9')} AS grouped
        ${MATCHING}
      ), page AS (
        SELECT * FROM matching ORDER BY ${inOrder} LIMIT $7 OFFSET $8
      )
      SELECT total, described.* FROM (SELECT count(*) AS total FROM matching) AS counted LEFT JOIN (
        SELECT ${BRIEF}, page.key, page."nameKey", page.grouped, s.last_checked_at AS "lastCheckedAt", i.cause, m.tags,
          coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS "intervalSeconds",
          (SELECT count(*) FROM subject_contacts c WHERE c.kind = 'monitor' AND c.subject_id = m.id) AS "contactsCount"
        FROM page JOIN monitors m ON m.id = page.id JOIN monitor_state s ON s.monitor_id = m.id
        LEFT JOIN incidents i ON i.id = s.open_incident_id
        WHERE m.team_id = $1
      ) AS described ON true
      ORDER BY ${inOrder}`,
    values: [...filterValues(teamId, filter), page.limit, page.offset, group ?? null],
  })
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.flatMap((row) => (row.id === null ? [] : [openBrief(row, vault)])),
  }
}

/** The groups of the matches by their tags of a key, in the order of the list. */
export async function listMonitorGroups(
  { pool }: Database,
  teamId: number,
  filter: MonitorRowFilter,
  key: string,
): Promise<TagGroup[]> {
  const { rows } = await pool.query<TagGroup>({
    name: 'monitor-groups',
    text: `
      WITH matching AS (
        SELECT ${tagOfKey('m.tags', '$7')} AS tag, ${LIVE_STATUS} AS status, ${URGENCY} AS urgency ${MATCHING}
      ), counted AS (
        SELECT tag, status, urgency, count(*) AS count FROM matching GROUP BY tag, status, urgency
      )
      SELECT tag, sum(count)::int AS count, (array_agg(status ORDER BY urgency))[1] AS worst,
        (array_agg(count ORDER BY urgency))[1]::int AS worst_count
      FROM counted GROUP BY tag ORDER BY tag COLLATE "C" NULLS LAST`,
    values: [...filterValues(teamId, filter), key],
  })
  return rows
}

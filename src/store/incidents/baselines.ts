import { BASELINE_CHANGES_MS, type Baseline } from '../../core/monitors/incidents/baseline.ts'
import type { Database } from '../../postgres/database.ts'

/** How the target of a monitor looked, with the settings that it was asked with. */
export type SeenBaseline = Baseline & { monitorId: number; teamId: number; revision: number }

/** More at once hold up others that write. */
export const MAX_BASELINES_AT_ONCE = 500

export type Baselines = {
  /** Writes at most MAX_BASELINES_AT_ONCE, but none of monitors that another process has written of within the hour. */
  write(seen: readonly SeenBaseline[]): Promise<void>
}

export function createBaselines({ pool }: Database): Baselines {
  return {
    async write(seen) {
      const column = <Name extends keyof SeenBaseline>(name: Name) => seen.map((one) => one[name])
      await pool.query({
        name: 'baselines-write',
        text: WRITE,
        values: [
          ...[column('monitorId'), column('teamId'), column('revision'), column('seenAt'), column('region')],
          ...[column('address'), column('server'), column('bytes'), column('redirect')],
          column('fingerprint'),
        ],
      })
    },
  }
}

/** The monitors first: one that is deleted takes its row with it. */
const WRITE = `WITH living AS (
    SELECT m.id, m.team_id FROM monitors m WHERE m.id = ANY($1::int[]) AND m.team_id = ANY($2::int[])
    ORDER BY m.id FOR KEY SHARE)
  INSERT INTO baselines (monitor_id, team_id, revision, seen_at, region, address, server, bytes, redirect, fingerprint)
  SELECT c.* FROM unnest($1::int[], $2::int[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::bigint[],
    $9::text[], $10::text[]) AS c (id, team_id, revision, seen_at, region, address, server, bytes, redirect, fingerprint)
    JOIN living l ON l.id = c.id AND l.team_id = c.team_id
  ORDER BY c.id
  ON CONFLICT (monitor_id) DO UPDATE SET revision = excluded.revision, seen_at = excluded.seen_at, region = excluded.region,
    address = excluded.address, server = excluded.server, bytes = excluded.bytes, redirect = excluded.redirect,
    fingerprint = excluded.fingerprint
  WHERE baselines.team_id = excluded.team_id AND (baselines.revision < excluded.revision
    OR baselines.seen_at <= excluded.seen_at - interval '${BASELINE_CHANGES_MS} ms')`

/** Null where none is known of the monitor as it is set now. */
export async function readBaseline(
  pool: Database['pool'],
  monitor: { id: number; team_id: number; revision: number },
): Promise<Baseline | null> {
  const { rows } = await pool.query<Baseline>({
    name: 'baselines-read',
    text: `SELECT seen_at AS "seenAt", region, address, server, bytes, redirect, fingerprint
      FROM baselines WHERE team_id = $1 AND monitor_id = $2 AND revision = $3`,
    values: [monitor.team_id, monitor.id, monitor.revision],
  })
  return rows[0] ?? null
}

import { isUnsettled } from '../../support/records/alerting.ts'
import type { TestService } from '../../support/services/service.ts'
import { until } from '../../support/until.ts'

export type Incident = { id: number; monitor: number; startedMs: number; cause: string }

/** Everything is up, and every alert delivered. */
export async function untilWell(service: TestService): Promise<void> {
  await until('everything to be up and told', () =>
    isUnsettled(service.services.db).then(
      (unsettled) => !unsettled,
      () => false,
    ),
  )
}

/** A status outlives what could not be judged: each has had a check since then that was. */
export async function untilJudged(service: TestService, sinceMs: number): Promise<void> {
  await until('everything to be judged again', async () => {
    const { rows } = await service.services.db.pool.query<{ count: number }>(
      `SELECT count(*) FROM monitors AS m WHERE type <> 'heartbeat' AND is_active AND NOT EXISTS (
         SELECT FROM checks AS c WHERE c.monitor_id = m.id AND c.status <> 'pending' AND c.checked_at > $1)`,
      [new Date(sinceMs)],
    )
    return Number(rows[0]?.count) === 0
  })
}

export async function downOf(service: TestService): Promise<Set<number>> {
  const { rows } = await service.services.db.pool.query<{ id: number }>(
    "SELECT monitor_id AS id FROM monitor_state WHERE status = 'down'",
  )
  return new Set(rows.map(({ id }) => id))
}

export async function newestIncidentOf(service: TestService): Promise<number> {
  const { rows } = await service.services.db.pool.query<{ id: number }>(
    "SELECT coalesce(max(id), 0) AS id FROM team_incidents WHERE kind = 'monitor'",
  )
  return Number(rows[0]?.id)
}

/** Numbers say what came after: the clock may be what is wrong. */
export async function incidentsAfter(service: TestService, id: number): Promise<Incident[]> {
  const { rows } = await service.services.db.pool.query<Incident>(
    `SELECT id, subject_id AS monitor, extract(epoch FROM started_at)::float8 * 1000 AS "startedMs", cause
     FROM team_incidents WHERE kind = 'monitor' AND id > $1 ORDER BY id`,
    [id],
  )
  return rows
}

/** How many checks were not judged, of one monitor or of all. */
export async function pendingSince(
  service: TestService,
  sinceMs: number,
  monitor: number | null = null,
): Promise<number> {
  const { rows } = await service.services.db.pool.query<{ count: number }>(
    `SELECT count(*) FROM checks
     WHERE status = 'pending' AND checked_at >= $1 AND monitor_id = coalesce($2, monitor_id)`,
    [new Date(sinceMs), monitor],
  )
  return Number(rows[0]?.count ?? 0)
}

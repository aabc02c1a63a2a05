import type { CheckStatus } from '../../core/monitors/check.ts'
import type { Database } from '../../postgres/database.ts'
import { flappingSince } from '../alerting/flaps.ts'
import { acknowledgedBy, type HolderColumn } from '../on-call/acknowledged-by.ts'

/** SQL for the rule in core/monitors/status.ts. */
export const LIVE_SERVER_STATUS = `CASE WHEN s.is_active THEN t.status ELSE 'paused' END`

export type ServerInTrouble = {
  id: number
  name: string
  hostName: string | null
  status: CheckStatus
  statusSince: Date
  /** The cause of the open incident that is worst, and oldest of those. */
  reason: string | null
  /** The holder of the same incident. */
  acknowledgement: HolderColumn
  flappingSince: Date | null
}

/** Servers that are down or degraded: worst first, then newest first. */
export async function serversInTrouble(
  { pool }: Database,
  teamId: number,
  limit: number,
): Promise<ServerInTrouble[]> {
  const { rows } = await pool.query<ServerInTrouble>({
    name: 'servers-in-trouble',
    text: `
      SELECT s.id, s.name, t.machine->>'host_name' AS "hostName", t.status, t.status_since AS "statusSince",
        worst.cause AS reason, ${acknowledgedBy({ kind: "'server'", id: 'worst.id', team: '$1' })} AS acknowledgement,
        ${flappingSince('server', 's.id')} AS "flappingSince"
      FROM servers s JOIN server_state t ON t.server_id = s.id
      LEFT JOIN LATERAL (SELECT i.id, i.cause FROM team_incidents i
        WHERE i.kind = 'server' AND i.subject_id = s.id AND i.resolved_at IS NULL
        ORDER BY i.warns_only, i.started_at, i.id LIMIT 1) AS worst ON true
      WHERE s.team_id = $1 AND s.deleted_at IS NULL AND s.is_active AND t.status IN ('down', 'degraded')
      ORDER BY t.status = 'degraded', t.status_since DESC, s.id DESC LIMIT $2`,
    values: [teamId, limit],
  })
  return rows
}

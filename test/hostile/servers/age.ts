import { MIN_SILENT_SECONDS } from '../../../src/core/servers/condition.ts'
import type { Database } from '../../../src/postgres/database.ts'

/** The rest of the shortest limit once a silence is aged. */
export const LIMIT_MS = 6_000

const AGED_SECONDS = MIN_SILENT_SECONDS - LIMIT_MS / 1_000

/**
 * Dates the last report of a silent server back, as nobody may set a limit so short that a run has many silences. It does
 * nothing twice, and is asked for again where the database does not answer or a report arrives late.
 */
export async function ageServer({ pool }: Database, serverId: number): Promise<void> {
  await pool
    .query(
      `UPDATE server_state
       SET last_report_at = last_report_at - $2 * interval '1 second', silent_at = silent_at - $2 * interval '1 second'
       WHERE server_id = $1 AND silent_at IS NOT NULL
         AND last_report_at > clock_timestamp() - $2 * interval '1 second'`,
      [serverId, AGED_SECONDS],
    )
    .catch(() => {})
}

import type { Database } from '../../../src/postgres/database.ts'
import type { SwitchTarget } from '../servers/switch-target.ts'
import type { TeamClient } from '../services/team-client.ts'

/** As many changes as a team of these tests still hears of, one by one. */
export const TOLD_CHANGES = 3
const MINUTES = 5

/** Has the team hear once of what changes more often, as its page does. */
export async function wantOneAlert({ db, teamId }: { db: Database; teamId: number }): Promise<void> {
  await db.pool.query('UPDATE teams SET flap_changes = $2, flap_minutes = $3 WHERE id = $1', [
    teamId,
    TOLD_CHANGES,
    MINUTES,
  ])
}

/** Has a monitor that is up fail and pass by turns, so often; the first of these checks fails. */
export async function flap(
  client: TeamClient,
  id: number,
  target: SwitchTarget,
  times: number,
): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    target.status = turn % 2 === 0 ? 503 : 200
    await client.checkNow(id)
  }
}

/** Moves all that a monitor did into the past, as if it had not changed for longer than the minutes. */
export async function letMinutesPass(db: Database, monitorId: number): Promise<void> {
  const long = "interval '1 hour'"
  await db.pool.query(
    `UPDATE team_incidents SET started_at = started_at - ${long}, resolved_at = resolved_at - ${long}
     WHERE kind = 'monitor' AND subject_id = $1`,
    [monitorId],
  )
  await db.pool.query(
    `UPDATE flaps SET since = since - ${long}, look_at = now() WHERE kind = 'monitor' AND subject_id = $1`,
    [monitorId],
  )
}

/** The events of a monitor's deliveries; `steady` behind those that say how something is that flapped. */
export async function saidOf(db: Database, monitorId: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ said: string }>(
    `SELECT concat_ws(' ', event, CASE WHEN alert ? 'flapping' AND event NOT LIKE '%.flapping' THEN 'steady' END) AS said
     FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id`,
    [monitorId],
  )
  return rows.map(({ said }) => said)
}

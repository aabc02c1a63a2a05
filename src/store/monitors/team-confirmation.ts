import { sql } from 'kysely'
import type { TeamConfirmation, TeamConfirmationPatch } from '../../core/monitors/confirmation.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'
import { announceTeams, IS_PROBED } from '../probing/schedule.ts'

/** A monitor that probes do not check has none of its team. */
const RECOVERY_CHECKS = sql<number>`coalesce((m.options ->> 'recovery_checks')::int,
  CASE WHEN ${sql.raw(IS_PROBED)} THEN t.recovery_checks ELSE 1 END)`

const COLUMNS = ['confirmations', 'recovery_checks'] as const

export async function readTeamConfirmation(query: Query, teamId: number): Promise<TeamConfirmation> {
  return query.selectFrom('teams').select(COLUMNS).where('id', '=', teamId).executeTakeFirstOrThrow()
}

/** Announces the change to probers; one that misses the announcement reads it with recent changes. */
export async function updateTeamConfirmation(
  { query }: Database,
  teamId: number,
  changes: TeamConfirmationPatch,
): Promise<void> {
  await query.transaction().execute(async (trx) => {
    await trx
      .updateTable('teams')
      .set(changes)
      .where('id', '=', teamId)
      .returning(changeNotification(teamId, 'team').as('notified'))
      .execute()
    await announceTeams(trx, [teamId])
  })
}

/** A monitor's progress toward the end of its incident or of a warning; null without either, or if a single pass is enough. */
export async function readRecovery(
  query: Query,
  teamId: number,
  monitorId: number,
): Promise<{ passing: number; needed: number } | null> {
  const row = await query
    .selectFrom('monitors as m')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .select(['s.passing', RECOVERY_CHECKS.as('needed')])
    .where('m.id', '=', monitorId)
    .where('m.team_id', '=', teamId)
    .where(({ or, and, eb }) =>
      or([
        eb('s.status', '=', 'down'),
        eb('s.open_incident_id', 'is not', null),
        and([eb('s.status', '=', 'degraded'), eb('s.unmet', '=', true)]),
      ]),
    )
    .where(RECOVERY_CHECKS, '>', 1)
    .executeTakeFirst()
  return row ?? null
}

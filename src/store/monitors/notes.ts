import { type MonitorNotes, NO_NOTES } from '../../core/monitors/notes.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'

export async function readNotes(query: Query, teamId: number, monitorId: number): Promise<MonitorNotes> {
  const row = await query
    .selectFrom('monitor_notes as n')
    .innerJoin('monitors as m', 'm.id', 'n.monitor_id')
    .where('m.team_id', '=', teamId)
    .where('n.monitor_id', '=', monitorId)
    .select(['n.runbook_url', 'n.notes'])
    .executeTakeFirst()
  return row ?? NO_NOTES
}

/** Writes nothing for a monitor of another team. */
export async function writeNotes(
  query: Query,
  teamId: number,
  monitorId: number,
  { runbook_url, notes }: MonitorNotes,
): Promise<void> {
  await query
    .insertInto('monitor_notes')
    .columns(['monitor_id', 'runbook_url', 'notes'])
    .expression(({ selectFrom, val }) =>
      selectFrom('monitors')
        .select(['id', val(runbook_url).as('runbook_url'), val(notes).as('notes')])
        .where('team_id', '=', teamId)
        .where('id', '=', monitorId),
    )
    .onConflict((conflict) => conflict.column('monitor_id').doUpdateSet({ runbook_url, notes }))
    .returning(changeNotification(teamId, 'monitors').as('notified'))
    .execute()
}

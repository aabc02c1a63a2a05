import type { Database } from '../../../src/postgres/database.ts'
import { addRow, addRows, type Given } from './rows.ts'

/** Checks that found the monitor up, now, where nothing else is given. */
export async function addChecks(
  db: Database,
  checks: ({ monitor_id: number } & Given<'checks'>)[],
): Promise<void> {
  const rows = checks.map((columns) => ({ checked_at: new Date(), status: 'up' as const, ...columns }))
  await addRows(db, 'checks', rows)
}

/** An incident that is open, and began now, where nothing else is given. */
export async function addIncident(
  db: Database,
  incident: { team_id: number; monitor_id: number } & Given<'incidents'>,
): Promise<number> {
  return (await addRow(db, 'incidents', { started_at: new Date(), ...incident })).id
}

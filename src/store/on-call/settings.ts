import type { OnCallSettings, OnCallSettingsPatch } from '../../core/on-call/policy.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { lookAtFlaps } from '../alerting/flaps.ts'
import { changeNotification } from '../news.ts'

export async function readOnCallSettings(query: Query, teamId: number): Promise<OnCallSettings> {
  const row = await query
    .selectFrom('teams')
    .select(['reminder_minutes', 'flap_changes as changes', 'flap_minutes as minutes'])
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow()
  const { reminder_minutes, changes, minutes } = row
  return { reminder_minutes, flapping: changes === null || minutes === null ? null : { changes, minutes } }
}

/** A new rule holds at once for all that flaps. */
export async function updateOnCallSettings(
  { query }: Database,
  teamId: number,
  { flapping, ...settings }: OnCallSettingsPatch,
): Promise<void> {
  await query.transaction().execute(async (trx) => {
    await trx
      .updateTable('teams')
      .set(({ ref }) => ({
        // A change of nothing is still a change.
        name: ref('name'),
        ...settings,
        ...(flapping !== undefined && {
          ...{ flap_changes: flapping?.changes ?? null, flap_minutes: flapping?.minutes ?? null },
        }),
      }))
      .where('id', '=', teamId)
      .returning(changeNotification(teamId, 'on_call').as('notified'))
      .execute()
    if (flapping !== undefined) await lookAtFlaps(trx, teamId)
  })
}

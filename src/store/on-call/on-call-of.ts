import { type ScheduleTimes, who } from '../../core/on-call/who.ts'
import type { Connection } from '../../postgres/database.ts'

/** A schedule and the contacts of who is on call by it at a time; null for those where nobody is. */
export type AskedOnCall = { name: string; contactIds: readonly number[] | null }

type AskedSchedule = Omit<ScheduleTimes<{ key: number; contactIds: number[] }>, 'overrides'> & {
  name: string
  overridden: number | null
}

/**
 * Asks a schedule of a team who is on call at a time, in the transaction of a step; null if the team has no such schedule.
 * The override that was added last wins where some overlap.
 */
export async function onCallOf(
  client: Pick<Connection, 'query'>,
  teamId: number,
  scheduleId: number,
  at: Date,
): Promise<AskedOnCall | null> {
  const { rows } = await client.query<AskedSchedule>({
    name: 'read-asked-schedule',
    text: `SELECT s.name, s.time_zone, s.layers,
             (SELECT o.participant FROM schedule_overrides o
              WHERE o.schedule_id = s.id AND o.starts_at <= $3 AND o.ends_at > $3 ORDER BY o.id DESC LIMIT 1) AS overridden,
             (SELECT coalesce(json_agg(json_build_object('key', p.key, 'contactIds', ARRAY(
                SELECT c.contact_id FROM schedule_participant_contacts c
                WHERE c.schedule_id = p.schedule_id AND c.participant = p.key ORDER BY c.position))), '[]')
              FROM schedule_participants p WHERE p.schedule_id = s.id) AS participants
           FROM schedules s WHERE s.team_id = $1 AND s.id = $2`,
    values: [teamId, scheduleId, at],
  })
  const [schedule] = rows
  if (!schedule) return null
  const { name, overridden } = schedule
  const now = { startsAt: at, endsAt: new Date(at.getTime() + 1) }
  const overrides = overridden === null ? [] : [{ participant: overridden, ...now }]
  return { name, contactIds: who({ ...schedule, overrides }, at)?.contactIds ?? null }
}

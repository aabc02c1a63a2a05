import type { Database, Query } from '../../postgres/database.ts'
import { quarterOf, quartersBetween } from '../history/quarters.ts'

/** Things that a team does once: to be told of trouble, and to tell of it. */
export type DoneOnce = {
  isContactReached: boolean
  /** A monitor passed a check, whatever it does now. */
  hasPassed: boolean
  isOnCallSet: boolean
  hasStatusPage: boolean
  areOthersAsked: boolean
  createdAt: Date
  areStepsHidden: boolean
}

/** A monitor that is deleted ends its incident, too, and has not passed for that. */
const RECOVERED = `team_incidents i JOIN monitors m ON m.id = i.subject_id AND m.deleted_at IS NULL
  WHERE i.team_id = $1 AND i.kind = 'monitor' AND i.resolved_at IS NOT NULL`

/** Hours that are summed up. */
const UP_FOR_SOME_TIME = `check_hours h JOIN monitors m ON m.id = h.monitor_id AND m.deleted_at IS NULL
  WHERE m.team_id = $1 AND h.up + h.degraded > 0`

/** The check before an outage, as long as its hour is not summed up. */
const UP_BEFORE = `team_incidents i JOIN monitors m ON m.id = i.subject_id AND m.deleted_at IS NULL
  JOIN checks c ON c.monitor_id = m.id AND c.checked_at < i.started_at
    AND ${quarterOf('c.checked_at')} = ANY(${quartersBetween("i.started_at - interval '3 hours'", 'i.started_at')})
  WHERE i.team_id = $1 AND i.kind = 'monitor' AND i.resolved_at IS NULL AND c.status IN ('up', 'degraded')`

/** Each answer stops at the first record that it finds. */
export async function readDoneOnce({ pool }: Database, teamId: number, userId: number): Promise<DoneOnce> {
  const has = (records: string) => `EXISTS (SELECT FROM ${records})`
  const { rows } = await pool.query<DoneOnce>({
    name: 'done-once',
    text: `
      SELECT t.created_at AS "createdAt",
        ${has("deliveries WHERE team_id = $1 AND state = 'sent'")} AS "isContactReached",
        ${[RECOVERED, UP_FOR_SOME_TIME, UP_BEFORE].map(has).join(' OR ')} AS "hasPassed",
        ${has('escalation_policies WHERE team_id = $1')} OR ${has('schedules WHERE team_id = $1')} AS "isOnCallSet",
        ${has('status_pages WHERE team_id = $1')} AS "hasStatusPage",
        ${has('invitations WHERE team_id = $1')} OR (SELECT count(*) FROM members WHERE team_id = $1) > 1
          AS "areOthersAsked",
        ${has('members WHERE team_id = $1 AND user_id = $2 AND first_steps_hidden_at IS NOT NULL')} AS "areStepsHidden"
      FROM teams t WHERE t.id = $1`,
    values: [teamId, userId],
  })
  const [row] = rows
  if (!row) throw new Error(`team ${teamId} is gone`)
  return row
}

/** With the time of the first wish. */
export async function markStepsHidden(
  query: Query,
  teamId: number,
  userId: number,
  now: Date,
): Promise<void> {
  await query
    .updateTable('members')
    .set({ first_steps_hidden_at: now })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .where('first_steps_hidden_at', 'is', null)
    .execute()
}

import type { Database, Query } from '../../postgres/database.ts'

/** Things that a team does once: to be told of trouble, and to tell of it. */
export type DoneOnce = {
  isContactReached: boolean
  hasRecovered: boolean
  isOnCallSet: boolean
  hasStatusPage: boolean
  areOthersAsked: boolean
  createdAt: Date
  areStepsHidden: boolean
}

/** A monitor that is deleted ends its incident, too, and has not passed for that. */
const RECOVERED = `team_incidents i JOIN monitors m ON m.id = i.subject_id AND m.deleted_at IS NULL
  WHERE i.team_id = $1 AND i.kind = 'monitor' AND i.resolved_at IS NOT NULL`

/** Each answer stops at the first record that it finds. */
export async function readDoneOnce({ pool }: Database, teamId: number, userId: number): Promise<DoneOnce> {
  const has = (records: string) => `EXISTS (SELECT FROM ${records})`
  const { rows } = await pool.query<DoneOnce>({
    name: 'done-once',
    text: `
      SELECT t.created_at AS "createdAt",
        ${has("deliveries WHERE team_id = $1 AND state = 'sent'")} AS "isContactReached",
        ${has(RECOVERED)} AS "hasRecovered",
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

import type { Query } from '../../postgres/database.ts'

/** Takes the name of a deleted account out of all schedules; its contacts and turns are the team's, and stay. */
export async function forgetParticipant(query: Query, userId: number): Promise<void> {
  await query
    .updateTable('schedule_participants')
    .set({ name: `Deleted account ${userId}` })
    .where('user_id', '=', userId)
    .execute()
}

import { presentTeam, type Team } from '../../core/teams/team.ts'
import { readUsage, renameTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

export const getTeam: Implementation<'getTeam'> = {
  async perform(services, { actor }) {
    return { body: { data: await readTeam(services, actor.teamId) } }
  },
}

export const updateTeam: Implementation<'updateTeam'> = {
  async perform(services, { actor, body }) {
    if (body.name !== undefined) await renameTeam(services.db.query, actor.teamId, body.name)
    return { body: { data: await readTeam(services, actor.teamId) } }
  },
}

export async function readTeam({ db, plans }: Services, teamId: number): Promise<Team> {
  const usage = await readUsage(db.query, teamId)
  return presentTeam(usage, plans[usage.plan])
}

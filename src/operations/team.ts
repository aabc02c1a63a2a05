import { presentTeam } from '../core/team.ts'
import { readUsage } from '../store/teams.ts'
import type { Implementation } from './implementation.ts'

export const getTeam: Implementation<'getTeam'> = {
  async perform({ db, plans }, { actor }) {
    const usage = await readUsage(db.query, actor.teamId)
    return { body: { data: presentTeam(usage, plans[usage.plan]) } }
  },
}

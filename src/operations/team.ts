import { presentTeam } from '../core/team.ts'
import { readUsage } from '../store/teams.ts'
import type { Handler } from './run.ts'

export const getTeam: Handler<'getTeam'> = {
  async perform({ db, plans }, { actor }) {
    const usage = await readUsage(db.query, actor.teamId)
    return { body: { data: presentTeam(usage, plans[usage.plan]) } }
  },
}

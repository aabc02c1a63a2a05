import { changeTeamLanguage, readTeamLanguage } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'

export const showTeamLanguage: Implementation<'showTeamLanguage'> = {
  async perform({ db }, { actor }) {
    return { body: { data: await readTeamLanguage(db.query, actor.teamId) } }
  },
}

export const updateTeamLanguage: Implementation<'updateTeamLanguage'> = {
  async perform({ db }, { actor, body }) {
    if (Object.keys(body).length > 0) await changeTeamLanguage(db.query, actor.teamId, body)
    return { body: { data: await readTeamLanguage(db.query, actor.teamId) } }
  },
}

import {
  readTeamConfirmation,
  updateTeamConfirmation as update,
} from '../../store/monitors/team-confirmation.ts'
import type { Implementation } from '../implementation.ts'

export const showTeamConfirmation: Implementation<'showTeamConfirmation'> = {
  async perform({ db }, { actor }) {
    return { body: { data: await readTeamConfirmation(db.query, actor.teamId) } }
  },
}

export const updateTeamConfirmation: Implementation<'updateTeamConfirmation'> = {
  async perform({ db }, { actor, body }) {
    if (Object.keys(body).length > 0) await update(db, actor.teamId, body)
    return { body: { data: await readTeamConfirmation(db.query, actor.teamId) } }
  },
}

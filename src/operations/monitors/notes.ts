import { readNotes, writeNotes } from '../../store/monitors/notes.ts'
import type { Implementation } from '../implementation.ts'

export const getMonitorNotes: Implementation<'getMonitorNotes'> = {
  async perform({ db }, { actor, record }) {
    return { body: { data: await readNotes(db.query, actor.teamId, record.id) } }
  },
}

export const updateMonitorNotes: Implementation<'updateMonitorNotes'> = {
  async perform({ db }, { actor, record, body }) {
    await writeNotes(db.query, actor.teamId, record.id, body)
    return { body: { data: body } }
  },
}

import { listIncidentPages as readIncidentPages } from '../../store/status-pages/incident-pages.ts'
import type { Implementation } from '../implementation.ts'

export const listIncidentPages: Implementation<'listIncidentPages'> = {
  async perform({ db }, { actor, record: { id, monitor } }) {
    const pages = await readIncidentPages(db.query, actor.teamId, { id, monitorId: monitor.id })
    return { body: { data: pages } }
  },
}

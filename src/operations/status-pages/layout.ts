import { Refusal } from '../../core/errors.ts'
import { SUBJECT_KINDS } from '../../core/maintenance/window.ts'
import { layoutFaults, placeLayout } from '../../core/status-pages/layout.ts'
import { knownSubjects } from '../../store/maintenance/subjects.ts'
import { readLayoutIds, writeLayout } from '../../store/status-pages/layout.ts'
import type { Implementation } from '../implementation.ts'
import { changePage } from './change-page.ts'

export const saveStatusPageLayout: Implementation<'saveStatusPageLayout'> = {
  async perform(services, { actor, record, body }) {
    return changePage(services, actor, record.id, async (query, page) => {
      const placed = placeLayout(body)
      const ids = await readLayoutIds(query, page.id)
      // A deleted monitor's component may stay: it comes back with the monitor.
      const known = { ...ids }
      for (const kind of SUBJECT_KINDS) {
        const named = placed.components.flatMap((component) => component[`${kind}_id`] ?? [])
        const subjects = await knownSubjects(query, actor.teamId, kind, [...new Set(named)])
        known[`${kind}s`] = [...ids[`${kind}s`], ...subjects.map(({ id }) => id)]
      }
      const faults = layoutFaults(body, known)
      if (Object.keys(faults).length > 0) throw Refusal.invalid(faults)
      await writeLayout(query, page.id, placed)
    })
  },
}

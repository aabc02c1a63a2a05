import { Refusal } from '../../core/errors.ts'
import { SUBJECT_KINDS } from '../../core/maintenance/window.ts'
import { withFollowed } from '../../core/status-pages/following-groups.ts'
import { layoutFaults, placeLayout } from '../../core/status-pages/layout.ts'
import type { Query } from '../../postgres/database.ts'
import { knownSubjects } from '../../store/maintenance/subjects.ts'
import { readCarriers } from '../../store/status-pages/following-groups.ts'
import { readLayout, readLayoutIds, writeLayout } from '../../store/status-pages/layout.ts'
import type { PageRecord } from '../../store/status-pages/pages.ts'
import { lockTags } from '../../store/tags/tags.ts'
import type { Implementation } from '../implementation.ts'
import { changePage } from './change-page.ts'
import { followOnPage } from './follow-tags.ts'

export const saveStatusPageLayout: Implementation<'saveStatusPageLayout'> = {
  async perform(services, { actor, record, body }) {
    // As in a change of tags.
    const hold = (query: Query) => lockTags(query, actor.teamId)
    const save = async (query: Query, page: PageRecord) => {
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
      const carriers = await readCarriers(query, actor.teamId)
      const { components } = await readLayout(query, page.id)
      await writeLayout(query, page.id, withFollowed(placed, components, carriers))
      await followOnPage(query, page.id, carriers)
    }
    return changePage(services, actor, record.id, save, hold)
  },
}

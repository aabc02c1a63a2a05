import { Refusal } from '../../core/errors.ts'
import { restorableSince } from '../../core/history/history-span.ts'
import { lockSubject, unmarkDeletedSubject } from '../../store/history/subjects.ts'
import { bringForward } from '../../store/sites/site-changes.ts'
import type { Implementation } from '../implementation.ts'
import { refuseOverSites } from './create-site.ts'
import { presentSite, readSite } from './present-site.ts'
import { areasOn } from './update-site.ts'

/** Gives a site back to its team, with its history and what was found. Its areas are looked at again at once. */
export const restoreSite: Implementation<'restoreSite'> = {
  async perform(services, { actor: { teamId }, record: { id } }) {
    const { db, databaseNow } = services
    const restored = await db.query.transaction().execute(async (query) => {
      await refuseOverSites(services, query, teamId)
      const since = restorableSince(databaseNow())
      if (!(await unmarkDeletedSubject(query, 'sites', teamId, id, since))) throw new Refusal('notFound')
      await lockSubject(query, 'sites', teamId, id)
      await bringForward(query, id, areasOn(await readSite(query, teamId, id)), databaseNow())
      return readSite(query, teamId, id)
    })
    return { body: { data: presentSite(restored, databaseNow()) } }
  },
}

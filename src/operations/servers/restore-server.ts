import { Refusal } from '../../core/errors.ts'
import { restorableSince } from '../../core/history/history-span.ts'
import { lockSubject, unmarkDeletedSubject } from '../../store/history/subjects.ts'
import type { Implementation } from '../implementation.ts'
import { refuseOverServers } from './create-server.ts'
import { presentServer, readServer } from './present-server.ts'
import { judgeAgain } from './update-server.ts'

/** Gives a server back to its team, with its history and its address. It waits for its next report. */
export const restoreServer: Implementation<'restoreServer'> = {
  async perform(services, { actor: { teamId }, record: { id } }) {
    const { db, databaseNow } = services
    const restored = await db.query.transaction().execute(async (query) => {
      await refuseOverServers(services, query, teamId)
      const since = restorableSince(databaseNow())
      if (!(await unmarkDeletedSubject(query, 'servers', teamId, id, since))) throw new Refusal('notFound')
      await lockSubject(query, 'servers', teamId, id)
      await judgeAgain(services, query, await readServer(query, teamId, id))
      return readServer(query, teamId, id)
    })
    return { body: { data: presentServer(restored) } }
  },
}

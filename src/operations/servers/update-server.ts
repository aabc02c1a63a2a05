import { serverOperations } from '../../contract/servers.ts'
import { Refusal } from '../../core/errors.ts'
import { thresholdsOf } from '../../core/servers/condition.ts'
import { ServerSettings } from '../../core/servers/server.ts'
import { serverFaults } from '../../core/servers/server-faults.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { lockSubject } from '../../store/history/subjects.ts'
import { moveSilence, stopJudging, updateServer as writeServer } from '../../store/servers/server-changes.ts'
import type { ServerRecord } from '../../store/servers/servers.ts'
import { refuseUnknownContacts } from '../alerting/contact-ids.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { presentServer, readServer, settingsOf } from './present-server.ts'

export const updateServer: Implementation<'updateServer'> = {
  validate(_services, _asked, body) {
    return parseFields(serverOperations.updateServer.body, body, serverFaults)
  },

  async perform(services, { actor: { teamId }, record, body }) {
    const sent: Partial<ServerSettings> = pick(body, keysOf(ServerSettings.shape))
    const changed = await services.db.query.transaction().execute(async (query) => {
      if (!(await lockSubject(query, 'servers', teamId, record.id))) throw new Refusal('notFound')
      await refuseUnknownContacts(query, teamId, body.contact_ids, 'contact_ids')
      const before = await readServer(query, teamId, record.id)
      await writeServer(query, teamId, record.id, { ...settingsOf(before), ...sent })
      const after = await readServer(query, teamId, record.id)
      await followChange(services, query, before, after)
      return readServer(query, teamId, record.id)
    })
    return { body: { data: presentServer(changed) } }
  },
}

/** A pause ends all judging. */
async function followChange(
  services: Services,
  query: Query,
  before: ServerRecord,
  after: ServerRecord,
): Promise<void> {
  if (!after.is_active) {
    if (before.is_active) await stopJudging(query, after.id, services.databaseNow())
    return
  }
  if (!before.is_active) return judgeAgain(services, query, after)
  const { silent } = thresholdsOf(after.thresholds)
  const was = thresholdsOf(before.thresholds).silent
  if (silent.is_on === was.is_on && silent.seconds === was.seconds) return
  const since = 'last report'
  await moveSilence(query, after.id, silent.is_on ? { since, seconds: silent.seconds } : null)
}

/** A locked server that was not judged has as long for its next report as one that has just reported. */
export async function judgeAgain(
  { databaseNow }: Services,
  query: Query,
  { id, is_active, thresholds }: ServerRecord,
): Promise<void> {
  const { silent } = thresholdsOf(thresholds)
  const since = databaseNow()
  await moveSilence(query, id, is_active && silent.is_on ? { since, seconds: silent.seconds } : null)
}

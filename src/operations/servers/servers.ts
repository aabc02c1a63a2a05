import { Refusal } from '../../core/errors.ts'
import { listPage } from '../../core/lists/list-page.ts'
import { lockSubject, markDeletedSubject } from '../../store/history/subjects.ts'
import { findListed, inOrderOf } from '../../store/lists/subject-list.ts'
import { stopJudging } from '../../store/servers/server-changes.ts'
import { SERVER_ROWS } from '../../store/servers/server-rows.ts'
import { countServers, listServers as readServers } from '../../store/servers/servers.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'
import { presentRow, presentServer } from './present-server.ts'

export const listServers: Implementation<'listServers'> = {
  async perform(services, { actor: { teamId, plan }, query }) {
    const { db, plans } = services
    const [{ ids, total, groups }, servers] = await Promise.all([
      findListed(db, SERVER_ROWS, teamId, query),
      countServers(db.query, teamId),
    ])
    const data = inOrderOf(ids, await readServers(db.query, teamId, ids)).map(presentRow)
    const path = `${dashboardUrl(services, teamId)}/servers`
    const { links, meta } = listPage(path, query, { total, count: data.length })
    const limits = { servers, max_servers: plans[plan].max_servers }
    return { body: { data, groups, links, meta: { ...meta, ...limits } } }
  },
}

export const getServer: Implementation<'getServer'> = {
  async perform(_services, { record }) {
    return { body: { data: presentServer(record) } }
  },
}

export const deleteServer: Implementation<'deleteServer'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record }) {
    await db.query.transaction().execute(async (query) => {
      if (!(await lockSubject(query, 'servers', teamId, record.id))) throw new Refusal('notFound')
      await stopJudging(query, record.id, databaseNow())
      await markDeletedSubject(query, 'servers', teamId, record.id, databaseNow())
    })
    return {}
  },
}

import { Refusal } from '../../core/errors.ts'
import { lockServer, markServerDeleted, stopJudging } from '../../store/servers/server-changes.ts'
import { listServers as readServers } from '../../store/servers/servers.ts'
import type { Implementation } from '../implementation.ts'
import { presentRow, presentServer } from './present-server.ts'

export const listServers: Implementation<'listServers'> = {
  async perform({ db, plans }, { actor: { teamId, plan } }) {
    const servers = await readServers(db.query, teamId)
    return {
      body: {
        data: servers.map(presentRow),
        meta: { servers: servers.length, max_servers: plans[plan].max_servers },
      },
    }
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
      if (!(await lockServer(query, teamId, record.id))) throw new Refusal('notFound')
      await stopJudging(query, record.id, databaseNow())
      await markServerDeleted(query, teamId, record.id, databaseNow())
    })
    return {}
  },
}

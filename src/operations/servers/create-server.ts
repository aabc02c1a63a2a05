import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { ServerSettings } from '../../core/servers/server.ts'
import { serverFaults } from '../../core/servers/server-faults.ts'
import { MAX_SERVERS_LISTED } from '../../core/servers/shown-server.ts'
import { canAdd } from '../../core/teams/plan.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { insertServer } from '../../store/servers/server-changes.ts'
import { countServers } from '../../store/servers/servers.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import { refuseUnknownContacts } from '../alerting/contact-ids.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { presentServer, readServer } from './present-server.ts'

export const createServer: Implementation<'createServer'> = {
  validate(_services, _asked, body) {
    return parseFields(ServerSettings, body, serverFaults)
  },

  async perform(services, { actor: { teamId }, body }) {
    const { db, vault } = services
    const server = await db.query.transaction().execute(async (query) => {
      await refuseUnknownContacts(query, teamId, body.contact_ids, 'contact_ids')
      await refuseOverServers(services, query, teamId)
      const id = await insertServer(query, vault, teamId, body, randomUUID())
      return readServer(query, teamId, id)
    })
    return { body: { data: presentServer(server) } }
  },
}

/** Refuses a server over the limit. Locks the team, so that two requests cannot both take the last place. */
export async function refuseOverServers({ plans }: Services, query: Query, teamId: number): Promise<void> {
  const { plan } = await lockTeam(query, teamId)
  const count = await countServers(query, teamId)
  const limit = plans[plan].max_servers
  if (!canAdd(limit, count)) {
    throw new Refusal('planLimitReached', {
      detail:
        limit === 1
          ? said(
              'The {plan} plan allows {limit} server, and this team has as many. Delete one or change the plan.',
              { plan, limit },
            )
          : said(
              'The {plan} plan allows {limit} servers, and this team has as many. Delete one or change the plan.',
              { plan, limit },
            ),
      plan,
      max_servers: limit,
    })
  }
  if (count < MAX_SERVERS_LISTED) return
  throw Refusal.invalid({
    name: [
      said('must wait: the team has {count} servers, the most; delete one first', {
        count: MAX_SERVERS_LISTED,
      }),
    ],
  })
}

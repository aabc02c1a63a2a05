import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import type { ServerInstall } from '../../core/servers/shown-server.ts'
import { readSecret, replaceSecret } from '../../store/sealing/secret-addresses.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { agentOf, serverAddress } from './agent-scripts.ts'

export const getServerInstall: Implementation<'getServerInstall'> = {
  async perform(services, { actor, record }) {
    const { db, vault } = services
    const token = await readSecret(db.query, vault, 'server', { teamId: actor.teamId, id: record.id })
    if (token === null) throw new Refusal('notFound')
    return { body: { data: presentInstall(services, token) } }
  },
}

export const rotateServerToken: Implementation<'rotateServerToken'> = {
  async perform(services, { actor, record }) {
    const { db, vault } = services
    const token = randomUUID()
    if (!(await replaceSecret(db.query, vault, 'server', { teamId: actor.teamId, id: record.id }, token))) {
      throw new Refusal('notFound')
    }
    return { body: { data: presentInstall(services, token) } }
  },
}

function presentInstall(services: Services, token: string): ServerInstall {
  const address = serverAddress(services, token)
  return { address, agent: agentOf(address) }
}

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import type { ServerInstall } from '../../core/servers/shown-server.ts'
import { readServerToken, replaceServerToken } from '../../store/servers/tokens.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { agentOf, serverAddress } from './agent-scripts.ts'

export const getServerInstall: Implementation<'getServerInstall'> = {
  async perform(services, { actor, record }) {
    const { db, vault } = services
    const token = await readServerToken(db.query, vault, actor.teamId, record.id)
    if (token === null) throw new Refusal('notFound')
    return { body: { data: presentInstall(services, token) } }
  },
}

export const rotateServerToken: Implementation<'rotateServerToken'> = {
  async perform(services, { actor, record }) {
    const { db, vault } = services
    const token = randomUUID()
    if (!(await replaceServerToken(db.query, vault, actor.teamId, record.id, token))) {
      throw new Refusal('notFound')
    }
    return { body: { data: presentInstall(services, token) } }
  },
}

function presentInstall(services: Services, token: string): ServerInstall {
  const address = serverAddress(services, token)
  return { address, agent: agentOf(address) }
}

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { SERVER_PATH } from '../../core/servers/server.ts'
import type { ServerInstall } from '../../core/servers/shown-server.ts'
import { readServerToken, replaceServerToken } from '../../store/servers/tokens.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

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

function presentInstall({ siteUrl }: Services, token: string): ServerInstall {
  return { address: `${siteUrl}${SERVER_PATH}/${token}`, agent: agentOfThisService() }
}

/** The agent that this service hands out. */
function agentOfThisService(): ServerInstall['agent'] {
  return { version: '1', sha256: '' }
}

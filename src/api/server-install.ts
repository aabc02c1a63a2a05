import type { Context, Hono } from 'hono'
import { SERVER_PATH } from '../core/servers/server.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import { readAgentScript } from '../operations/servers/agent-scripts.ts'
import type { Services } from '../operations/services.ts'
import type { ClientAddress } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const KINDS = ['install', 'install.ps1'] as const
/** It holds the address, which is a secret. */
const HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** The scripts that install the agent: the token in the path is the credential. */
export function addServerInstall(app: Hono, services: Services, clientAddress: ClientAddress): void {
  for (const kind of KINDS) {
    const route = `${SERVER_PATH}/:token/${kind}`
    app.get(route, async (context: Context) => {
      context.set('operation', 'install')
      const asked = { kind, token: context.req.param('token') ?? '', address: clientAddress(context) }
      try {
        return new Response(await readAgentScript(services, asked), { headers: HEADERS })
      } catch (error) {
        return toResponse(refusalAnswer(services, error))
      }
    })
    refuseOtherMethods(app, services, route, new Set(['GET']))
  }
}

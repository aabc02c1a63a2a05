import type { Context, Hono } from 'hono'
import { Refusal } from '../core/errors.ts'
import { inWords } from '../core/language/said.ts'
import { readCalendar } from '../operations/maintenance/calendar.ts'
import { type SwitchTurn, turnByAddress } from '../operations/maintenance/switch-address.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import { API_PATH, type Services } from '../operations/services.ts'
import type { ClientAddress } from './request.ts'
import { readRequest } from './request.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

/** Where somebody would look for an API of windows, which has none (docs/maintenance.md says why). */
const NO_API = ['/maintenance', '/maintenance-windows', '/maintenance-windows/:window'].map(
  (path) => API_PATH + path,
)
const TURNS: SwitchTurn[] = ['start', 'stop']
const CALENDAR = '/calendars/:file{.+\\.ics}'

/**
 * The secret addresses of switches, and of the calendars of windows and on-call schedules: the token in the path is the
 * credential. A switch is turned by POST only, so that no program that looks at links turns it.
 */
export function addMaintenance(app: Hono, services: Services, clientAddress: ClientAddress): void {
  for (const turn of TURNS) {
    const route = `/maintenance/:token/${turn}`
    app.post(route, async (context) => {
      context.set('operation', 'maintenanceSwitch')
      try {
        const { params, query } = readRequest(context)
        await turnByAddress(services, {
          token: params.token ?? '',
          address: clientAddress(context),
          turn,
          query,
        })
        return new Response(null, { status: 204 })
      } catch (error) {
        return toResponse(refusalAnswer(services, error))
      }
    })
    refuseOtherMethods(app, services, route, new Set(['POST']))
  }

  for (const route of NO_API) {
    app.all(route, () => {
      const detail = inWords(
        `Maintenance windows have no API. People create them in the dashboard, and scripts turn a switch on and off by its secret addresses: ${services.docsUrl}/maintenance`,
      )
      return toResponse(refusalAnswer(services, new Refusal('notFound', { detail })))
    })
  }

  app.get(CALENDAR, async (context) => {
    context.set('operation', 'maintenanceCalendar')
    try {
      return await calendar(context)
    } catch (error) {
      return toResponse(refusalAnswer(services, error))
    }
  })
  refuseOtherMethods(app, services, CALENDAR, new Set(['GET']))

  async function calendar(context: Context): Promise<Response> {
    const token = (context.req.param('file') ?? '').slice(0, -'.ics'.length)
    const { text, version } = await readCalendar(services, { token, address: clientAddress(context) })
    // A subscriber may keep it, and asks each time whether it changed.
    const etag = `W/"${version}"`
    const headers = { etag, 'cache-control': 'private, no-cache' }
    if (isAmong(context.req.header('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers })
    }
    return new Response(text, { headers: { ...headers, 'content-type': 'text/calendar; charset=utf-8' } })
  }
}

/** Compares weakly (RFC 9110, section 13.1.2). */
function isAmong(known: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return known?.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag)) ?? false
}

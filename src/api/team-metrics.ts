import type { Hono } from 'hono'
import { CONTENT_TYPES, formatFor, writeExposition } from '../core/exposition.ts'
import { createTeamMetrics } from '../operations/monitors/team-metrics.ts'
import { refusalAnswer } from '../operations/refusal.ts'
import { API_PATH, type Services } from '../operations/services.ts'
import { refuseOtherMethods, toResponse } from './respond.ts'

const ROUTE = `${API_PATH}/metrics`

/**
 * A team's monitors for Prometheus: with the API's tokens and limits, but not in the contract, because it is not JSON.
 */
export function addTeamMetrics(app: Hono, services: Services): void {
  const readTeamMetrics = createTeamMetrics(services)
  app.get(ROUTE, async (context) => {
    context.set('operation', 'teamMetrics')
    const headers: Record<string, string> = {}
    try {
      const families = await readTeamMetrics(context.req.header('authorization'), headers)
      const format = formatFor(context.req.header('accept'))
      const about = { 'content-type': CONTENT_TYPES[format], vary: 'accept, authorization' }
      return new Response(writeExposition(families, format), { headers: { ...headers, ...about } })
    } catch (error) {
      return toResponse(refusalAnswer(services, error, headers))
    }
  })
  refuseOtherMethods(app, services, ROUTE, new Set(['GET']))
}

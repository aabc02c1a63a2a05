import type { Hono } from 'hono'

/** Answered by this process alone. */
export const LIVENESS_PATH = '/health/live'

/** Names the part that does not work; null when everything does. */
export type Health = () => Promise<string | null>

/**
 * For load balancers and containers. `/health`: 200 if requests, database and scheduler work. `/health/live`: 200 if
 * this process responds at all; liveness checks should use it, because a restart cannot fix a database.
 */
export function addHealth(app: Hono, health: Health): void {
  app.get('/health', async (context) => {
    context.set('operation', 'health')
    const failing = await health()
    if (failing === null) return context.json({ status: 'ok' })
    return context.json({ status: 'unavailable', failing }, 503, { 'retry-after': '5' })
  })
  app.get(LIVENESS_PATH, (context) => {
    context.set('operation', 'health')
    return context.json({ status: 'ok' })
  })
}

import type { Hono } from 'hono'

/** Which part does not work; null when all do. */
export type Health = () => Promise<string | null>

/**
 * For load balancers and containers. `/health`: 200 once requests, database and scheduler work. `/health/live`: 200
 * while this process answers at all; what restarts processes asks it, because a restart mends no database.
 */
export function addHealth(app: Hono, health: Health): void {
  app.get('/health', async (context) => {
    context.set('operation', 'health')
    const failing = await health()
    if (failing === null) return context.json({ status: 'ok' })
    return context.json({ status: 'unavailable', failing }, 503)
  })
  app.get('/health/live', (context) => {
    context.set('operation', 'health')
    return context.json({ status: 'ok' })
  })
}

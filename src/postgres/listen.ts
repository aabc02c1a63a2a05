import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'

const RECONNECT_MS = 500
/** Connection name that marks a running service; each process has one. */
export const LISTEN_CLIENT = 'listen'

/**
 * Listens on channels over a separate connection. Notifications are only wake-ups: after each (re)connection
 * `onWake` callbacks get a null payload, because some may have been missed.
 */
export function listen(
  db: Database,
  channels: Record<string, (payload: string | null) => void>,
): { close(): Promise<void> } {
  const stop = new AbortController()
  let client: pg.Client | null = null

  async function connectUntilStopped() {
    while (!stop.signal.aborted) {
      client = db.newClient(LISTEN_CLIENT)
      const ended = new Promise<void>((resolve) => client?.once('end', resolve))
      client.on('error', () => client?.end().catch(() => {}))
      client.on('notification', ({ channel, payload }) => channels[channel]?.(payload || null))
      try {
        // If a client is ended while it connects, its connect() never settles.
        await Promise.race([client.connect(), ended])
        for (const channel of Object.keys(channels)) await client.query(`LISTEN ${channel}`)
        for (const wake of Object.values(channels)) wake(null)
        await ended
      } catch {
        await client.end().catch(() => {})
      }
      await delay(RECONNECT_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  const running = connectUntilStopped()
  return {
    async close() {
      stop.abort()
      await client?.end().catch(() => {})
      await running
    },
  }
}

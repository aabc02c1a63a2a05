import type pg from 'pg'
import type { Database } from './database.ts'
import { startLoop } from './loop.ts'

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
  let client: pg.Client | null = null

  async function connectAndListen(): Promise<number> {
    client = db.newClient(LISTEN_CLIENT)
    const ended = new Promise<void>((resolve) => client?.once('end', resolve))
    client.on('error', () => client?.end().catch(() => {}))
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload || null))
    try {
      // If a client is ended while it connects, its connect() never settles.
      await Promise.race([client.connect(), ended])
      await client.query(
        Object.keys(channels)
          .map((channel) => `LISTEN ${channel}`)
          .join('; '),
      )
      for (const wake of Object.values(channels)) wake(null)
      await ended
    } catch {
      await client.end().catch(() => {})
    }
    return RECONNECT_MS
  }

  const loop = startLoop({ work: connectAndListen, onTrouble: () => {} })
  return {
    async close() {
      const closed = loop.close()
      await client?.end().catch(() => {})
      await closed
    },
  }
}

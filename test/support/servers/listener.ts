import type { TestContext } from 'node:test'
import type { Database } from '../../../src/postgres/database.ts'
import { LISTEN_CLIENT, listen } from '../../../src/postgres/listen.ts'
import { until } from '../until.ts'

const STEP_MS = 1_000
const EVERY_MS = 10

/** Listens as every process of a running service does. */
export async function startListener(db: Database): Promise<{ close(): Promise<void> }> {
  const { promise: listens, resolve } = Promise.withResolvers<void>()
  const listening = listen(db, { there: () => resolve() })
  await listens
  return {
    /** Resolves when the server does not show it any more. */
    async close() {
      await listening.close()
      await until('the listener to be gone', async () => {
        const there = await db.pool.query(
          'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1',
          [`% ${LISTEN_CLIENT}`],
        )
        return there.rowCount === 0
      })
    },
  }
}

/** Turns the clock while something waits for a process that has just ended. */
export async function whileTimePasses(t: TestContext, work: () => Promise<void>): Promise<void> {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const turning = setInterval(() => t.mock.timers.tick(STEP_MS), EVERY_MS)
  try {
    await work()
  } finally {
    clearInterval(turning)
    t.mock.timers.reset()
  }
}

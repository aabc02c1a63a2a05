import type { TestContext } from 'node:test'
import pg from 'pg'

/** Counts the statements that the work sends to a database. */
export async function countStatements(t: TestContext, work: () => Promise<unknown>): Promise<number> {
  const sent = t.mock.method(pg.Client.prototype, 'query')
  try {
    await work()
    return sent.mock.callCount()
  } finally {
    sent.mock.restore()
  }
}

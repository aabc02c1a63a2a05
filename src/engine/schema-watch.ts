import type { Database } from '../postgres/database.ts'
import { newestKnownSchema, readSchema } from '../postgres/migrate.ts'

const COMPARE_EVERY_MS = 2_000

/**
 * Ends a process that cannot work with the schema that a newer release has brought: whoever started it puts another in its
 * place, and its monitors go to others meanwhile. A newer schema alone is no reason, for most of them change nothing that
 * the release before reads. `refused` resolves with what to say.
 */
export function watchSchema(deps: {
  db: Database
  /** Why something cannot work here, however often it is tried; null while all can. */
  lastingTrouble: () => string | null
  onTrouble: (error: unknown) => void
  everyMs?: number
}): { refused: Promise<Error>; close(): Promise<void> } {
  const { promise: refused, resolve } = Promise.withResolvers<Error>()

  async function compare() {
    const why = deps.lastingTrouble()
    if (why === null) return
    const [found, known] = await Promise.all([readSchema(deps.db), newestKnownSchema()])
    if (found > known) resolve(new SchemaTooNew(found, known, why))
  }

  let comparing: Promise<void> | null = null
  const timer = setInterval(() => {
    comparing ??= compare()
      .catch(deps.onTrouble)
      .finally(() => {
        comparing = null
      })
  }, deps.everyMs ?? COMPARE_EVERY_MS).unref()
  return {
    refused,
    async close() {
      clearInterval(timer)
      await comparing
    },
  }
}

class SchemaTooNew extends Error {
  constructor(found: number, known: number, why: string) {
    super(
      `the database has been brought to schema ${found}, newer than the ${known} that this process knows, and it cannot ` +
        `work with it: ${why}. It stops: start the newer version in its place`,
    )
  }
}

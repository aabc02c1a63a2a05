import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../src/postgres/database.ts'
import type { Scope } from '../../support/scope.ts'
import type { Span } from '../spans.ts'

const LOOK_MS = 500

/** The times in which memberships came or went, from when the ones before were last seen. */
export function watchTakeovers(scope: Scope, { pool }: Database): Span[] {
  const takeovers: Span[] = []
  const stop = new AbortController()
  let known: { members: string; seenMs: number } | null = null

  async function look() {
    const fromMs = Date.now()
    const asked = pool.query<{ members: string }>(
      "SELECT coalesce(string_agg(id::text, ' ' ORDER BY id), '') AS members FROM probers",
    )
    // A database that does not answer is looked at again.
    const members = await asked.then(
      ({ rows }) => rows[0]?.members ?? '',
      () => null,
    )
    if (members === null) return
    if (known && known.members !== members) takeovers.push({ fromMs: known.seenMs, toMs: Date.now() })
    known = { members, seenMs: fromMs }
  }

  async function watch() {
    while (!stop.signal.aborted) {
      await look()
      await delay(LOOK_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  const watching = watch()
  scope.after(async () => {
    stop.abort()
    await watching
  })
  return takeovers
}

import { SECRET_SETTINGS } from '../../core/monitors/secret-settings.ts'
import { keysOf } from '../../core/shape.ts'
import type { Database } from '../../postgres/database.ts'
import type { Vault } from './vault.ts'

const BATCH_ROWS = 500
const SECRETS_OF_MONITORS = keysOf(SECRET_SETTINGS)

/**
 * All columns with sealed text. Values are sealed for the purpose `table.column` and bound to the id in column `row`.
 */
const SEALED = [
  { table: 'teams', column: 'signing_secret', row: 'id' },
  { table: 'teams', column: 'calendar_token', row: 'id' },
  { table: 'maintenance_windows', column: 'token', row: 'id' },
  { table: 'status_pages', column: 'feed_token', row: 'id' },
  { table: 'status_subscribers', column: 'address', row: 'id' },
  { table: 'status_subscribers', column: 'token', row: 'id' },
  { table: 'report_recipients', column: 'address', row: 'id' },
  { table: 'report_recipients', column: 'token', row: 'id' },
  { table: 'schedules', column: 'token', row: 'id' },
  { table: 'contacts', column: 'config', row: 'id' },
  { table: 'push_keys', column: 'private_key', row: 'id' },
  { table: 'authenticators', column: 'secret', row: 'user_id' },
  { table: 'letters', column: 'content', row: 'message_id' },
  ...SECRETS_OF_MONITORS.map((column) => ({ table: 'monitors', column, row: 'id' }) as const),
  { table: 'monitors', column: 'heartbeat_token', row: 'id' },
  { table: 'servers', column: 'token', row: 'id' },
  { table: 'trial_checks', column: 'settings', row: 'id' },
] as const

type SealedColumn = (typeof SEALED)[number]
type Stale = { id: number; row: number | string; old: string }
type Resealed = Stale & { resealed: string }

/**
 * Reseals values that were sealed with an older key, so that the key can be retired, and values that are not
 * bound to their row yet. The service may keep running. Returns the number of values. Throws if some values
 * open with none of the keys, after resealing all others. An abort leaves the rest for the next run.
 */
export async function resealStale(
  db: Database,
  vault: Vault,
  note: (progress: string) => void = () => {},
  signal?: AbortSignal,
): Promise<number> {
  let resealed = 0
  let unreadable = 0
  for (const sealed of SEALED) {
    const done = await resealColumn(db, vault, sealed, signal)
    if (done.resealed > 0) note(`${purposeOf(sealed)}: ${done.resealed} sealed with the current key`)
    resealed += done.resealed
    unreadable += done.unreadable
  }
  if (unreadable > 0) throw new Error(describeUnreadable(unreadable, resealed))
  return resealed
}

async function resealColumn(db: Database, vault: Vault, sealed: SealedColumn, signal?: AbortSignal) {
  const done = { resealed: 0, unreadable: 0 }
  let lastId = 0
  for (;;) {
    if (signal?.aborted) return done
    const stale = await readStale(db, vault, sealed, lastId)
    const last = stale.at(-1)
    if (!last) return done
    lastId = last.id
    const openable: Resealed[] = []
    for (const value of stale) {
      const resealed = reseal(vault, value, purposeOf(sealed))
      if (resealed === null) done.unreadable++
      else openable.push({ ...value, resealed })
    }
    done.resealed += await replace(db, sealed, openable)
  }
}

async function readStale(db: Database, vault: Vault, { table, column, row }: SealedColumn, afterId: number) {
  const { rows } = await db.pool.query<Stale>(
    `SELECT id, ${row} AS row, ${column} AS old FROM ${table}
     WHERE id > $1 AND ${column} IS NOT NULL
       AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS prefix WHERE starts_with(${column}, prefix))
     ORDER BY id LIMIT ${BATCH_ROWS}`,
    [afterId, vault.currentPrefixes],
  )
  return rows
}

/** Null if no key opens the value. */
function reseal(vault: Vault, { old, row }: Stale, purpose: string): string | null {
  try {
    return vault.seal(vault.open(old, purpose, row), purpose, row)
  } catch {
    return null
  }
}

/** Skips values that have changed meanwhile. Locks rows in order, because two processes may do this at once. */
async function replace(db: Database, { table, column }: SealedColumn, values: Resealed[]): Promise<number> {
  const { rowCount } = await db.pool.query(
    `WITH mine AS (
       SELECT t.id, v.resealed
       FROM unnest($1::int[], $2::text[], $3::text[]) AS v (id, old, resealed)
       JOIN ${table} t ON t.id = v.id AND t.${column} = v.old
       ORDER BY t.id FOR NO KEY UPDATE OF t)
     UPDATE ${table} t SET ${column} = mine.resealed FROM mine WHERE t.id = mine.id`,
    [values.map(({ id }) => id), values.map(({ old }) => old), values.map(({ resealed }) => resealed)],
  )
  return rowCount ?? 0
}

function purposeOf({ table, column }: SealedColumn): string {
  return `${table}.${column}`
}

function describeUnreadable(unreadable: number, resealed: number): string {
  return (
    `${unreadable} stored secrets open with none of the keys (${resealed} others were sealed anew): add the key ` +
    'that sealed them to SECRET_KEY_PREVIOUS and start again, or enter these secrets anew'
  )
}

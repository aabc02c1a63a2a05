import { SECRET_SETTINGS } from '../../core/monitors/secret-settings.ts'
import { keysOf } from '../../core/shape.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSomeKept } from '../deleted-records.ts'
import { SEALED_URL } from '../monitors/monitor-columns.ts'
import type { Vault } from './vault.ts'

/** Rows that one statement looks through: a table of millions may have none to seal. */
const BATCH_ROWS = 2_000
const SECRETS_OF_MONITORS = keysOf(SECRET_SETTINGS)

/**
 * All columns with sealed text. Values are sealed for the purpose `table.column` and bound to the id in column `row`. An alert
 * has a copy of its target's address; those of sent alerts are sealed anew, too, so that an old key opens nothing here.
 */
const SEALED: readonly SealedColumn[] = [
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
  { table: 'users', column: 'sealed_phone', row: 'id' },
  { table: 'authenticators', column: 'secret', row: 'user_id' },
  { table: 'letters', column: 'content', row: 'message_id' },
  { table: 'service_settings', column: 'smtp_url', row: 'id' },
  { table: 'mail_tests', column: 'settings', row: 'id' },
  ...SECRETS_OF_MONITORS.map((column) => ({ table: 'monitors', column, row: 'id' })),
  { table: 'monitors', column: 'heartbeat_token', row: 'id' },
  { table: 'monitors', column: 'sealed_url', row: 'id' },
  { table: 'monitors', column: 'sealed_options', row: 'id' },
  { table: 'servers', column: 'token', row: 'id' },
  { table: 'trial_checks', column: 'settings', row: 'id' },
  ...(['deliveries', 'escalations', 'flaps'] as const).map((table) => ({
    table,
    column: 'alert',
    member: 'sealedTarget',
    purpose: SEALED_URL,
    row: `(alert ->> 'id')::int`,
  })),
]

type SealedColumn = {
  table: string
  column: string
  row: string
  /** The member of the JSON in the column that has the sealed text. */
  member?: string
  /** Where it is another than `table.column`, since the text was copied from there. */
  purpose?: string
}
type Stale = { id: number; row: number | string; old: string }
type Found = { lastId: number | null; rows: Stale[] }
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
  // Deleted records keep what they had sealed, which an old key would have to open.
  while (await removeSomeKept(db, new Date())) note('deleted records can no longer be taken back')
  for (const sealed of SEALED) {
    const done = await resealColumn(db, vault, sealed, signal)
    if (done.resealed > 0)
      note(`${sealed.table}.${sealed.column}: ${done.resealed} sealed with the current key`)
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
    const found = await readStale(db, vault, sealed, lastId)
    if (found.lastId === null) return done
    lastId = found.lastId
    const openable: Resealed[] = []
    for (const value of found.rows) {
      const resealed = reseal(vault, value, purposeOf(sealed))
      if (resealed === null) done.unreadable++
      else openable.push({ ...value, resealed })
    }
    if (openable.length > 0) done.resealed += await replace(db, sealed, openable)
  }
}

async function readStale({ pool }: Database, vault: Vault, sealed: SealedColumn, afterId: number) {
  const { table, row } = sealed
  const { rows } = await pool.query<Found>(
    `WITH batch AS (SELECT * FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${BATCH_ROWS}),
       sealed AS (SELECT id, ${row} AS row, ${textOf(sealed)} AS old FROM batch)
     SELECT (SELECT max(id) FROM batch) AS "lastId",
       (SELECT coalesce(json_agg(json_build_object('id', id, 'row', row, 'old', old)), '[]') FROM sealed
        WHERE old IS NOT NULL
          AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS prefix WHERE starts_with(old, prefix))) AS rows`,
    [afterId, vault.currentPrefixes],
  )
  return rows[0] as Found
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
async function replace(db: Database, sealed: SealedColumn, values: Resealed[]): Promise<number> {
  const { table, column, member } = sealed
  const written = member ? `jsonb_set(t.${column}, '{${member}}', to_jsonb(mine.resealed))` : 'mine.resealed'
  const { rowCount } = await db.pool.query(
    `WITH mine AS (
       SELECT t.id, v.resealed
       FROM unnest($1::bigint[], $2::text[], $3::text[]) AS v (id, old, resealed)
       JOIN ${table} t ON t.id = v.id AND v.old = ${textOf(sealed, 't.')}
       ORDER BY t.id FOR NO KEY UPDATE OF t)
     UPDATE ${table} t SET ${column} = ${written} FROM mine WHERE t.id = mine.id`,
    [values.map(({ id }) => id), values.map(({ old }) => old), values.map(({ resealed }) => resealed)],
  )
  return rowCount ?? 0
}

function textOf({ column, member }: SealedColumn, of = ''): string {
  return member ? `${of}${column} ->> '${member}'` : `${of}${column}`
}

function purposeOf({ table, column, purpose }: SealedColumn): string {
  return purpose ?? `${table}.${column}`
}

function describeUnreadable(unreadable: number, resealed: number): string {
  return (
    `${unreadable} stored secrets open with none of the keys (${resealed} others were sealed anew): add the key ` +
    'that sealed them to SECRET_KEY_PREVIOUS and start again, or enter these secrets anew'
  )
}

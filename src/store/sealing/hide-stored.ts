import { plainPartOf } from '../../core/teams/access.ts'
import type { Database } from '../../postgres/database.ts'
import { SEALED_PHONE } from '../accounts/phones.ts'
import { SEALED_URL } from '../monitors/monitor-columns.ts'
import type { Vault } from './vault.ts'

/** Rows that one statement looks through. */
const BATCH_ROWS = 2_000

/**
 * Columns where an older release left addresses and phone numbers in the clear. `old` is the text that stands there where
 * there is something to hide; `row` is the id that it is sealed for; the others are what is written, from the part that
 * stays readable and the sealed whole.
 */
const IN_THE_CLEAR = [
  {
    ...{ table: 'users', purpose: SEALED_PHONE, row: 'id', old: 'phone', isWhole: true },
    set: 'phone = NULL, sealed_phone = mine.sealed',
  },
  {
    ...{ table: 'monitors', purpose: SEALED_URL, row: 'id', old: `url`, isWhole: false },
    set: 'url = mine.plain, sealed_url = mine.sealed',
  },
  ...(['deliveries', 'escalations', 'flaps'] as const).map((table) => ({
    ...{ table, purpose: SEALED_URL, row: `(alert ->> 'id')::int`, isWhole: false },
    old: `CASE WHEN alert ->> 'type' = 'monitor' THEN alert ->> 'target' END`,
    set: `alert = alert || jsonb_build_object('target', mine.plain, 'sealedTarget', mine.sealed)`,
  })),
] as const

type InTheClear = (typeof IN_THE_CLEAR)[number]
type Found = { lastId: number | null; rows: { id: number; row: number; old: string }[] }

/**
 * Seals addresses and numbers that an older release stored in the clear, once addresses are hidden. The service may keep
 * running. Returns how many. An abort leaves the rest for the next run.
 */
export async function hideStored(
  db: Database,
  vault: Vault,
  note: (progress: string) => void = () => {},
  signal?: AbortSignal,
): Promise<number> {
  if (!vault.hides) return 0
  let hidden = 0
  for (const column of IN_THE_CLEAR) {
    const done = await hideColumn(db, vault, column, signal)
    if (done > 0) note(`${column.table}: ${done} stored in the clear are sealed now`)
    hidden += done
  }
  return hidden
}

async function hideColumn(db: Database, vault: Vault, column: InTheClear, signal?: AbortSignal) {
  let hidden = 0
  let lastId = 0
  for (;;) {
    if (signal?.aborted) return hidden
    const found = await readClear(db, column, lastId)
    if (found.lastId === null) return hidden
    lastId = found.lastId
    if (found.rows.length > 0) hidden += await replace(db, vault, column, found.rows)
  }
}

/** Looks through one batch of rows, so that no statement takes long in a table without any. */
async function readClear({ pool }: Database, { table, row, old, isWhole }: InTheClear, afterId: number) {
  const { rows } = await pool.query<Found>(
    `WITH batch AS (SELECT * FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${BATCH_ROWS}),
       clear AS (SELECT id, ${row} AS row, ${old} AS old FROM batch)
     SELECT (SELECT max(id) FROM batch) AS "lastId",
       (SELECT coalesce(json_agg(json_build_object('id', id, 'row', row, 'old', old)), '[]') FROM clear
        WHERE old IS NOT NULL AND ($2 OR old ~ '[?#@]')) AS rows`,
    [afterId, isWhole],
  )
  return rows[0] as Found
}

/** Skips values that have changed meanwhile. Locks rows in order, because two processes may do this at once. */
async function replace({ pool }: Database, vault: Vault, column: InTheClear, rows: Found['rows']) {
  const { table, purpose, old, isWhole, set } = column
  const values = rows
    .map((found) => ({ ...found, plain: isWhole ? '' : plainPartOf(found.old) }))
    .filter(({ plain, old }) => plain !== old)
  const { rowCount } = await pool.query(
    `WITH held AS (SELECT id FROM ${table} WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)
     UPDATE ${table} t SET ${set}
     FROM held, unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS mine (id, old, plain, sealed)
     WHERE t.id = held.id AND t.id = mine.id AND mine.old = ${old}`,
    [
      values.map(({ id }) => id),
      values.map(({ old }) => old),
      values.map(({ plain }) => plain),
      values.map(({ old, row }) => vault.seal(old, purpose, row)),
    ],
  )
  return rowCount ?? 0
}

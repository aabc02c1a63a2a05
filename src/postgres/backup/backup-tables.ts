import type pg from 'pg'
import { escapeIdentifier, escapeLiteral } from 'pg'

/** Tables whose rows mean something only while the service runs. */
export const TRANSIENT = [
  'confirmations',
  'deleted_records',
  'history_stretches',
  'leases',
  'mail_tests',
  'overruns',
  'probe_holdings',
  'probe_sessions',
  'probers',
  'rate_limits',
  'site_host_seats',
  'sealing',
  'slots',
  'trial_checks',
  'turns',
]
/** Tables that a backup omits: transient ones, and those that migrations fill. */
const LEFT_OUT = [...TRANSIENT, 'schema_migrations']

export type StoredTable = {
  name: string
  columns: string[]
  /** Null for an ordinary table. */
  partitions: Partition[] | null
}

export type Partition = {
  name: string
  /** The bounds in FOR VALUES FROM … TO …, as the server prints them. */
  from: string
  to: string
}

export type StoredSequence = {
  name: string
  /** The next value it will give. */
  next: number
}

type TableRow = {
  name: string
  partitioned: boolean
  columns: string[]
  partitions: { name: string; bounds: string }[]
  references: string[]
}

/**
 * All tables with data, ordered so that referenced tables come first. Partitions by kind belong to the schema: they are
 * copied as one table.
 */
export async function listTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<TableRow>(
    `SELECT c.relname AS name, p.partstrat IS NOT DISTINCT FROM 'r' AS partitioned,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
             ORDER BY a.attnum) AS columns,
       (SELECT coalesce(json_agg(json_build_object('name', r.relname, 'bounds', pg_get_expr(r.relpartbound, r.oid))
                                 ORDER BY r.relname), '[]')
        FROM pg_inherits i JOIN pg_class r ON r.oid = i.inhrelid
        WHERE i.inhparent = c.oid AND p.partstrat = 'r') AS partitions,
       ARRAY(SELECT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND r.oid <> c.oid) AS references
     FROM pg_class c LEFT JOIN pg_partitioned_table p ON p.partrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL($1) AND ${NOT_OF_AN_EXTENSION}
     ORDER BY c.relname`,
    [LEFT_OUT],
  )
  return inOrderOfReference(rows).map(({ name, columns, partitioned, partitions }) => ({
    name,
    columns,
    partitions: partitioned ? partitions.map(readBounds) : null,
  }))
}

function readBounds({ name, bounds }: { name: string; bounds: string }): Partition {
  const [, from, to] = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/.exec(bounds) ?? []
  if (!from || !to) throw new Error(`the partition ${name} is none of a range: ${bounds}`)
  return { name, from, to }
}

/** The statement that creates a partition of a backup unless it exists. */
export function createSavedPartition(table: string, { name, from, to }: Partition): string {
  return `CREATE TABLE IF NOT EXISTS ${escapeIdentifier(name)} PARTITION OF ${escapeIdentifier(table)}
    FOR VALUES FROM (${escapeLiteral(from)}) TO (${escapeLiteral(to)})`
}

const NOT_OF_AN_EXTENSION = `NOT EXISTS (
  SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

function inOrderOfReference(tables: TableRow[]): TableRow[] {
  const ordered: TableRow[] = []
  let left = tables
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const free = left.filter(({ references }) => !references.some((name) => waiting.has(name)))
    if (free.length === 0) throw new Error(`tables refer to each other in a ring: ${[...waiting].join(', ')}`)
    ordered.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return ordered
}

/** Call after the snapshot of the rows was taken, so that no row has an id the sequence is yet to give. */
export async function listSequences(client: pg.ClientBase): Promise<StoredSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND ${NOT_OF_AN_EXTENSION}
     ORDER BY c.relname`,
  )
  const sequences: StoredSequence[] = []
  for (const { name } of rows) {
    const found = await client.query<{ next: number }>(
      `SELECT (last_value + is_called::int)::float8 AS next FROM ${escapeIdentifier(name)}`,
    )
    sequences.push({ name, next: found.rows[0]?.next ?? 1 })
  }
  return sequences
}

/** Triggers rest while rows are copied: what they would write is among the rows. */
export async function switchTriggers(client: pg.ClientBase, to: 'DISABLE' | 'ENABLE'): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal`,
  )
  for (const { name } of rows) await client.query(`ALTER TABLE ${escapeIdentifier(name)} ${to} TRIGGER USER`)
}

/** A table with its columns for COPY: `"checks" ("checked_at", …)`. */
export function copyTarget(table: string, columns: string[]): string {
  return `${escapeIdentifier(table)} (${columns.map((column) => escapeIdentifier(column)).join(', ')})`
}

/** The same, to read: as a query, because COPY reads the partitions of a table by no other way. */
export function copySource(table: string, columns: string[]): string {
  const names = columns.map((column) => escapeIdentifier(column)).join(', ')
  return `(SELECT ${names} FROM ${escapeIdentifier(table)})`
}

/**
 * The text form of values must not depend on the server's configuration, and COPY may take longer than its timeouts.
 */
export const COPY_SETTINGS = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL datestyle = 'ISO, YMD';
  SET LOCAL intervalstyle = 'postgres';
  SET LOCAL timezone = 'UTC'`

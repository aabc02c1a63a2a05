import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Rows as Uptime Kuma stores them; the importer interprets them. */
export type KumaRows = {
  monitors: Record<string, unknown>[]
  notifications: Record<string, unknown>[]
  attached: { monitorId: number; notificationId: number }[]
  settings: Map<string, string>
  counts: Record<string, number>
}

const COUNTED = {
  'status pages': 'status_page',
  'maintenance windows': 'maintenance',
  tags: 'tag',
  proxies: 'proxy',
  'docker hosts': 'docker_host',
  'remote browsers': 'remote_browser',
  'results of checks': 'heartbeat',
  'API keys': 'api_key',
} as const

/**
 * Reads `kuma.db`, Uptime Kuma's SQLite database, without modifying it. Returns at most `limit` rows per
 * kind, plus one if there are more. Throws SQLite's errors.
 */
export function readKumaFile(file: string, limit: number): KumaRows {
  const database = openReadOnly(file)
  try {
    const list = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const tables = new Set(list.map(({ name }) => String(name)))
    const rows = (table: string) => (tables.has(table) ? rowsOf(database, table, limit + 1) : [])
    const count = (table: string) =>
      tables.has(table) ? Number(database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n) : 0
    return {
      monitors: rows('monitor'),
      notifications: rows('notification'),
      attached: attachedRows(database, tables),
      settings: new Map(rows('setting').map(({ key, value }) => [String(key), String(value ?? '')])),
      counts: Object.fromEntries(Object.entries(COUNTED).map(([what, table]) => [what, count(table)])),
    }
  } finally {
    database.close()
  }
}

/** Integers too large for a number lose precision: one odd value must not make the whole file unreadable. */
function rowsOf(database: DatabaseSync, table: string, limit: number): Record<string, unknown>[] {
  const statement = database.prepare(`SELECT * FROM "${table}" LIMIT ?`)
  statement.setReadBigInts(true)
  const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
  return statement
    .all(limit)
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
}

function attachedRows(database: DatabaseSync, tables: Set<string>): KumaRows['attached'] {
  if (!tables.has('monitor_notification')) return []
  return database
    .prepare('SELECT monitor_id, notification_id FROM monitor_notification ORDER BY id')
    .all()
    .map((row) => ({ monitorId: Number(row.monitor_id), notificationId: Number(row.notification_id) }))
}

/** Opens a file in a read-only directory without its write-ahead log as immutable. */
function openReadOnly(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get()
    return database
  } catch (error) {
    database.close()
    // The lowest byte of an extended error code is its primary code.
    const kind = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (kind !== SQLITE_CANTOPEN && kind !== SQLITE_READONLY) throw error
    return new DatabaseSync(`${pathToFileURL(file)}?immutable=1`, { readOnly: true })
  }
}

const SQLITE_READONLY = 8
const SQLITE_CANTOPEN = 14

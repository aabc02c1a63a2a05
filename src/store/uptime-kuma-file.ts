import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Rows as Uptime Kuma stores them; the importer interprets them. */
export type KumaRows = {
  monitors: Record<string, unknown>[]
  notifications: Record<string, unknown>[]
  attached: { monitorId: number; notificationId: number }[]
  maintenances: Record<string, unknown>[]
  covered: { maintenanceId: number; monitorId: number }[]
  tags: { monitorId: number; name: unknown; value: unknown }[]
  /** IDs of maintenances that status pages show. */
  onPages: number[]
  pages: Record<'pages' | 'domains' | 'groups' | 'shown' | 'incidents', Record<string, unknown>[]>
  settings: Map<string, string>
  counts: Record<string, number>
}

const COUNTED = {
  proxies: 'proxy',
  'docker hosts': 'docker_host',
  'remote browsers': 'remote_browser',
  'results of checks': 'heartbeat',
  'API keys': 'api_key',
} as const

/** Of one table that attaches records to each other. */
const MAX_PAIRS = 1_000_000

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
    const pairs = (table: string, one: string, other: string) =>
      tables.has(table) ? pairsOf(database, table, one, other) : []
    const count = (table: string) =>
      tables.has(table) ? Number(database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n) : 0
    return {
      monitors: rows('monitor'),
      notifications: rows('notification'),
      attached: pairs('monitor_notification', 'monitor_id', 'notification_id').map(
        ([monitorId, notificationId]) => ({ monitorId, notificationId }),
      ),
      maintenances: rows('maintenance'),
      covered: pairs('monitor_maintenance', 'maintenance_id', 'monitor_id').map(
        ([maintenanceId, monitorId]) => ({ maintenanceId, monitorId }),
      ),
      tags: tables.has('tag') && tables.has('monitor_tag') ? tagsOf(database) : [],
      onPages: pairs('maintenance_status_page', 'maintenance_id', 'status_page_id').map(([id]) => id),
      pages: {
        pages: rows('status_page'),
        domains: rows('status_page_cname'),
        groups: rows('group'),
        shown: rows('monitor_group'),
        incidents: rows('incident'),
      },
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

function pairsOf(database: DatabaseSync, table: string, one: string, other: string): [number, number][] {
  const statement = database.prepare(
    `SELECT "${one}" AS one, "${other}" AS other FROM "${table}" ORDER BY id LIMIT ?`,
  )
  return statement.all(MAX_PAIRS).map((row) => [Number(row.one), Number(row.other)])
}

function tagsOf(database: DatabaseSync): KumaRows['tags'] {
  const statement = database.prepare(
    'SELECT m.monitor_id, t.name, m.value FROM monitor_tag m JOIN tag t ON t.id = m.tag_id ORDER BY m.id LIMIT ?',
  )
  return statement
    .all(MAX_PAIRS)
    .map(({ monitor_id, name, value }) => ({ monitorId: Number(monitor_id), name, value }))
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

import { resolve } from 'node:path'
import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { english, type Said, said } from '../core/language/said.ts'

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
  proxies: Record<string, unknown>[]
  dockerHosts: Record<string, unknown>[]
  settings: Map<string, string>
  counts: Record<string, number>
}

const COUNTED = {
  'remote browsers': 'remote_browser',
  'results of checks': 'heartbeat',
  'API keys': 'api_key',
} as const

/** The database holds more than is read, or what is none of Uptime Kuma's tables. The message is a clause. */
export class UnfitDatabase extends Error {
  readonly fault: Said

  constructor(fault: Said) {
    super(english(fault))
    this.fault = fault
  }
}

/** Rows of a table that is only counted: a damaged one can have more than could ever be read. */
const MAX_COUNTED = 1_000_000
/** The size of all values together, so that no form of a table makes them fill the memory. */
const MAX_BYTES = 64 * 1_024 * 1_024
/** The cost of keeping a value, beside its text. */
const VALUE_BYTES = 16

/** Bounds of SQLite on what a statement may hold or make, whatever the schema of the file says. */
const LIMITS = { length: 4 * 1_024 * 1_024, sqlLength: 1_000_000, column: 500, attach: 0, exprDepth: 100 }

type Row = Record<string, unknown>

/**
 * Reads `kuma.db`, Uptime Kuma's SQLite database, without modifying it. Returns at most `limit` rows per
 * kind, and throws an `UnfitDatabase` if there are more. Throws SQLite's errors.
 */
export function readKumaFile(file: string, limit: number): KumaRows {
  const database = openReadOnly(resolve(file))
  try {
    const tables = tablesOf(database)
    const take = createBudget()
    const rows = (table: string, what: Said, max = limit): Row[] => {
      if (!tables.has(table)) return []
      const found: Row[] = []
      for (const row of rowsOf(database, `SELECT * FROM "${table}"`)) {
        if (found.length === max)
          throw new UnfitDatabase(said('it has more than {max} {what}', { max, what }))
        take(row)
        found.push(row)
      }
      return found
    }
    /** Sorted here: where `id` is no key, SQLite would sort the whole table. */
    const pairs = (table: string) =>
      rows(table, said('rows in {table}', { table }), MAX_PAIRS * limit).toSorted(
        (a, b) => Number(a.id) - Number(b.id),
      )
    const count = (table: string) => (tables.has(table) ? countOf(database, table) : 0)
    return {
      monitors: rows('monitor', said('monitors')),
      notifications: rows('notification', said('notifications')),
      attached: pairs('monitor_notification').map(({ monitor_id, notification_id }) => ({
        monitorId: Number(monitor_id),
        notificationId: Number(notification_id),
      })),
      maintenances: rows('maintenance', said('maintenances')),
      covered: pairs('monitor_maintenance').map(({ maintenance_id, monitor_id }) => ({
        maintenanceId: Number(maintenance_id),
        monitorId: Number(monitor_id),
      })),
      tags: tagsOf(rows('tag', said('tags')), pairs('monitor_tag')),
      onPages: pairs('maintenance_status_page').map(({ maintenance_id }) => Number(maintenance_id)),
      pages: {
        pages: rows('status_page', said('status pages')),
        domains: rows('status_page_cname', said('domains')),
        groups: rows('group', said('groups of status pages')),
        shown: rows('monitor_group', said('monitors on status pages'), MAX_PAIRS * limit),
        incidents: rows('incident', said('incidents')),
      },
      proxies: rows('proxy', said('proxies')),
      dockerHosts: rows('docker_host', said('docker hosts')),
      settings: new Map(
        rows('setting', said('settings')).map(({ key, value }) => [String(key), String(value ?? '')]),
      ),
      counts: Object.fromEntries(Object.entries(COUNTED).map(([what, table]) => [what, count(table)])),
    }
  } finally {
    database.close()
  }
}

/** The most that attach records to each other, for each record that there may be. */
const MAX_PAIRS = 20

/** Names of real tables: what else has the name of one, such as a view or a virtual table, runs code of the file. */
function tablesOf(database: DatabaseSync): Set<string> {
  const list = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").all()
  return new Set(list.map(({ name }) => String(name)))
}

/** Integers too large for a number lose precision: one odd value must not make the whole file unreadable. */
function* rowsOf(database: DatabaseSync, sql: string): Generator<Row> {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  for (const row of statement.iterate()) {
    for (const [name, value] of Object.entries(row)) if (typeof value === 'bigint') row[name] = Number(value)
    yield row
  }
}

function countOf(database: DatabaseSync, table: string): number {
  const statement = database.prepare(
    `SELECT count(*) AS n FROM (SELECT 1 FROM "${table}" LIMIT ${MAX_COUNTED})`,
  )
  return Number(statement.get()?.n)
}

function tagsOf(tags: Row[], attached: Row[]): KumaRows['tags'] {
  const names = new Map(tags.map(({ id, name }) => [Number(id), name]))
  return attached
    .filter(({ tag_id }) => names.has(Number(tag_id)))
    .map(({ monitor_id, tag_id, value }) => ({
      ...{ monitorId: Number(monitor_id), name: names.get(Number(tag_id)), value },
    }))
}

/** Counts what is kept; throws once it is too much. */
function createBudget(): (row: Row) => void {
  let room = MAX_BYTES
  return (row) => {
    for (const value of Object.values(row)) {
      room -= VALUE_BYTES
      if (typeof value === 'string') room -= 2 * value.length
      else if (value instanceof Uint8Array) room -= value.length
    }
    if (room < 0)
      throw new UnfitDatabase(
        said('it holds more than {max} MiB of settings', { max: MAX_BYTES / 1_024 / 1_024 }),
      )
  }
}

/** Opens a file in a read-only directory without its write-ahead log as immutable. */
function openReadOnly(file: string): DatabaseSync {
  const database = open(file)
  try {
    database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get()
    return database
  } catch (error) {
    database.close()
    // The lowest byte of an extended error code is its primary code.
    const kind = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (kind !== SQLITE_CANTOPEN && kind !== SQLITE_READONLY) throw error
    return open(`${pathToFileURL(file)}?immutable=1`)
  }
}

/** As SQLite's advice on files of strangers has it: the file's schema can call nothing and reach no other file. */
function open(place: string): DatabaseSync {
  const database = new DatabaseSync(place, { readOnly: true, allowExtension: false, limits: LIMITS })
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0')
  database.setAuthorizer((action, _first, second, _database, within) => {
    const isOurs = within === null && (action !== constants.SQLITE_FUNCTION || second === 'count')
    return isOurs && ALLOWED.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY
  })
  return database
}

const ALLOWED = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_FUNCTION])
const SQLITE_READONLY = 8
const SQLITE_CANTOPEN = 14

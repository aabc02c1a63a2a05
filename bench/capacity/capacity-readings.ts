import { cpuMicros, databaseRoot, pssBytes, treeCpuMicros, treePssBytes } from '../processes.ts'
import type { World } from './capacity-world.ts'

/** The readings before and after a span of time. */
export type Reading = {
  atMs: number
  /** CPU time since the start of each, in microseconds; null of a database whose processes are not here. */
  mainMicros: number
  probesMicros: number
  databaseMicros: number | null
  targetMicros: number
  database: DatabaseReading
}

/** Counters of PostgreSQL since it was made, and sizes in bytes. */
export type DatabaseReading = {
  walBytes: number
  walFullPages: number
  commits: number
  checkpoints: number
  /** The checkpoints by the clock; the others were requested, mostly because the WAL was full. */
  checkpointsTimed: number
  checkpointedPages: number
  checkpointSyncMs: number
  /** Checks that were inserted, those that others would have written included. */
  checksInserted: number
  autovacuums: number
  stateUpdates: number
  stateHotUpdates: number
  databaseBytes: number
  checksBytes: number
  checksIndexBytes: number
  stateBytes: number
  rollUpBytes: number
  connections: number
}

export async function read(world: World): Promise<Reading> {
  const cpu = readCpu(world)
  return { ...cpu, atMs: Date.now(), database: await readDatabase(world) }
}

/** Reads the database before the first look at the processes and after the last one: reading is not counted. */
export async function readFirst(world: World): Promise<Reading> {
  const database = await readDatabase(world)
  return { ...readCpu(world), atMs: Date.now(), database }
}

function readCpu({ main, probes, targetPid, databasePid }: World) {
  return {
    mainMicros: cpuMicros(main.pid),
    probesMicros: probes.reduce((sum, { pid }) => sum + cpuMicros(pid), 0),
    databaseMicros: databasePid === null ? null : treeCpuMicros(databasePid),
    targetMicros: targetPid === null ? 0 : cpuMicros(targetPid),
  }
}

/** Proportional set sizes in bytes. */
export type Memory = { main: number; probes: number[]; database: number | null }

export function readMemory({ main, probes, databasePid }: World): Memory {
  return {
    main: pssBytes(main.pid),
    probes: probes.map(({ pid }) => pssBytes(pid)),
    database: databasePid === null ? null : treePssBytes(databasePid),
  }
}

/** The root of the processes of an embedded database; null of another server. */
export function findDatabase({ env, dataDir }: World['main']): number | null {
  return env.DATABASE_URL ? null : databaseRoot(env.DATA_DIR ?? dataDir)
}

const OLD_CHECKPOINTS = `SELECT checkpoints_timed + checkpoints_req AS checkpoints, checkpoints_timed AS timed,
  buffers_checkpoint AS pages, checkpoint_sync_time AS sync FROM pg_stat_bgwriter`
const CHECKPOINTS = `SELECT num_timed + num_requested AS checkpoints, num_timed AS timed, buffers_written AS pages,
  sync_time AS sync FROM pg_stat_checkpointer`
const FIRST_WITH_CHECKPOINTER = 170_000

async function readDatabase({ main }: World): Promise<DatabaseReading> {
  const { pool } = main.services.db
  const { rows } = await pool.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  )
  const checkpoints = (rows[0]?.version ?? 0) >= FIRST_WITH_CHECKPOINTER ? CHECKPOINTS : OLD_CHECKPOINTS
  const found = await pool.query<DatabaseReading>(`
    SELECT w.wal_bytes::float8 AS "walBytes", w.wal_fpi AS "walFullPages", d.xact_commit AS commits,
      k.checkpoints, k.timed AS "checkpointsTimed", k.pages AS "checkpointedPages", k.sync AS "checkpointSyncMs",
      (SELECT coalesce(sum(n_tup_ins), 0)::float8 FROM pg_stat_user_tables
        WHERE relid IN (SELECT relid FROM pg_partition_tree('checks'))) AS "checksInserted",
      (SELECT coalesce(sum(autovacuum_count + autoanalyze_count), 0)::int FROM pg_stat_user_tables) AS autovacuums,
      s.n_tup_upd AS "stateUpdates", s.n_tup_hot_upd AS "stateHotUpdates",
      pg_database_size(current_database()) AS "databaseBytes",
      ${sizeOf('checks', 'pg_table_size')} AS "checksBytes",
      ${sizeOf('checks', 'pg_indexes_size')} AS "checksIndexBytes",
      pg_total_relation_size('monitor_state')::float8 AS "stateBytes",
      ${sizeOf('check_hours', 'pg_total_relation_size')} AS "rollUpBytes",
      (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections
    FROM pg_stat_wal w, pg_stat_database d, pg_stat_user_tables s, (${checkpoints}) k
    WHERE d.datname = current_database() AND s.relname = 'monitor_state'`)
  return found.rows[0] as DatabaseReading
}

/** The size of all partitions. */
function sizeOf(table: string, measure: string): string {
  return `(SELECT sum(${measure}(relid))::float8 FROM pg_partition_tree('${table}') WHERE isleaf)`
}

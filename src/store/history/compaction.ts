import type { CheckRecord } from '../../core/history/check-chunk.ts'
import { startOfDay } from '../../core/history/history-span.ts'
import { unpackPhases } from '../../core/monitors/phases.ts'
import type { Connection } from '../../postgres/database.ts'
import { type Chunk, MAX_CHECKS_OF_CHUNK, packChunk, replaceChunks } from './check-chunks.ts'
import { QUARTER_OF_AN_HOUR } from './history.ts'
import { readProgress, writeCompacting } from './history-progress.ts'
import { createPartition, dropStatements, partitionName } from './partitions.ts'
import { countRolledUp, rollUpDay, rollUpHours } from './roll-ups.ts'

/** A step handles at least one monitor; it stops adding monitors at this many checks. */
const CHECKS_PER_STEP = 20_000
const MONITORS_PER_STEP = 50
const FETCH_ROWS = 2_000
const COUNT_TIMEOUT_MS = 300_000
const LOCK_TIMEOUT_MS = 250

/**
 * Writes the chunks of a day's next few monitors; false if none are left. They take effect only with
 * `finishDay`. Continues a day that was started before.
 */
export async function compactNextMonitors(client: Connection, day: Date): Promise<boolean> {
  const progress = await readProgress(client)
  const begun = progress?.compactingDay?.getTime() === day.getTime()
  const after = begun ? (progress?.compactedMonitorId ?? 0) : 0
  if (!begun) await client.query(createPartition('check_chunks', day))
  const ids = await nextMonitors(client, day, after)
  if (ids.length > 0) await compactMonitors(client, day, ids)
  await writeCompacting(client, day, ids.at(-1) ?? after)
  return ids.length > 0
}

/** Writes all chunks of these monitors for a day, and recomputes roll-ups that miss late checks. */
export async function compactMonitors(client: Connection, day: Date, monitorIds: number[]): Promise<void> {
  const generation = await nextGeneration(client, day)
  const rolledUp = await countRolledUp(client, monitorIds, day)
  const chunks: Chunk[] = []
  const counted = new Map<number, number>()
  for await (const { monitorId, checks } of readSegments(client, day, monitorIds)) {
    const before = chunks.filter((chunk) => chunk.monitorId === monitorId)
    const content = await packChunk(checks)
    chunks.push({ monitorId, segment: before.length, checks: checks.length, content })
    const counting = checks.filter(({ status }) => status !== 'maintenance').length
    counted.set(monitorId, (counted.get(monitorId) ?? 0) + counting)
  }
  await replaceChunks(client, day, generation, monitorIds, chunks)
  const wrong = [...counted].filter(([id, count]) => (rolledUp.get(id) ?? 0) !== count).map(([id]) => id)
  if (wrong.length === 0 || generation > 0) return
  await rollUpHours(client, wrong, day, startOfDay(day, 1), null)
  await rollUpDay(client, wrong, day, false)
}

/**
 * Switches a day from rows to chunks: one transaction drops the partition and marks the day as compacted. If
 * chunks lack late checks, returns their monitors and changes nothing. Fails with `lock_not_available` while
 * another process reads the partition.
 */
export async function finishDay(client: Connection, day: Date): Promise<number[]> {
  const partition = partitionName('checks', day)
  const generation = await nextGeneration(client, day)
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = ${COUNT_TIMEOUT_MS};
    LOCK TABLE "${partition}" IN SHARE MODE`)
  const { rows } = await client.query<{ id: number }>(
    `SELECT monitor_id AS id
     FROM (SELECT monitor_id, count(*) AS checks FROM "${partition}" GROUP BY monitor_id) AS raw
     FULL JOIN (SELECT monitor_id, sum(checks) AS checks FROM check_chunks
                WHERE day = $1 AND generation = $2 GROUP BY monitor_id) AS chunks USING (monitor_id)
     WHERE raw.checks IS DISTINCT FROM chunks.checks`,
    [day, generation],
  )
  if (rows.length > 0) return rows.map(({ id }) => id)
  await client.query(dropStatements('checks', partition))
  await client.query(
    `INSERT INTO compacted_days (day, generations) VALUES ($1, $2)
     ON CONFLICT (day) DO UPDATE SET generations = excluded.generations`,
    [day, generation + 1],
  )
  await writeCompacting(client, null, null)
  return []
}

async function nextGeneration(client: Connection, day: Date): Promise<number> {
  const { rows } = await client.query<{ generations: number }>(
    'SELECT generations FROM compacted_days WHERE day = $1',
    [day],
  )
  return rows[0]?.generations ?? 0
}

/** The next monitors by id, after the given one, that have checks on that day. */
async function nextMonitors(client: Connection, day: Date, after: number): Promise<number[]> {
  const partition = partitionName('checks', day)
  const { rows } = await client.query<{ id: number }>(
    `WITH RECURSIVE ids AS (
       (SELECT monitor_id FROM "${partition}" WHERE monitor_id > $1 ORDER BY 1 LIMIT 1)
       UNION ALL
       SELECT (SELECT monitor_id FROM "${partition}" c WHERE c.monitor_id > ids.monitor_id ORDER BY 1 LIMIT 1)
       FROM ids WHERE monitor_id IS NOT NULL
     )
     SELECT monitor_id AS id FROM ids WHERE monitor_id IS NOT NULL LIMIT ${MONITORS_PER_STEP}`,
    [after],
  )
  const ids = rows.map(({ id }) => id)
  const counts = await countRolledUp(client, ids, day)
  let checks = 0
  const many = ids.findIndex((id, index) => {
    checks += counts.get(id) ?? 0
    return index > 0 && checks > CHECKS_PER_STEP
  })
  return many < 0 ? ids : ids.slice(0, many)
}

type Cells = [
  monitorId: number,
  checkedAtMs: number,
  status: CheckRecord['status'],
  responseTimeMs: number | null,
  httpStatusCode: number | null,
  region: string | null,
  errorMessage: string | null,
  phases: Buffer | null,
]

/** The checks monitor by monitor and ordered by time, in segments that fit into a chunk. */
async function* readSegments(
  client: Connection,
  day: Date,
  monitorIds: number[],
): AsyncGenerator<{ monitorId: number; checks: CheckRecord[] }> {
  await client.query(
    `DECLARE checks_to_compact NO SCROLL CURSOR FOR
     SELECT monitor_id, floor(extract(epoch FROM checked_at) * 1000)::bigint, status, response_time_ms,
            http_status_code, region, error_message, phases
     FROM "${partitionName('checks', day)}" WHERE monitor_id IN (${monitorIds.map(Number).join(', ')})
     ORDER BY monitor_id, ${QUARTER_OF_AN_HOUR}, checked_at`,
  )
  let monitorId = Number.NaN
  let checks: CheckRecord[] = []
  for (;;) {
    const { rows } = await client.query<Cells>({
      text: `FETCH ${FETCH_ROWS} FROM checks_to_compact`,
      rowMode: 'array',
    })
    for (const cells of rows) {
      if (checks.length > 0 && (cells[0] !== monitorId || checks.length === MAX_CHECKS_OF_CHUNK)) {
        yield { monitorId, checks }
        checks = []
      }
      monitorId = cells[0]
      checks.push(toRecord(cells))
    }
    if (rows.length < FETCH_ROWS) break
  }
  if (checks.length > 0) yield { monitorId, checks }
  await client.query('CLOSE checks_to_compact')
}

function toRecord(cells: Cells): CheckRecord {
  const [, checkedAtMs, status, responseTimeMs, httpStatusCode, region, errorMessage, phases] = cells
  return {
    checkedAt: new Date(checkedAtMs),
    status,
    responseTimeMs,
    httpStatusCode,
    region,
    errorMessage,
    phases: unpackPhases(phases),
  }
}

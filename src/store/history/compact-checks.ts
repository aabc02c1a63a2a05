import type { CheckRecord } from '../../core/history/check-chunk.ts'
import { startOfDay } from '../../core/history/history-span.ts'
import { unpackTimings } from '../../core/monitors/phases.ts'
import type { Connection } from '../../postgres/database.ts'
import { type Chunk, MAX_CHECKS_OF_CHUNK, packChunk, replaceChunks } from './check-chunks.ts'
import type { CompactedTable } from './compaction.ts'
import { partitionName } from './partitions.ts'
import { inQuartersOfDay, QUARTER_OF_AN_HOUR } from './quarters.ts'
import { countRolledUp, rollUpDay, rollUpHours } from './roll-ups.ts'

/** A step handles at least one monitor; it stops adding monitors at this many checks. */
const CHECKS_PER_STEP = 20_000
const FETCH_ROWS = 2_000

export const COMPACTED_CHECKS: CompactedTable = {
  rows: 'checks',
  subject: 'monitor_id',
  subjects: 'monitors',
  chunks: 'check_chunks',
  days: 'compacted_days',
  subjectsPerStep: 50,
  daysToRollUp: 1,
  hoursUntil: ({ hoursUntil }) => hoursUntil,
  fit,
  compact: compactMonitors,
}

/** As many of the monitors as have few enough checks on that day. */
async function fit(client: Connection, day: Date, ids: number[]): Promise<number[]> {
  const counts = await countRolledUp(client, ids, day)
  let checks = 0
  const many = ids.findIndex((id, index) => {
    checks += counts.get(id) ?? 0
    return index > 0 && checks > CHECKS_PER_STEP
  })
  return many < 0 ? ids : ids.slice(0, many)
}

/** Writes all chunks of these monitors for a day, and recomputes roll-ups that miss late checks. */
async function compactMonitors(
  client: Connection,
  day: Date,
  generation: number,
  monitorIds: number[],
): Promise<void> {
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
       AND ${inQuartersOfDay(day.toISOString())}
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
    ...unpackTimings(phases),
  }
}

import { startOfDay } from '../../core/history/history-span.ts'
import {
  columnsOf,
  type PackedSample,
  type SampleColumns,
} from '../../core/servers/history/sample-columns.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import { unpackServerChunk } from './server-chunks.ts'
import { QUARTER_OF_SAMPLE } from './watched-time.ts'

const FETCH_ROWS = 2_000

/**
 * The samples of a server in [from, to) and, of days that are over, more: chunks are of whole days. In no order. One
 * statement reads recent and compacted days, so that a day being compacted is seen exactly once.
 */
export async function readSamples(
  { pool }: Database,
  serverId: number,
  { from, to }: { from: Date; to: Date },
): Promise<SampleColumns[]> {
  const { rows } = await pool.query<[at: Date, isChunk: boolean, content: Buffer]>({
    name: 'read-server-samples',
    text: `SELECT at, false, content FROM server_samples
           WHERE server_id = $1 AND at >= $2 AND at < $3
             AND ${QUARTER_OF_SAMPLE} >= $2::timestamptz - interval '15 minutes' AND ${QUARTER_OF_SAMPLE} < $3
           UNION ALL
           SELECT c.day, true, c.content
           FROM server_chunks c JOIN compacted_server_days d ON d.day = c.day AND c.generation < d.generations
           WHERE c.server_id = $1 AND c.day >= $4 AND c.day < $3`,
    values: [serverId, from, to, startOfDay(from)],
    rowMode: 'array',
  })
  const samples: PackedSample[] = []
  const chunks: SampleColumns[] = []
  for (const [at, isChunk, content] of rows) {
    if (isChunk) chunks.push(await unpackServerChunk(content))
    else samples.push({ at, content })
  }
  samples.sort((a, b) => a.at.getTime() - b.at.getTime())
  return samples.length > 0 ? [...chunks, columnsOf(samples)] : chunks
}

/** The samples in [from, to) server by server and ordered by time, of servers that have some. */
export async function* readSamplesByServer(
  client: Connection,
  serverIds: readonly number[],
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<{ serverId: number; samples: PackedSample[] }> {
  await client.query(
    `DECLARE samples_by_server NO SCROLL CURSOR FOR
     SELECT server_id, at, content FROM server_samples
     WHERE server_id IN (${serverIds.map(Number).join(', ')})
       AND at >= '${from.toISOString()}' AND at < '${to.toISOString()}'
       AND ${QUARTER_OF_SAMPLE} >= '${from.toISOString()}' AND ${QUARTER_OF_SAMPLE} < '${to.toISOString()}'
     ORDER BY server_id, ${QUARTER_OF_SAMPLE}, at`,
  )
  let serverId = Number.NaN
  let samples: PackedSample[] = []
  for (;;) {
    const { rows } = await client.query<[serverId: number, at: Date, content: Buffer]>({
      text: `FETCH ${FETCH_ROWS} FROM samples_by_server`,
      rowMode: 'array',
    })
    for (const [id, at, content] of rows) {
      if (samples.length > 0 && id !== serverId) {
        yield { serverId, samples }
        samples = []
      }
      serverId = id
      samples.push({ at, content })
    }
    if (rows.length < FETCH_ROWS) break
  }
  if (samples.length > 0) yield { serverId, samples }
  await client.query('CLOSE samples_by_server')
}

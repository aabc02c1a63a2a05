import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { type CheckRecord, decodeChecks, encodeChecks } from '../../core/history/check-chunk.ts'
import type { Connection } from '../../postgres/database.ts'

/** The highest level that takes less than a millisecond for a monitor's day. */
const LEVEL = 9
/** Larger than any chunk we write, so that a corrupt one cannot exhaust memory. */
const MAX_CHUNK_BYTES = 64 * 1_024 * 1_024

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Checks per chunk, few enough to encode and decode without delaying other work. */
export const MAX_CHECKS_OF_CHUNK = 4_096

export async function packChunk(checks: CheckRecord[]): Promise<Buffer> {
  return compress(encodeChecks(checks), { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
}

export async function unpackChunk(content: Uint8Array): Promise<CheckRecord[]> {
  return decodeChecks(await decompress(content, { maxOutputLength: MAX_CHUNK_BYTES }))
}

export type Chunk = { monitorId: number; segment: number; checks: number; content: Buffer }

/** Writes all chunks of these monitors for a day, replacing those of an unfinished attempt. */
export async function replaceChunks(
  client: Connection,
  day: Date,
  generation: number,
  monitorIds: number[],
  chunks: Chunk[],
): Promise<void> {
  await client.query({
    name: 'delete-chunks',
    text: 'DELETE FROM check_chunks WHERE monitor_id = ANY($1) AND day = $2 AND generation = $3',
    values: [monitorIds, day, generation],
  })
  const column = <T>(read: (chunk: Chunk) => T) => chunks.map(read)
  await client.query({
    name: 'insert-chunks',
    text: `INSERT INTO check_chunks (day, generation, monitor_id, segment, checks, content)
           SELECT $1::timestamptz, $2::smallint, * FROM unnest($3::int[], $4::smallint[], $5::int[], $6::bytea[])`,
    values: [
      day,
      generation,
      column(({ monitorId }) => monitorId),
      column(({ segment }) => segment),
      column(({ checks }) => checks),
      column(({ content }) => content),
    ],
  })
}

import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { decodeSamples, encodeSamples } from '../../core/servers/history/sample-chunk.ts'
import type { SampleColumns } from '../../core/servers/history/sample-columns.ts'
import type { Connection } from '../../postgres/database.ts'

/**
 * Brotli, because noisy figures are a tenth smaller than with zstd at any level, which makes the difference between less and
 * more than 30 kB a day on the disk. The lowest quality that does it takes some 35 ms for a day.
 */
const QUALITY = 10
/** Larger than any chunk we write, so that a corrupt one cannot exhaust memory. */
const MAX_CHUNK_BYTES = 64 * 1_024 * 1_024

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

export async function packServerChunk(samples: SampleColumns): Promise<Buffer> {
  const bytes = encodeSamples(samples)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return compress(bytes, { params })
}

export async function unpackServerChunk(content: Uint8Array): Promise<SampleColumns> {
  return decodeSamples(await decompress(content, { maxOutputLength: MAX_CHUNK_BYTES }))
}

export type ServerChunk = { serverId: number; samples: number; content: Buffer }

/** Writes the chunks of these servers for a day, replacing those of an unfinished attempt. */
export async function replaceServerChunks(
  client: Connection,
  day: Date,
  generation: number,
  serverIds: number[],
  chunks: ServerChunk[],
): Promise<void> {
  await client.query({
    name: 'delete-server-chunks',
    text: 'DELETE FROM server_chunks WHERE server_id = ANY($1) AND day = $2 AND generation = $3',
    values: [serverIds, day, generation],
  })
  await client.query({
    name: 'insert-server-chunks',
    text: `INSERT INTO server_chunks (day, generation, server_id, samples, content)
           SELECT $1::timestamptz, $2::smallint, * FROM unnest($3::int[], $4::int[], $5::bytea[])`,
    values: [
      day,
      generation,
      chunks.map(({ serverId }) => serverId),
      chunks.map(({ samples }) => samples),
      chunks.map(({ content }) => content),
    ],
  })
}

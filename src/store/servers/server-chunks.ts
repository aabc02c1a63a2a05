import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { decodeSamples, encodeSamples } from '../../core/servers/sample-chunk.ts'
import type { SampleColumns } from '../../core/servers/sample-columns.ts'
import type { Connection } from '../../postgres/database.ts'

/** Three percent smaller than the highest level that takes a millisecond, and still only a few of them. */
const LEVEL = 15
/** Larger than any chunk we write, so that a corrupt one cannot exhaust memory. */
const MAX_CHUNK_BYTES = 64 * 1_024 * 1_024

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export async function packServerChunk(samples: SampleColumns): Promise<Buffer> {
  const bytes = encodeSamples(samples)
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL }
  // What a level does goes by the size: without it, it takes many times as long and saves less.
  return compress(bytes, { params, pledgedSrcSize: bytes.length })
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

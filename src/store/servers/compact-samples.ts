import { DAY_MS } from '../../core/history/history-span.ts'
import { columnsOf } from '../../core/servers/history/sample-columns.ts'
import type { Connection } from '../../postgres/database.ts'
import type { CompactedTable } from '../history/compaction.ts'
import { readSamplesByServer } from './samples.ts'
import { packServerChunk, replaceServerChunks, type ServerChunk } from './server-chunks.ts'

export const COMPACTED_SAMPLES: CompactedTable = {
  rows: 'server_samples',
  subject: 'server_id',
  subjects: 'servers',
  chunks: 'server_chunks',
  days: 'compacted_server_days',
  subjectsPerStep: 5,
  // A server may be silent for a day, and is known for as long after its last report.
  daysToRollUp: 2,
  hoursUntil: ({ serverHoursUntil }) => serverHoursUntil,
  fit: async (_client, _day, ids) => ids,
  compact: compactServers,
}

async function compactServers(
  client: Connection,
  day: Date,
  generation: number,
  serverIds: number[],
): Promise<void> {
  const chunks: ServerChunk[] = []
  const range = { from: day, to: new Date(day.getTime() + DAY_MS) }
  for await (const { serverId, samples } of readSamplesByServer(client, serverIds, range)) {
    const content = await packServerChunk(columnsOf(samples))
    chunks.push({ serverId, samples: samples.length, content })
  }
  await replaceServerChunks(client, day, generation, serverIds, chunks)
}

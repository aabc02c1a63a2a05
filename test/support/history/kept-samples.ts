import assert from 'node:assert/strict'
import { packSample } from '../../../src/core/servers/history/sample-code.ts'
import { columnsOf, type SampleColumns } from '../../../src/core/servers/history/sample-columns.ts'
import type { Sample } from '../../../src/core/servers/series.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readSamples } from '../../../src/store/servers/samples.ts'
import { addServers } from '../records/servers.ts'
import { keepSamples } from './samples.ts'

export type KeptSamples = Map<number, { at: Date; sample: Sample }[]>

export async function keepServers(
  db: Database,
  count: number,
  samplesOf: (index: number) => { at: Date; sample: Sample }[],
): Promise<KeptSamples> {
  const servers = await addServers(db, count)
  const kept = new Map(servers.map(({ id }, index) => [id, samplesOf(index)]))
  for (const [id, samples] of kept) await keepSamples(db, id, samples)
  return kept
}

/** Everything that was kept of these servers is read, and nothing twice. */
export async function assertSamplesKept(db: Database, kept: KeptSamples): Promise<void> {
  for (const [id, samples] of kept) {
    const read = await readSamples(db, id, { from: new Date(0), to: new Date('9999-12-31') })
    const packed = samples.map(({ at, sample }) => ({ at, content: packSample(sample) }))
    assert.deepEqual(inOrder(read), inOrder([columnsOf(packed)]))
  }
}

/** A line of codes for each sample, in the order of their times. */
function inOrder(parts: SampleColumns[]): string[] {
  const lines = parts.flatMap(({ times, columns }) =>
    times.map((time, index): [number, string] => [
      time,
      columns
        .filter(({ codes }) => !Number.isNaN(codes[index]))
        .map(({ name, part, codes }) => `${name}:${part}=${codes[index]}`)
        .join(' '),
    ]),
  )
  return lines.sort(([a], [b]) => a - b).map(([time, line]) => `${time} ${line}`)
}

export async function compactedServerDays(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ day: Date }>('SELECT day FROM compacted_server_days ORDER BY day')
  return rows.map(({ day }) => day.toISOString().slice(0, 10))
}

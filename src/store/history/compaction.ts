import type { Connection } from '../../postgres/database.ts'
import type { Progress } from './history-progress.ts'
import { createPartition, dropStatements, type PartitionedTable, partitionName } from './partitions.ts'

const COUNT_TIMEOUT_MS = 300_000
const LOCK_TIMEOUT_MS = 250

/**
 * A table of rows in partitions of days, which become chunks of one subject (a monitor or server) each. Chunks count how
 * many rows they were made from, in a column that is named as `COUNTS` says.
 */
export type CompactedTable = {
  rows: 'checks' | 'server_samples'
  subject: 'monitor_id' | 'server_id'
  /** The table of all subjects, but for deleted ones whose rows are found at the end of the day. */
  subjects: 'monitors' | 'servers'
  chunks: PartitionedTable & keyof typeof COUNTS
  /** Says how many generations of chunks of a day count. */
  days: 'compacted_days' | 'compacted_server_days'
  subjectsPerStep: number
  /** Days from the beginning of one that must be rolled up before it is compacted: roll-ups look back into the rows. */
  daysToRollUp: number
  /** Up to where its rows are rolled up. */
  hoursUntil: (progress: Progress) => Date | null
  /** At least the first of the subjects, and as many more as a step has time for. */
  fit: (client: Connection, day: Date, ids: number[]) => Promise<number[]>
  /** Writes all chunks of these subjects for a day, in place of those of an unfinished attempt. */
  compact: (client: Connection, day: Date, generation: number, ids: number[]) => Promise<void>
}

const COUNTS = { check_chunks: 'checks', server_chunks: 'samples' } as const

export async function prepareDay(client: Connection, { chunks }: CompactedTable, day: Date): Promise<void> {
  await client.query(createPartition(chunks, day))
}

/** Writes the chunks of the first of these subjects for a day, and of as many more as fit; returns how many. */
export async function compactSubjects(
  client: Connection,
  table: CompactedTable,
  day: Date,
  ids: number[],
): Promise<number> {
  const some = await table.fit(client, day, ids)
  await table.compact(client, day, await nextGeneration(client, table, day), some)
  return some.length
}

/**
 * Switches a day from rows to chunks: one transaction drops the partition and marks the day as compacted. If
 * chunks lack late rows, returns their subjects and changes nothing. Fails with `lock_not_available` while
 * another process reads the partition.
 */
export async function finishDay(client: Connection, table: CompactedTable, day: Date): Promise<number[]> {
  const { rows: name, subject, chunks, days } = table
  const count = COUNTS[chunks]
  const partition = partitionName(name, day)
  const generation = await nextGeneration(client, table, day)
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = ${COUNT_TIMEOUT_MS};
    LOCK TABLE "${partition}" IN SHARE MODE`)
  const { rows } = await client.query<{ id: number }>(
    `SELECT ${subject} AS id
     FROM (SELECT ${subject}, count(*) AS n FROM "${partition}" GROUP BY ${subject}) AS raw
     FULL JOIN (SELECT ${subject}, sum(${count}) AS n FROM ${chunks}
                WHERE day = $1 AND generation = $2 GROUP BY ${subject}) AS chunks USING (${subject})
     WHERE raw.n IS DISTINCT FROM chunks.n`,
    [day, generation],
  )
  if (rows.length > 0) return rows.map(({ id }) => id)
  await client.query(dropStatements(name, partition))
  await client.query(
    `INSERT INTO ${days} (day, generations) VALUES ($1, $2)
     ON CONFLICT (day) DO UPDATE SET generations = excluded.generations`,
    [day, generation + 1],
  )
  return []
}

async function nextGeneration(client: Connection, { days }: CompactedTable, day: Date): Promise<number> {
  const { rows } = await client.query<{ generations: number }>(
    `SELECT generations FROM ${days} WHERE day = $1`,
    [day],
  )
  return rows[0]?.generations ?? 0
}

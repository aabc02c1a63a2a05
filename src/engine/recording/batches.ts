import { setTimeout as delay } from 'node:timers/promises'
import {
  type Connection,
  type Database,
  inPipelinedTransaction,
  type PipelinedEnd,
} from '../../postgres/database.ts'

const MAX_BATCH = 500
const RETRY_MS = 250
const MAX_RETRY_MS = 5_000

type Waiting<Finding, Recorded> = {
  finding: Finding
  resolve: (recorded: Recorded) => void
  reject: (error: unknown) => void
}

/** A batch that is durable, as it is counted. */
export type RecordedBatch = { findings: number; tookMs: number }

export type Batches<Finding, Recorded> = {
  /**
   * Resolves once the finding and all that follows from it are durable. `waitsMs`: how long it may wait for others, as a
   * transaction each would cost the most at a quiet pace; 0 where somebody waits for it.
   */
  record(finding: Finding, waitsMs: number): Promise<Recorded>
  readonly waiting: number
  /** Writes what is waiting and stops. */
  close(): Promise<void>
}

/**
 * Over a pipelined connection, in order; `begun` must hold before anything is written. `again` when an earlier try may
 * have been committed without our knowing.
 */
type RecordBatch<Finding, Recorded> = (
  client: Connection,
  findings: Finding[],
  begun: Promise<unknown>,
  again: boolean,
) => Promise<PipelinedEnd<Recorded[]>>

/**
 * The one way of findings into the database, whatever they are about: gathered while the batch before them commits, and
 * each batch written in ONE transaction, so that no crash can part an incident from its alerts.
 */
export function createBatches<Finding, Recorded>(deps: {
  db: Database
  recordBatch: RecordBatch<Finding, Recorded>
  onTrouble: (error: unknown) => void
  note: (batch: RecordedBatch) => void
}): Batches<Finding, Recorded> {
  const { db, recordBatch, onTrouble } = deps
  let waiting: Waiting<Finding, Recorded>[] = []
  let writing: Promise<void> | null = null
  let gathering: NodeJS.Timeout | undefined
  let gathersUntilMs = Number.POSITIVE_INFINITY
  let closed = false

  function write() {
    clearTimeout(gathering)
    gathersUntilMs = Number.POSITIVE_INFINITY
    // The turn lets findings that arrive together share a transaction.
    writing ??= new Promise<void>((turn) => setImmediate(turn)).then(writeAll)
  }

  /** Nothing waits for longer than it may, whatever it waits with. */
  function writeIn(ms: number) {
    const untilMs = performance.now() + ms
    if (untilMs >= gathersUntilMs) return
    clearTimeout(gathering)
    gathersUntilMs = untilMs
    gathering = setTimeout(write, ms)
  }

  async function writeAll() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await writeUntilSettled(batch)
    }
    writing = null
  }

  async function writeUntilSettled(batch: Waiting<Finding, Recorded>[]) {
    const began = performance.now()
    for (
      let retryMs = RETRY_MS, again = false;
      ;
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS), again = true
    ) {
      try {
        const findings = batch.map(({ finding }) => finding)
        const recorded = await inPipelinedTransaction(db.pipelined, (client, begun) =>
          recordBatch(client, findings, begun, again),
        )
        for (const [index, { resolve }] of batch.entries()) resolve(recorded[index] as Recorded)
        return deps.note({ findings: batch.length, tookMs: performance.now() - began })
      } catch (error) {
        onTrouble(error)
        if (isFaultOfData(error)) return await writeOneByOne(batch)
        if (closed) return rejectAll(batch, error)
        await delay(retryMs)
      }
    }
  }

  /** One bad row must not keep the others from being written. */
  async function writeOneByOne(batch: Waiting<Finding, Recorded>[]) {
    for (const { finding, resolve, reject } of batch) {
      await inPipelinedTransaction(db.pipelined, (client, begun) =>
        recordBatch(client, [finding], begun, true),
      ).then(([recorded]) => resolve(recorded as Recorded), reject)
    }
  }

  return {
    get waiting() {
      return waiting.length
    },
    record(finding, waitsMs) {
      if (closed) return Promise.reject(new Error('the recorder is closed'))
      return new Promise((resolve, reject) => {
        waiting.push({ finding, resolve, reject })
        if (waitsMs > 0 && waiting.length < MAX_BATCH) writeIn(waitsMs)
        else write()
      })
    },
    async close() {
      closed = true
      if (waiting.length > 0) write()
      await writing
    },
  }
}

/** For what is small, or rare: everything is answered before the transaction ends. */
export function withoutPipelining<Finding, Recorded>(
  record: (client: Connection, findings: Finding[]) => Promise<Recorded[]>,
): RecordBatch<Finding, Recorded> {
  return async (client, findings, begun) => {
    await begun
    return { result: await record(client, findings), written: Promise.resolve() }
  }
}

function rejectAll(batch: Waiting<unknown, never>[], error: unknown) {
  for (const { reject } of batch) reject(error)
}

/** SQLSTATE classes 22 (data) and 23 (constraints): trying the same again cannot help. */
export function isFaultOfData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}

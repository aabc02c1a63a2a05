import { setTimeout as delay } from 'node:timers/promises'
import { type Database, inTransaction } from '../../postgres/database.ts'
import { createKnownWindows } from '../maintenance/known-windows.ts'
import type { Finding, Recorded, Recorder } from './finding.ts'
import { recordBatch } from './record-batch.ts'

const MAX_BATCH = 500
const RETRY_MS = 250
const MAX_RETRY_MS = 5_000
/** How long a finding without news waits for others: at a quiet pace a transaction each would cost the most. */
const GATHER_MS = 250

type Waiting = { finding: Finding; resolve: (recorded: Recorded) => void; reject: (error: unknown) => void }

/** A batch that is durable, as it is counted. */
export type RecordedBatch = { findings: number; tookMs: number }

/**
 * Gathers findings while the batch before them commits, and writes each batch in ONE transaction: checks,
 * states, incidents and deliveries together, so that no crash can part an incident from its alerts.
 */
export function createRecorder(
  db: Database,
  onTrouble: (error: unknown) => void,
  note: (batch: RecordedBatch) => void = () => {},
): Recorder & { readonly waiting: number } {
  const windows = createKnownWindows()
  let waiting: Waiting[] = []
  let writing: Promise<void> | null = null
  let gathering: NodeJS.Timeout | undefined
  let closed = false

  function write() {
    clearTimeout(gathering)
    gathering = undefined
    // The turn lets findings that arrive together share a transaction.
    writing ??= new Promise<void>((turn) => setImmediate(turn)).then(writeAll)
  }

  async function writeAll() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await writeUntilSettled(batch)
    }
    writing = null
  }

  async function writeUntilSettled(batch: Waiting[]) {
    const began = performance.now()
    for (
      let retryMs = RETRY_MS, again = false;
      ;
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS), again = true
    ) {
      try {
        const findings = batch.map(({ finding }) => finding)
        const recorded = await inTransaction(db.pipelined, (client) =>
          recordBatch(client, findings, windows, again),
        )
        for (const [index, { resolve }] of batch.entries()) resolve(recorded[index] as Recorded)
        return note({ findings: batch.length, tookMs: performance.now() - began })
      } catch (error) {
        onTrouble(error)
        if (isFaultOfData(error)) return await writeOneByOne(batch)
        if (closed) return rejectAll(batch, error)
        await delay(retryMs)
      }
    }
  }

  /** One bad row must not keep the others from being written. */
  async function writeOneByOne(batch: Waiting[]) {
    for (const { finding, resolve, reject } of batch) {
      await inTransaction(db.pipelined, (client) => recordBatch(client, [finding], windows, true)).then(
        ([recorded]) => resolve(recorded as Recorded),
        reject,
      )
    }
  }

  return {
    get waiting() {
      return waiting.length
    },
    record(finding) {
      if (closed) return Promise.reject(new Error('the recorder is closed'))
      return new Promise((resolve, reject) => {
        waiting.push({ finding, resolve, reject })
        if (finding.steady && waiting.length < MAX_BATCH) gathering ??= setTimeout(write, GATHER_MS)
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

function rejectAll(batch: Waiting[], error: unknown) {
  for (const { reject } of batch) reject(error)
}

/** SQLSTATE classes 22 (data) and 23 (constraints): trying the same again cannot help. */
export function isFaultOfData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}

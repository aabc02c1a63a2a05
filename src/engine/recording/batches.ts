import { setTimeout as delay } from 'node:timers/promises'
import {
  type Connection,
  type Database,
  inPipelinedTransaction,
  type PipelinedEnd,
} from '../../postgres/database.ts'
import { faultOf, reasonOfFault } from '../../postgres/sql-states.ts'
import { createKnownWindows, type KnownWindows } from '../maintenance/known-windows.ts'
import { createAbility, type Patience, type RecordingState } from './ability.ts'
import { createSaidAtTimes } from './said-at-times.ts'

const MAX_BATCH = 500
const RETRY_MS = 250
const MAX_RETRY_MS = 5_000
/** A fault of a connection is tried on so many, at once: more than a process keeps open for what it records. */
const MAX_SESSIONS = 5
/** How often findings that a retry alone will not mend are tried again while they are kept. */
const KEPT_RETRY_MS = 1_000

type Waiting<Finding, Recorded> = {
  finding: Finding
  resolve: (recorded: Recorded) => void
  reject: (error: unknown) => void
}

/** A batch that is durable, as it is counted. */
export type RecordedBatch = { findings: number; tookMs: number }

export type Batches<Finding, Recorded> = RecordingState & {
  /**
   * Resolves once the finding and all that follows from it are durable. `waitsMs`: how long it may wait for others, as a
   * transaction each would cost the most at a quiet pace; 0 where somebody waits for it.
   */
  record(finding: Finding, waitsMs: number): Promise<Recorded>
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

/** A finding is given up: what keeps it from being written lasts. */
export class NotRecorded extends Error {
  override name = 'NotRecorded'

  constructor(cause: unknown) {
    super(`it cannot be recorded: ${reasonOfFault(cause)}`, { cause })
  }
}

export type BatchesDeps<Finding, Recorded> = {
  db: Database
  recordBatch: RecordBatch<Finding, Recorded>
  /** The finding as it would be if it was found now, and fenced by nothing. */
  asTrial: (finding: Finding, now: Date) => Finding
  onTrouble: (error: unknown) => void
  note: (batch: RecordedBatch) => void
  /** Called with the number of findings that were given up. */
  onGivenUp?: ((findings: number) => void) | undefined
  patience?: Patience | undefined
}

/**
 * The one way of findings into the database, whatever they are about: gathered while the batch before them commits, and
 * each batch written in ONE transaction, so that no crash can part an incident from its alerts. A trouble that passes is
 * waited for. Findings that no retry will mend are kept for seconds, then given up, and do not hold up the others.
 */
export function createBatches<Finding, Recorded>(
  deps: BatchesDeps<Finding, Recorded>,
): Batches<Finding, Recorded> {
  const { db, recordBatch, onTrouble } = deps
  let waiting: Waiting<Finding, Recorded>[] = []
  /** Those that failed for a reason that lasts, and are tried again for a while. */
  let kept: Waiting<Finding, Recorded>[] = []
  let keeping: NodeJS.Timeout | undefined
  let writing: Promise<void> | null = null
  let gathering: NodeJS.Timeout | undefined
  let gathersUntilMs = Number.POSITIVE_INFINITY
  let closed = false
  const givenUp = createSaidAtTimes((count, why) =>
    onTrouble(new Error(`given up, because they cannot be recorded: ${count} findings; the last: ${why}`)),
  )
  const ability = createAbility<Finding>({
    tryOut: (finding) => tryOut(deps, finding),
    monotonicMs: () => performance.now(),
    onChange: (why) => onTrouble(sayChange(why)),
    patience: deps.patience,
  })

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

  /** `isAlone`: the only one of a batch that failed. */
  async function writeUntilSettled(batch: Waiting<Finding, Recorded>[], isAlone = false) {
    const began = performance.now()
    // Those of a batch were tried on several connections already.
    let sessions = isAlone ? MAX_SESSIONS : 0
    for (
      let retryMs = RETRY_MS, again = isAlone;
      ;
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS), again = true
    ) {
      try {
        const findings = batch.map(({ finding }) => finding)
        const recorded = await inPipelinedTransaction(db.pipelined, (client, begun) =>
          recordBatch(client, findings, begun, again),
        )
        for (const [index, { resolve }] of batch.entries()) resolve(recorded[index] as Recorded)
        ability.recorded(kept.length === 0)
        return deps.note({ findings: batch.length, tookMs: performance.now() - began })
      } catch (error) {
        const fault = faultOf(error)
        // A trouble that lasts is said once, and again when it is given up.
        if (fault !== 'lasting' || !ability.isDoubtful) onTrouble(error)
        if (fault === 'session') sessions++
        // Each of them came on a connection of its own: what all refuse has no other cause than the statement.
        const mayPass = fault === 'passing' || (fault === 'session' && sessions < MAX_SESSIONS)
        if (!mayPass && isAlone) return leave(batch, error)
        if (!mayPass) return await writeOneByOne(batch)
        ability.delayed(reasonOfFault(error))
        if (closed) return rejectAll(batch, error)
        // Another connection has nothing to wait for.
        if (fault !== 'session') await delay(retryMs)
      }
    }
  }

  /** One bad row must not keep the others from being written. */
  async function writeOneByOne(batch: Waiting<Finding, Recorded>[]) {
    for (const one of batch) await writeUntilSettled([one], true)
  }

  function leave(batch: Waiting<Finding, Recorded>[], error: unknown) {
    const why = reasonOfFault(error)
    for (const one of batch) {
      if (faultOf(error) === 'data') {
        ability.spoilt(why)
        one.reject(error)
      } else if (ability.keeps(one.finding, why) && !closed) {
        kept.push(one)
        keeping ??= setTimeout(tryKept, KEPT_RETRY_MS)
      } else giveUp([one, ...takeKept()], error)
    }
  }

  /** All that is kept is as old as the first of it. */
  function takeKept(): Waiting<Finding, Recorded>[] {
    clearTimeout(keeping)
    keeping = undefined
    const taken = kept
    kept = []
    return taken
  }

  function tryKept() {
    waiting = [...takeKept(), ...waiting]
    write()
  }

  function giveUp(batch: Waiting<Finding, Recorded>[], error: unknown) {
    deps.onGivenUp?.(batch.length)
    givenUp.say(batch.length, reasonOfFault(error))
    rejectAll(batch, new NotRecorded(error))
  }

  return {
    get waiting() {
      return waiting.length + kept.length
    },
    get trouble() {
      return ability.trouble
    },
    get isDoubtful() {
      return ability.isDoubtful
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
      if (kept.length > 0) tryKept()
      if (waiting.length > 0) write()
      await writing
      await ability.close()
      givenUp.close()
    },
  }
}

/** Every recorder is made of these: the database, and who hears of trouble, of batches and of findings that are given up. */
export type RecorderDeps = [
  db: Database,
  onTrouble: (error: unknown) => void,
  note?: ((batch: RecordedBatch) => void) | undefined,
  onGivenUp?: ((findings: number) => void) | undefined,
  patience?: Patience | undefined,
]

/** A recorder over batches of its own: how it writes one, and what it offers for its findings. */
export function overBatches<Finding, Recorded, Own>(
  [db, onTrouble, note = () => {}, onGivenUp, patience]: RecorderDeps,
  writesOf: (windows: KnownWindows) => Pick<BatchesDeps<Finding, Recorded>, 'recordBatch' | 'asTrial'>,
  ownOf: (batches: Batches<Finding, Recorded>) => Own,
): Own & RecordingState & Pick<Batches<Finding, Recorded>, 'close'> {
  const writes = writesOf(createKnownWindows())
  const batches = createBatches({ db, onTrouble, note, onGivenUp, patience, ...writes })
  return {
    ...ownOf(batches),
    get waiting() {
      return batches.waiting
    },
    get trouble() {
      return batches.trouble
    },
    get isDoubtful() {
      return batches.isDoubtful
    },
    close: batches.close,
  }
}

/** Serves what is small, or rare: everything is answered before the transaction ends. */
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

/** Resolves if the finding could be written; nothing is left of it. */
async function tryOut<Finding, Recorded>(
  { db, recordBatch, asTrial }: BatchesDeps<Finding, Recorded>,
  finding: Finding,
): Promise<void> {
  const trial = asTrial(finding, new Date())
  const tried = inPipelinedTransaction(db.pipelined, async (client, begun) => {
    const { written } = await recordBatch(client, [trial], begun, false)
    await written
    throw new TakenBack()
  })
  await tried.catch((error) => {
    if (!(error instanceof TakenBack)) throw error
  })
}

function sayChange(why: string | null): Error {
  if (why === null) return new Error('findings can be recorded again')
  return new Error(`this process cannot record what it finds, and gives it up until it can: ${why}`)
}

/** Rolls a trial back. */
class TakenBack extends Error {}

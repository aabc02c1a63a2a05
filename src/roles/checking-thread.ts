import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { RecordingTrouble } from '../engine/recording/ability.ts'
import { followInstruction } from '../engine/threads/follow-instructions.ts'
import type { ThreadInstruction, ThreadReport } from '../engine/threads/thread-messages.ts'
import { createLog, troubleOf } from '../log.ts'
import { watchLoopDelay } from '../metrics/loop-delay.ts'
import type { Measured } from '../metrics/meter.ts'
import { createTally } from '../metrics/tally.ts'
import { openDatabase } from '../postgres/database.ts'
import type { SharedPlaces } from '../probes/browser/places.ts'
import { Vault } from '../store/sealing/vault.ts'
import type { StoreAccess } from '../store/store.ts'
import { countDatabaseErrors } from './counters.ts'
import { createThreadChecks } from './thread-checks.ts'

/** How often the thread reports its counts. */
const MEASURE_EVERY_MS = 1_000

/** Connections besides those of the recorder. */
const MAX_CONNECTIONS = 3

/**
 * The entry of a thread that checks a share of the monitors, for the role `probe`; it lives until it is told to close.
 */
export type ThreadData = {
  config: Config
  access: StoreAccess
  terminal: boolean
  browserPlaces: SharedPlaces
}

const { config, access, terminal, browserPlaces } = workerData as ThreadData
const log = createLog(config.logLevel, terminal)
const tally = createTally()
const loopDelay = watchLoopDelay()
const db = openDatabase(
  access.connection,
  troubleOf(log, 'database'),
  countDatabaseErrors(tally),
  MAX_CONNECTIONS,
)
const vault = new Vault(access.secretKey, config.previousSecretKeys)
const checking = createThreadChecks(config, db, vault, log, report, tally, browserPlaces)
const follower = { ...checking, moveTo: db.moveTo, close }
let saidTrouble: RecordingTrouble | null = null
const measuring = setInterval(measure, MEASURE_EVERY_MS)

parentPort?.on('message', (instruction: ThreadInstruction) =>
  followInstruction(instruction, follower, report),
)
report({ kind: 'ready' })

function report(report: ThreadReport | Measured) {
  parentPort?.postMessage(report)
}

function measure() {
  sayTrouble()
  tally.observe('loopDelay', ['checking'], loopDelay.longestSeconds())
  report({ kind: 'measured', measures: tally.drain(), levels: checking.levels() })
}

function sayTrouble() {
  const trouble = checking.recordingTrouble()
  if (trouble?.why === saidTrouble?.why && trouble?.isLasting === saidTrouble?.isLasting) return
  saidTrouble = trouble
  report({ kind: 'recording', trouble })
}

async function close() {
  await checking.close()
  clearInterval(measuring)
  measure()
  await db.close()
  loopDelay.close()
  parentPort?.close()
}

import { createRecorder } from '../src/engine/recording/recorder.ts'
import { inTransaction } from '../src/postgres/database.ts'
import { insertChecks } from '../src/store/monitors/recording.ts'
import { closedLoop } from './support/closed-loop.ts'
import { openBenchDatabase, reportTrouble } from './support/open-database.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { measureInTurn, pairsOf } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { type SeededMonitor, seedMonitors } from './support/seed.ts'
import { compare, type Row } from './support/table.ts'

const MONITORS = 1_000
const IN_FLIGHT = 1_000
/** As many as the recorder puts into one transaction at most. */
const BATCH = 500

const UP = {
  status: 'up' as const,
  responseTimeMs: 12,
  httpStatusCode: 200,
  errorMessage: null,
  phases: { dnsMs: 0, connectMs: 1, tlsMs: 4, firstByteMs: 7, transferMs: null },
  certificate: null,
}

/** Results of nothing, as fast as the recorder takes them: locked, judged, written and durable. */
export async function benchRecording(scope: Scope, options: Options): Promise<Row[]> {
  progress('recording: opening a database')
  const { store, teamId } = await openBenchDatabase(scope)
  const monitors = await seedMonitors(store, teamId, MONITORS, () => ({}))
  const recorder = createRecorder(store.db, reportTrouble)
  scope.after(() => recorder.close())
  let next = 0
  const nextId = () => (monitors[next++ % monitors.length] as SeededMonitor).id

  const record = async () => {
    const about = { revision: null, checkedAt: new Date(), region: null, heartbeat: null, ping: null }
    const { kind } = await recorder.record({ monitorId: nextId(), ...about, result: UP })
    if (kind !== 'recorded') throw new Error(`a result was ${kind}`)
  }
  const insertOnly = async () => {
    const checkedAt = new Date()
    const check = () => ({ monitorId: nextId(), checkedAt, region: null, result: UP })
    const batch = Array.from({ length: BATCH }, check)
    await inTransaction(store.db.pool, (client) => insertChecks(client, batch))
  }

  const rounds = await measureInTurn(
    'recording',
    options,
    async (seconds) => (await closedLoop(IN_FLIGHT, seconds, record)).perSecond,
    async (seconds) => (await closedLoop(1, seconds, insertOnly)).perSecond * BATCH,
  )
  const reference = `INSERT and COMMIT of ${BATCH} rows, no state read, judged or written`
  const name = `Recording alone: results, ${IN_FLIGHT.toLocaleString('en-US')} waiting`
  return [
    compare(
      name,
      '/s',
      reference,
      pairsOf(rounds, (perSecond) => perSecond),
    ),
  ]
}

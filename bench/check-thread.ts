import { parentPort, workerData } from 'node:worker_threads'
import { readConfig } from '../src/config.ts'
import { createRecorder } from '../src/engine/recording/recorder.ts'
import { createLog } from '../src/log.ts'
import { openDatabase } from '../src/postgres/database.ts'
import { createGuardedProbes } from '../src/roles/thread-checks.ts'
import type { StoreAccess } from '../src/store/store.ts'
import { settingsFor } from '../test/support/servers/targets-settings.ts'
import { bareRequest } from './support/bare-request.ts'
import { closedLoop } from './support/closed-loop.ts'

/** A thread that checks as fast as it can, made of what src/roles/thread-checks.ts makes one of, less the schedule. */
export type CheckThreadData = { access: StoreAccess; authority: string; monitorIds: number[] }

export type Run = { kind: 'checks' | 'bare'; url: string; inFlight: number; seconds: number }
export type Ran = { done: number; seconds: number } | { trouble: string }

const LIMIT_SECONDS = 30

const { access, authority, monitorIds } = workerData as CheckThreadData
const config = readConfig({})
const log = createLog('warn', false)
const db = openDatabase(access.connection, reportTrouble)
const looking = createGuardedProbes(config, log, neverReports, { authorities: [authority] })
const recorder = createRecorder(db, reportTrouble)
const never = new AbortController().signal
let next = 0

parentPort?.on('message', (run: Run | 'close') => {
  if (run === 'close') void close()
  else measure(run).then(post, reportTrouble)
})

async function measure({ kind, url, inFlight, seconds }: Run): Promise<Ran> {
  const startedAt = performance.now()
  const { done } = await closedLoop(inFlight, seconds, kind === 'bare' ? bare(url) : checks(url))
  return { done, seconds: (performance.now() - startedAt) / 1_000 }
}

function checks(url: string) {
  const settings = settingsFor('http', { url, request_timeout_seconds: LIMIT_SECONDS })
  return async () => {
    const monitorId = monitorIds[next++ % monitorIds.length] as number
    const checkedAt = new Date()
    const result = await looking.probe(settings, never)
    if (result.status !== 'up') throw new Error(`a check of the target was ${JSON.stringify(result)}`)
    // As for a ping, any revision will do: the settings are not what the monitors were seeded with.
    const about = { monitorId, revision: null, checkedAt, region: null, heartbeat: null, ping: null }
    const { kind } = await recorder.record({ ...about, result })
    if (kind !== 'recorded') throw new Error(`a check was ${kind}`)
  }
}

function bare(url: string) {
  const request = bareRequest(url, authority)
  return async () => {
    const status = await request()
    if (status !== 200) throw new Error(`the target answered ${status}`)
  }
}

function post(ran: Ran) {
  parentPort?.postMessage(ran)
}

/** Trouble spoils a measurement; it must not go unseen. */
function reportTrouble(error: unknown) {
  post({ trouble: String(error) })
}

function neverReports() {
  throw new Error('a target on the loopback casts no doubt on our network')
}

async function close() {
  await recorder.close()
  looking.close()
  await db.close()
  parentPort?.close()
}

import { randomUUID } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { type CrawlEnd, crawlSite } from '../engine/sites/crawl/crawl.ts'
import { createLog, troubleOf } from '../log.ts'
import { createNetwork } from '../net/network.ts'
import { openDatabase } from '../postgres/database.ts'
import type { DatabaseAddress } from '../postgres/database-url.ts'
import { crawlerAgent, openAsking } from '../probes/pages/ask-page.ts'

/** As many requests wait for turns at the same time; each statement is short. */
const MAX_CONNECTIONS = 2
/** Screens are told by the main thread, which does not need to know of every address. */
const PROGRESS_MS = 1_000

/** The entry of a thread that crawls one site, and ends with the crawl: what it reads must not delay checks. */
export type CrawlThreadData = {
  config: Config
  connection: DatabaseAddress
  siteId: number
  terminal: boolean
}
export type CrawlThreadInstruction = { kind: 'stop' } | { kind: 'move'; connection: Partial<DatabaseAddress> }
export type CrawlThreadReport =
  | { kind: 'progress' }
  | { kind: 'ended'; end: CrawlEnd }
  | { kind: 'failed'; error: unknown }

const { config, connection, siteId, terminal } = workerData as CrawlThreadData
const log = createLog(config.logLevel, terminal)
const db = openDatabase(connection, troubleOf(log, 'database'), () => {}, MAX_CONNECTIONS)
const network = createNetwork({ privateTargets: config.privateTargets })
const userAgent = crawlerAgent(config.siteUrl)
const stop = new AbortController()
let hasMoved = false
const telling = setInterval(() => {
  if (hasMoved) report({ kind: 'progress' })
  hasMoved = false
}, PROGRESS_MS)

parentPort?.on('message', (instruction: CrawlThreadInstruction) => {
  if (instruction.kind === 'stop') stop.abort()
  else db.moveTo(instruction.connection)
})

try {
  const end = await crawlSite(
    {
      db,
      openAsking: (home) => openAsking({ network, userAgent }, home),
      newId: randomUUID,
      onProgress: () => {
        hasMoved = true
      },
    },
    siteId,
    stop.signal,
  )
  report({ kind: 'ended', end })
} catch (error) {
  report({ kind: 'failed', error })
} finally {
  clearInterval(telling)
  await db.close()
  parentPort?.close()
}

function report(said: CrawlThreadReport) {
  parentPort?.postMessage(said)
}

import { randomUUID } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { createTurnstile } from '../core/sharing/share.ts'
import { type CrawlEnd, crawlSite } from '../engine/sites/crawl/crawl.ts'
import { createLog, troubleOf } from '../log.ts'
import { createNetwork } from '../net/network.ts'
import { openDatabase } from '../postgres/database.ts'
import type { DatabaseAddress } from '../postgres/database-url.ts'
import { crawlerAgent, openAsking } from '../probes/pages/ask-page.ts'

/** As many statements of its crawls at the same time; each is short. */
const MAX_CONNECTIONS = 2
/** Screens are told by the main thread, which does not need to know of every address. */
const PROGRESS_MS = 1_000

/** The entry of a thread that crawls sites side by side until it is told to close: what it reads must not delay checks. */
export type CrawlThreadData = { config: Config; connection: DatabaseAddress; terminal: boolean }
export type CrawlThreadInstruction =
  | { kind: 'crawl'; id: number; siteId: number; siteUrl: string }
  | { kind: 'stop'; id: number }
  | { kind: 'move'; connection: Partial<DatabaseAddress> }
  | { kind: 'close' }
export type CrawlThreadReport =
  | { kind: 'progress'; id: number }
  | { kind: 'ended'; id: number; end: CrawlEnd }
  | { kind: 'failed'; id: number; error: unknown }

const { config, connection, terminal } = workerData as CrawlThreadData
const log = createLog(config.logLevel, terminal)
const db = openDatabase(connection, troubleOf(log, 'database'), () => {}, MAX_CONNECTIONS)
const network = createNetwork({ privateTargets: config.privateTargets })
const places = { requests: createTurnstile('crawlRequests'), sitemaps: createTurnstile('sitemaps') }
const stops = new Map<number, AbortController>()
const moved = new Set<number>()
const telling = setInterval(() => {
  for (const id of moved) report({ kind: 'progress', id })
  moved.clear()
}, PROGRESS_MS)

parentPort?.on('message', (instruction: CrawlThreadInstruction) => {
  switch (instruction.kind) {
    case 'crawl':
      return void crawl(instruction)
    case 'stop':
      return stops.get(instruction.id)?.abort()
    case 'move':
      return db.moveTo(instruction.connection)
    case 'close':
      return void close()
  }
})

async function crawl({
  id,
  siteId,
  siteUrl,
}: {
  id: number
  siteId: number
  siteUrl: string
}): Promise<void> {
  const userAgent = crawlerAgent(siteUrl)
  const stop = new AbortController()
  stops.set(id, stop)
  const deps = {
    ...{ db, places, newId: randomUUID },
    openAsking: (home: URL) => openAsking({ network, userAgent }, home),
    onProgress: () => moved.add(id),
  }
  try {
    const end = await crawlSite(deps, siteId, stop.signal)
    report({ kind: 'ended', id, end })
  } catch (error) {
    report({ kind: 'failed', id, error })
  } finally {
    stops.delete(id)
    moved.delete(id)
  }
}

async function close(): Promise<void> {
  clearInterval(telling)
  await db.close()
  parentPort?.close()
}

function report(said: CrawlThreadReport) {
  parentPort?.postMessage(said)
}

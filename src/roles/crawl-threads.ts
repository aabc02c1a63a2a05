import type { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { CrawlEnd } from '../engine/sites/crawl/crawl.ts'
import type { Crawl } from '../engine/sites/start-crawl.ts'
import { startOwnThread } from '../files/own-files.ts'
import type { Store } from '../store/store.ts'
import type { CrawlThreadData, CrawlThreadInstruction, CrawlThreadReport } from './crawl-thread.ts'

/** Each costs memory and connections, crawls with little to ask hardly any. */
const MAX_THREADS = 4
/** Far more than the crawls of one process take; those of a thread that takes more end, and begin again where they were. */
const MAX_HEAP_MB = 384

type Running = {
  teamId: number
  onProgress: () => void
  resolve: (end: CrawlEnd) => void
  reject: (error: unknown) => void
}
type Thread = { worker: Worker; running: Map<number, Running> }

/**
 * Crawls sites in a few threads. The crawls of a team share one, so that what one of them costs slows down those of few other
 * teams; a thread ends with its last crawl.
 */
export function createCrawlThreads(config: Config, store: Pick<Store, 'access' | 'onMoved'>): Crawl {
  const threads = new Set<Thread>()
  let lastId = 0
  const post = ({ worker }: Thread, instruction: CrawlThreadInstruction) => worker.postMessage(instruction)
  store.onMoved((connection) => {
    for (const thread of threads) post(thread, { kind: 'move', connection })
  })

  function threadFor(teamId: number): Thread {
    const open = [...threads]
    const own = open.find((thread) => teamsOf(thread).has(teamId))
    if (own !== undefined) return own
    const [emptiest] = open.toSorted(
      (a, b) => teamsOf(a).size - teamsOf(b).size || a.running.size - b.running.size,
    )
    return emptiest !== undefined && open.length >= MAX_THREADS ? emptiest : openThread()
  }

  function openThread(): Thread {
    const { connection } = store.access
    const workerData: CrawlThreadData = { config, connection, terminal: process.stdout.isTTY === true }
    const worker = startOwnThread('roles/crawl-thread', {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const thread: Thread = { worker, running: new Map() }
    threads.add(thread)
    let trouble: unknown = new Error('the thread of a crawl ended early')
    worker.on('message', (report: CrawlThreadReport) => hear(thread, report))
    worker.on('error', (error) => {
      trouble = error
    })
    worker.once('exit', () => {
      threads.delete(thread)
      for (const { reject } of thread.running.values()) reject(trouble)
    })
    return thread
  }

  function hear(thread: Thread, said: CrawlThreadReport): void {
    const crawl = thread.running.get(said.id)
    if (crawl === undefined) return
    if (said.kind === 'progress') crawl.onProgress()
    else end(thread, said, crawl)
  }

  function end(thread: Thread, said: CrawlThreadReport & { kind: 'ended' | 'failed' }, crawl: Running): void {
    thread.running.delete(said.id)
    const settle = () => (said.kind === 'ended' ? crawl.resolve(said.end) : crawl.reject(said.error))
    if (thread.running.size === 0) {
      threads.delete(thread)
      // Only then is its last connection closed.
      thread.worker.once('exit', settle)
      post(thread, { kind: 'close' })
    } else settle()
  }

  return ({ siteId, teamId }, signal, onProgress) => {
    const thread = threadFor(teamId)
    const id = ++lastId
    const stop = () => post(thread, { kind: 'stop', id })
    return new Promise<CrawlEnd>((resolve, reject) => {
      thread.running.set(id, { teamId, onProgress, resolve, reject })
      post(thread, { kind: 'crawl', id, siteId, siteUrl: config.siteUrl })
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop)
    }).finally(() => signal.removeEventListener('abort', stop))
  }
}

function teamsOf({ running }: Thread): Set<number> {
  return new Set([...running.values()].map(({ teamId }) => teamId))
}

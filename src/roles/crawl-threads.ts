import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { CrawlEnd } from '../engine/sites/crawl/crawl.ts'
import type { Crawl } from '../engine/sites/start-crawl.ts'
import { FINDS_OWN_MODULES } from '../own-modules.ts'
import type { Store } from '../store/store.ts'
import type { CrawlThreadData, CrawlThreadInstruction, CrawlThreadReport } from './crawl-thread.ts'

/** Far more than a crawl of 5,000 pages takes; one that takes more ends, and begins again where it was. */
const MAX_HEAP_MB = 128

/** Crawls each site in a thread of its own, which ends with the crawl. */
export function createCrawlThreads(config: Config, store: Pick<Store, 'access' | 'onMoved'>): Crawl {
  const threads = new Set<Worker>()
  const post = (thread: Worker, instruction: CrawlThreadInstruction) => thread.postMessage(instruction)
  store.onMoved((connection) => {
    for (const thread of threads) post(thread, { kind: 'move', connection })
  })

  return (siteId, signal, onProgress) => {
    const { connection } = store.access
    const workerData: CrawlThreadData = {
      config,
      connection,
      siteId,
      terminal: process.stdout.isTTY === true,
    }
    const thread = new Worker(new URL('./crawl-thread.ts', import.meta.url), {
      workerData,
      execArgv: FINDS_OWN_MODULES,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    threads.add(thread)
    const stop = () => post(thread, { kind: 'stop' })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    return new Promise<CrawlEnd>((resolve, reject) => {
      let said: CrawlThreadReport | null = null
      thread.on('message', (report: CrawlThreadReport) => {
        if (report.kind === 'progress') onProgress()
        else said = report
      })
      thread.on('error', (error) => {
        said ??= { kind: 'failed', error }
      })
      // Only then is its last connection closed.
      thread.once('exit', () => {
        threads.delete(thread)
        signal.removeEventListener('abort', stop)
        if (said?.kind === 'ended') resolve(said.end)
        else reject(said?.kind === 'failed' ? said.error : new Error('the thread of a crawl ended early'))
      })
    })
  }
}

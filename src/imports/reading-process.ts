import { Worker } from 'node:worker_threads'
import { WrongFile } from './outcome.ts'
import type { ReadingResult, ReadingTask } from './read-apart.ts'
import { readExport } from './read-export.ts'

/** The entry of the process that reads an export; it is ended by its parent, by itself, or with its parent. */
process.on('disconnect', () => process.exit())
process.once('message', async (task: ReadingTask) => {
  watchMemory(task.memoryBytes)
  const result = await read(task)
  process.send?.(result)
})

async function read({ kind, files, terms }: ReadingTask): Promise<ReadingResult> {
  try {
    return { outcome: await readExport(kind, files, terms) }
  } catch (error) {
    if (error instanceof WrongFile) return { wrong: { ...error } }
    return { refusal: (error as Error).message }
  }
}

/**
 * Ends the process once it holds too much. A thread of its own watches, because SQLite and parsers do not come back
 * while they work, and no option bounds what they take outside of V8's heap.
 */
function watchMemory(maxBytes: number): void {
  const watch = `const { workerData } = require('node:worker_threads')
    setInterval(() => process.memoryUsage.rss() > workerData && process.kill(process.pid, 'SIGKILL'), 20)`
  new Worker(watch, { eval: true, workerData: maxBytes }).unref()
}

import { fork } from 'node:child_process'
import { type Said, said } from '../core/language/said.ts'
import type { ImportKind } from '../core/moving-in/kinds.ts'
import type { Outcome } from '../core/moving-in/outcome.ts'
import { MAX_READING_SECONDS } from '../core/moving-in/upload.ts'
import { ownModule } from '../files/own-files.ts'
import { sizeOf } from '../files/regular-file.ts'
import { type Terms, WrongFile } from './outcome.ts'

/** Bounds for what an export costs to read, however it is made. */
export type ReadingBounds = {
  ms: number
  memoryBytes: number
  /** Ends the reading, once nobody waits for it. */
  signal?: AbortSignal | undefined
}

/** A hundred times what 10,000 monitors take. */
const BOUNDS: ReadingBounds = { ms: MAX_READING_SECONDS * 1_000, memoryBytes: 1_024 * 1_024 * 1_024 }
/** The part of the memory that objects may take; the rest is for files, buffers and SQLite. */
const HEAP_SHARE = 0.75

export type ReadingTask = { kind: ImportKind; files: string[]; terms: Terms; memoryBytes: number }
export type ReadingResult =
  | { outcome: Outcome }
  | { wrong: { fault: Said; looksLike: ImportKind | null; files: readonly string[] } }
  | { refusal: string }

/**
 * Reads an export in a process of its own, which is ended when it takes too long or too much memory: a database or a
 * document can keep its reader busy without end, inside code that cannot be interrupted. Throws as `readExport` does.
 */
export function readExportApart(
  kind: ImportKind,
  files: string[],
  terms: Terms,
  bounds: ReadingBounds = BOUNDS,
): Promise<Outcome> {
  const heapMib = Math.floor((bounds.memoryBytes * HEAP_SHARE) / (1_024 * 1_024))
  const child = fork(ownModule('imports/reading-process'), {
    ...(bounds.signal && { signal: bounds.signal, killSignal: 'SIGKILL' }),
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapMib}`],
    serialization: 'advanced',
    // V8 prints pages about its heap when that is full, which are no message for people.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const tooMuch = (fault: Said) => new WrongFile(fault, { files })
  return new Promise<Outcome>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(tooMuch(said('to read it takes more than {seconds} seconds', { seconds: bounds.ms / 1_000 })))
      child.kill('SIGKILL')
    }, bounds.ms)
    child.once('error', reject)
    child.once('message', (result: ReadingResult) => {
      if ('outcome' in result) resolve(result.outcome)
      else
        reject(
          'wrong' in result ? new WrongFile(result.wrong.fault, result.wrong) : new Error(result.refusal),
        )
    })
    // Without an answer, the system or V8 ended it for want of memory.
    child.once('exit', () =>
      setImmediate(() =>
        reject(
          tooMuch(said('to read it takes more than {size} of memory', { size: sizeOf(bounds.memoryBytes) })),
        ),
      ),
    )
    child.once('close', () => clearTimeout(timer))
    child.send({ kind, files, terms, memoryBytes: bounds.memoryBytes } satisfies ReadingTask)
  }).finally(() => child.kill('SIGKILL'))
}

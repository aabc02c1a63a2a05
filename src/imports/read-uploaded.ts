import { type Said, said } from '../core/language/said.ts'
import type { ImportKind } from '../core/moving-in/kinds.ts'
import type { Outcome } from '../core/moving-in/outcome.ts'
import { MAX_READING_SECONDS } from '../core/moving-in/upload.ts'
import { type Terms, WrongFile } from './outcome.ts'
import { readExportApart } from './read-apart.ts'
import { withWriteAheadLog } from './uptime-kuma/write-ahead-log.ts'

/** Less than the command line takes: a service does everything else beside it. */
const MEMORY_BYTES = 512 * 1_024 * 1_024

/** Reads an export that a person uploaded. Its faults are said without the names of its files. */
export async function readUploaded(
  service: ImportKind,
  paths: string[],
  terms: Terms,
  signal?: AbortSignal,
): Promise<{ outcome: Outcome } | { fault: Said; looksLike: ImportKind | null }> {
  try {
    const bounds = { ms: MAX_READING_SECONDS * 1_000, memoryBytes: MEMORY_BYTES, signal }
    return { outcome: await readExportApart(service, await withWriteAheadLog(paths), terms, bounds) }
  } catch (error) {
    if (error instanceof WrongFile) return { fault: error.fault, looksLike: error.looksLike }
    if (signal?.aborted) return { fault: said('was cut off'), looksLike: null }
    throw error
  }
}

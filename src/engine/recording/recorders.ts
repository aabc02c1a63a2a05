import type { Database } from '../../postgres/database.ts'
import type { ServerRecorder } from '../servers/server-finding.ts'
import { createServerRecorder } from '../servers/server-recorder.ts'
import type { SiteRecorder } from '../sites/site-finding.ts'
import { createSiteRecorder } from '../sites/site-recorder.ts'
import type { RecordedBatch } from './batches.ts'
import type { Recorder } from './finding.ts'
import { createRecorder } from './recorder.ts'

/** The recorders of a process, by subject: they share how batches are written, and nothing else. */
export type Recorders = {
  monitors: Recorder & { readonly waiting: number }
  servers: ServerRecorder & { readonly waiting: number }
  sites: SiteRecorder
}

export function createRecorders(
  db: Database,
  onTrouble: (error: unknown) => void,
  note?: (batch: RecordedBatch) => void,
): Recorders {
  return {
    monitors: createRecorder(db, onTrouble, note),
    servers: createServerRecorder(db, onTrouble, note),
    sites: createSiteRecorder(db, onTrouble, note),
  }
}

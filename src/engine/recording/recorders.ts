import type { ServerRecorder } from '../servers/server-recorder.ts'
import { createServerRecorder } from '../servers/server-recorder.ts'
import type { SiteRecorder } from '../sites/site-finding.ts'
import { createSiteRecorder } from '../sites/site-recorder.ts'
import type { RecordingState, RecordingTrouble } from './ability.ts'
import type { RecorderDeps } from './batches.ts'
import type { Recorder } from './finding.ts'
import { createRecorder } from './recorder.ts'

/** The recorders of a process, by subject: they share how batches are written, and nothing else. */
export type Recorders = {
  monitors: Recorder & RecordingState
  servers: ServerRecorder & RecordingState
  sites: SiteRecorder & RecordingState
}

export function createRecorders(...deps: RecorderDeps): Recorders {
  return {
    monitors: createRecorder(...deps),
    servers: createServerRecorder(...deps),
    sites: createSiteRecorder(...deps),
  }
}

/** The worst of several troubles: one that lasts. */
export function worstTrouble(troubles: (RecordingTrouble | null)[]): RecordingTrouble | null {
  return (
    troubles.find((trouble) => trouble?.isLasting) ?? troubles.find((trouble) => trouble !== null) ?? null
  )
}

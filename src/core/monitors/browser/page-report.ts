import type { PageStep } from './page-step.ts'

/*
 * The messages between a check and the process of its browser.
 */

/** A step with its values. `isSecret`: a secret is filled in, which no picture shows. */
export type FilledStep = Pick<PageStep, 'action' | 'url' | 'by' | 'target' | 'value'> & {
  /** Milliseconds; null: what is left of the whole. */
  limitMs: number | null
  isSecret: boolean
}

export type PageTask = {
  /** Opened first. */
  url: string
  steps: FilledStep[]
  /** The proxy through which everything goes, for this check alone. */
  proxy: { server: string; username: string; password: string }
  limitMs: number
  /** The trail is wanted of a check that passes, too. */
  showsTrail: boolean
}

/** A page as it was left: errors of its console, requests that failed, and the beginning of what people see. */
export type PageTrail = {
  url: string
  errors: string[]
  requests: { method: string; url: string; why: string }[]
  text: string
}

/** Why a step failed. */
export type PageFault =
  | { kind: 'status'; status: number }
  /** `code` is Chromium's, such as `ERR_CONNECTION_RESET`. */
  | { kind: 'not opened'; code: string }
  | { kind: 'download' }
  | {
      kind:
        | 'not loaded'
        | 'not seen'
        | 'no text'
        | 'text'
        | 'no option'
        | 'no selector'
        | 'no field'
        | 'no key'
    }
  | { kind: 'other page'; url: string }
  | { kind: 'failed'; message: string }

export type PageStepReport = {
  startMs: number
  durationMs: number
  /** The status of the page that it opened. */
  httpStatusCode: number | null
}

/**
 * `stalled`: this machine stood still. `crashed`: the page took the browser with it, which may be for want of memory here.
 * `steps`: of the page that is opened first, then of each step that was begun; the last one is the one that failed.
 */
export type PageReport = {
  end: 'passed' | 'failed' | 'stalled' | 'crashed'
  fault: PageFault | null
  steps: PageStepReport[]
  /** Null for a check that neither fails nor shows it. */
  trail: PageTrail | null
  totalMs: number
  /** Whether the browser is as it was before. */
  isReusable: boolean
}

/** Messages to the process, and from it. `folder`: for its files, which it removes. `pid`: of the browser, which leads a group of processes. */
export type ToPageProcess =
  | { kind: 'open'; program: string; folder: string }
  | { kind: 'look'; task: PageTask }
  | { kind: 'end' }
export type FromPageProcess =
  | { kind: 'opened'; pid: number }
  | { kind: 'not opened'; message: string }
  | { kind: 'report'; report: PageReport }
  | { kind: 'too much memory' }

/** When a job that was last heard of at `since` is late. */
export function deadline(since: Date, intervalSeconds: number): Date {
  return new Date(since.getTime() + intervalSeconds * 1_000)
}

/** What the part of a ping's path below its token says about the job. */
export type PingKind = 'success' | 'start' | 'fail' | 'log'

export type PingSignal = { kind: PingKind; exitStatus: number | null }

/** Reads the part below the token; null when it means nothing (404). */
export function readSignal(suffix: string | undefined): PingSignal | null {
  if (suffix === undefined || suffix === '') return { kind: 'success', exitStatus: null }
  if (suffix === 'start' || suffix === 'fail' || suffix === 'log') return { kind: suffix, exitStatus: null }
  if (!/^\d{1,3}$/.test(suffix) || Number(suffix) > 255) return null
  const exitStatus = Number(suffix)
  return { kind: exitStatus === 0 ? 'success' : 'fail', exitStatus }
}

/** The words of a failed check that a job reported itself. */
export function reportedFailure(exitStatus: number | null): string {
  return exitStatus === null ? 'the job reported a failure' : `the job ended with exit status ${exitStatus}`
}

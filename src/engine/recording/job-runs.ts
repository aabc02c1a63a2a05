import { ranTooLong } from '../../core/monitors/cause.ts'
import { resultWithout } from '../../core/monitors/check.ts'
import { isOverrun, type JobRuns } from '../../core/monitors/heartbeats/job-runs.ts'
import type { PingKind } from '../../core/monitors/ping.ts'
import type { Connection } from '../../postgres/database.ts'
import { readRunMarks } from '../../store/monitors/pings.ts'
import type { PingRow, StateRow, Subject } from '../../store/monitors/recording.ts'
import type { Finding } from './finding.ts'

/** The runs of the heartbeats of a batch that have a limit; for most batches there is nothing to read. */
export async function readJobRuns(
  client: Connection,
  findings: readonly Finding[],
  subjects: ReadonlyMap<number, Subject>,
): Promise<Map<number, JobRuns>> {
  const limited = [...subjects].flatMap(([id, { options }]) =>
    options?.max_duration_seconds ? [[id, options.max_duration_seconds] as const] : [],
  )
  if (limited.length === 0) return new Map()
  const newestMs = Math.max(...findings.map(({ checkedAt }) => checkedAt.getTime()))
  // A run that reached its limit is told at the deadline, which our own downtime may have moved.
  const longestMs = 2 * Math.max(...limited.map(([, seconds]) => seconds)) * 1_000
  const ids = limited.map(([id]) => id)
  const marks = await readRunMarks(client, ids, new Date(newestMs - longestMs))
  return new Map(limited.map(([id, maxSeconds]) => [id, { pings: marks.get(id) ?? [], maxSeconds }]))
}

/** The runs once a ping came. */
export function withPing(runs: JobRuns, ping: PingRow | null): JobRuns {
  if (!ping || ping.kind === 'log') return runs
  return { ...runs, pings: [...runs.pings, { ...ping, kind: ping.kind as PingKind }] }
}

/** A silence whose deadline was the end of a run says so. */
export function withOverrun(
  finding: Finding,
  { lastCheckedAt }: StateRow,
  { runs }: { runs: ReadonlyMap<number, JobRuns> },
): Finding {
  const known = finding.heartbeat === 'silence' ? runs.get(finding.monitorId) : undefined
  if (!known || !isOverrun(known, { since: lastCheckedAt, at: finding.checkedAt })) return finding
  return { ...finding, result: resultWithout('down', ranTooLong(known.maxSeconds)) }
}

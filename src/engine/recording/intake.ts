import { Refusal } from '../../core/errors.ts'
import { inWords } from '../../core/language/said.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { RemoteFinding } from '../../core/probing/remote-result.ts'
import type { MachineReport } from '../../core/servers/machine-report.ts'
import type { ReportFate } from '../../core/servers/verdict.ts'
import { faultOf } from '../../postgres/sql-states.ts'
import type { PingRow } from '../../store/monitors/recording.ts'
import type { ServerRecorder } from '../servers/server-recorder.ts'
import { NotRecorded } from './batches.ts'
import type { Recorder } from './finding.ts'

/**
 * How long a ping waits for others to share its transaction: no job notices it, and pings that come a few at a time take a
 * third less CPU.
 */
export const GATHER_PINGS_MS = 3
/** This and what a request waits for before are less than the 20 s that are promised. */
const ANSWER_MS = 10_000
const AGAIN_SECONDS = 10

/** Records what requests bring: pings of jobs, reports of servers, and results of remote probes. Each refuses with 503 after some seconds. */
export type Intake = {
  /** Resolves once the ping and all that follows from it are durable. */
  recordPing(ping: PingRow, result: CheckResult | null): Promise<'recorded' | 'stale'>
  /** Resolves once what was said of a manual monitor, and all that follows from it, are durable. */
  recordWord(monitorId: number, saidAt: Date, result: CheckResult): Promise<'recorded' | 'stale'>
  /** Resolves once the report is durable, or refused. */
  recordReport(tokenHash: Buffer, report: MachineReport, receivedAt: Date): Promise<ReportFate>
  /** Resolves once the finding is durable; to the reason where it is refused, else null. */
  recordRemote(found: RemoteFinding): Promise<string | null>
}

export function createIntake(deps: {
  recorders: { monitors: Pick<Recorder, 'record'>; servers: Pick<ServerRecorder, 'recordReport'> }
  /** The region that pings reach; null where it has no name. */
  region: string | null
  countPing: (ping: PingRow) => void
  countReport: (report: MachineReport, fate: ReportFate) => void
  countRemote: (found: RemoteFinding) => void
}): Intake {
  const { recorders, region } = deps
  return {
    async recordPing(ping, result) {
      const { monitorId, receivedAt } = ping
      const recording = recorders.monitors.record({
        monitorId,
        revision: null,
        checkedAt: receivedAt,
        region,
        result,
        heartbeat: 'ping',
        ping,
        waitsMs: GATHER_PINGS_MS,
      })
      const { kind } = await answerInTime(recording)
      if (kind !== 'recorded') return 'stale'
      deps.countPing(ping)
      return kind
    },
    async recordWord(monitorId, saidAt, result) {
      const found = { monitorId, revision: null, checkedAt: saidAt, region, result, ping: null }
      const { kind } = await answerInTime(recorders.monitors.record({ ...found, heartbeat: 'word' }))
      return kind === 'recorded' ? kind : 'stale'
    },
    async recordReport(tokenHash, report, receivedAt) {
      const fate = await answerInTime(recorders.servers.recordReport({ tokenHash, report, receivedAt }))
      deps.countReport(report, fate)
      return fate
    },
    async recordRemote(found) {
      const { type, ...finding } = found
      try {
        const recording = recorders.monitors.record({ ...finding, heartbeat: null, ping: null })
        const { kind, why } = await answerInTime(recording)
        if (kind === 'recorded') deps.countRemote(found)
        return why ?? null
      } catch (error) {
        if (faultOf(error) === 'data') return 'it cannot be stored'
        throw error
      }
    },
  }
}

/**
 * For what a request waits for: 503 where it is given up, or takes too long. In the second case it may still be recorded
 * once the database is well; whoever sends it again then does no harm.
 */
export async function answerInTime<T>(work: Promise<T>, ms = ANSWER_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    throw error instanceof NotRecorded ? unavailable() : error
  } finally {
    clearTimeout(timer)
  }
}

function unavailable(): Refusal {
  const sentence = inWords(`It cannot be recorded at present: send it again in ${AGAIN_SECONDS} s.`)
  return Refusal.forNow('unavailable', AGAIN_SECONDS, sentence)
}

import type { CheckResult } from '../../core/monitors/check.ts'
import type { RemoteFinding } from '../../core/probing/remote-result.ts'
import { faultOf } from '../../postgres/sql-states.ts'
import type { PingRow } from '../../store/monitors/recording.ts'
import { answerInTime } from './answer-in-time.ts'
import type { Recorder } from './finding.ts'

/**
 * How long a ping waits for others to share its transaction: no job notices it, and pings that come a few at a time take a
 * third less CPU.
 */
export const GATHER_PINGS_MS = 3

/** Records what requests bring: pings of jobs, and results of remote probes. Each refuses with 503 after some seconds. */
export type Intake = {
  /** Resolves once the ping and all that follows from it are durable. */
  recordPing(ping: PingRow, result: CheckResult | null): Promise<'recorded' | 'stale'>
  /** Resolves once the finding is durable; to the reason where it is refused, else null. */
  recordRemote(found: RemoteFinding): Promise<string | null>
}

export function createIntake(deps: {
  recorder: Pick<Recorder, 'record'>
  /** The region that pings reach; null where it has no name. */
  region: string | null
  countPing: (ping: PingRow) => void
  countRemote: (found: RemoteFinding) => void
}): Intake {
  const { recorder, region } = deps
  return {
    async recordPing(ping, result) {
      const { monitorId, receivedAt } = ping
      const recording = recorder.record({
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
    async recordRemote(found) {
      const { type, ...finding } = found
      try {
        const { kind, why } = await answerInTime(recorder.record({ ...finding, heartbeat: null, ping: null }))
        if (kind === 'recorded') deps.countRemote(found)
        return why ?? null
      } catch (error) {
        if (faultOf(error) === 'data') return 'it cannot be stored'
        throw error
      }
    },
  }
}

import type { CheckDetail } from '../../src/core/history/monitor-report.ts'
import { passes } from '../../src/core/monitors/check.ts'
import { MONITOR_TYPES, type MonitorType } from '../../src/core/monitors/monitor-types.ts'

export type Phases = NonNullable<CheckDetail['phases']>
export type PhaseName = keyof Phases

/** The parts of a monitor that decide its phases: the type, and the URL, which tells whether TLS is used. */
export type Checked = { type: MonitorType; target: string | null }

const ORDER: readonly PhaseName[] = ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms', 'transfer_ms']

/**
 * The phases of a check to show: those that were measured, and for a failed check those that it did not reach. A check
 * without TLS has no TLS phase to miss.
 */
export function phasesOf(
  { type, target }: Checked,
  { status, phases }: { status: CheckDetail['status']; phases: Phases },
): PhaseName[] {
  const last = ORDER.findLastIndex((name) => phases[name] !== null)
  const hasTls = !/^http:/i.test(target ?? '')
  const measured: readonly PhaseName[] = MONITOR_TYPES[type].phases
  const isDue = (name: PhaseName) => measured.includes(name) && (hasTls || name !== 'tls_ms')
  return ORDER.filter(
    (name, index) => phases[name] !== null || (!passes(status) && index > last && isDue(name)),
  )
}

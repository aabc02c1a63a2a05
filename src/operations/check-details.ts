import type { Phases } from '../core/check.ts'
import type { CheckRecord } from '../core/check-chunk.ts'
import type { CheckDetail } from '../core/monitor-report.ts'
import { presentCheck } from './history.ts'

export function presentCheckDetail(check: CheckRecord): CheckDetail {
  return { ...presentCheck(check), phases: check.phases && presentPhases(check.phases) }
}

function presentPhases(phases: Phases): NonNullable<CheckDetail['phases']> {
  return {
    dns_ms: phases.dnsMs,
    connect_ms: phases.connectMs,
    tls_ms: phases.tlsMs,
    first_byte_ms: phases.firstByteMs,
    transfer_ms: phases.transferMs,
  }
}

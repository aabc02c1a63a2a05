import { formatInstant } from '../../core/instant.ts'
import type { MonitorBrief } from '../../core/monitors/status.ts'
import { targetOf } from '../../core/monitors/target.ts'
import type { BriefRow } from '../../store/monitors/monitor-briefs.ts'

export function presentBrief(row: BriefRow): MonitorBrief {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    target: targetOf(row),
    status: row.status,
    is_active: row.isActive,
    status_since: formatInstant(row.statusSince),
  }
}

import type { CheckStatus } from '../../core/monitors/check.ts'
import type { MonitorType } from '../../core/monitors/monitor.ts'

/** What lists show of a monitor, of `monitors AS m` and `monitor_state AS s`. */
export const BRIEF = `m.id, m.name, m.type, m.url, m.port, s.status, m.is_active AS "isActive",
  s.status_since AS "statusSince"`

export type BriefRow = {
  id: number
  name: string
  type: MonitorType
  url: string | null
  port: number | null
  status: CheckStatus
  isActive: boolean
  statusSince: Date
}

/** As core/monitors/status.ts has it. */
export const LIVE_STATUS = `CASE WHEN m.is_active THEN s.status ELSE 'paused' END`

/** The worst is the least. */
export const URGENCY = `array_position('{down,degraded,pending,up,paused}'::text[], ${LIVE_STATUS})`

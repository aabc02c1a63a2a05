import type { CheckStatus } from '../../core/monitors/check.ts'
import type { MonitorType } from '../../core/monitors/monitor.ts'
import { urgencyOf } from '../lists/subject-list.ts'
import type { Vault } from '../sealing/vault.ts'
import { openUrl } from './monitor-columns.ts'

/** The monitor columns that lists show, from `monitors AS m` and `monitor_state AS s`. */
export const BRIEF = `m.id, m.name, m.type, m.url, m.sealed_url, m.port, s.status, m.is_active AS "isActive",
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

/** A row with such columns as the database has it. */
export type SealedBrief<Row extends BriefRow> = Row & { sealed_url: string | null }

/** The row itself, with its target as it was given. */
export function openBrief<Row extends BriefRow>(row: SealedBrief<Row>, vault: Vault): Row {
  return Object.assign(row, { url: openUrl(row, vault) })
}

/** SQL for the rule in core/monitors/status.ts. */
export const LIVE_STATUS = `CASE WHEN m.is_active THEN s.status ELSE 'paused' END`

export const URGENCY = urgencyOf(LIVE_STATUS)

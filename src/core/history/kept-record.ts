import * as z from 'zod'
import { RecordId } from '../record-id.ts'
import { HOUR_MS } from './history-span.ts'

/**
 * The kinds of records that are kept for a while after a person deleted them, each as its operations name it. Subjects
 * stay in their own tables. Absent on purpose: members, invitations, tokens and other secrets, which must
 * stop working for good, and addresses of people who are to get no more mail.
 */
export const KEPT_KINDS = [
  'Contact',
  'EscalationPolicy',
  'MaintenanceWindow',
  'Report',
  'Schedule',
  'ScheduleOverride',
  'StatusPage',
  'StatusPost',
  'StatusTemplate',
  'StatusUpdate',
] as const
export const KeptKind = z.enum(KEPT_KINDS)
export type KeptKind = z.infer<typeof KeptKind>

/** Long enough to regret a deletion, and no longer: what people delete is to be gone. */
const KEPT_MS = HOUR_MS

/** Records that were deleted before can no longer be taken back. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS)
}

export const KeptRecordRef = z.object({ kind: KeptKind, id: RecordId })
export const RestoredRecord = z.object({ kind: KeptKind, id: z.int(), name: z.string() })

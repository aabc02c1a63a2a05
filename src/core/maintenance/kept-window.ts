import { TimeZone } from './local-time.ts'
import type { WindowTimes } from './occurrence.ts'
import { MAX_ONE_OFF_MINUTES, subjectsOf } from './window.ts'
import type { KeptOccurrence, WindowRecord } from './window-record.ts'

/** More than the longest occurrence: what began earlier has no say about the present. */
export const LOOK_BACK_MS = (MAX_ONE_OFF_MINUTES + 10 * 1_440) * 60_000

/** The time that is looked at for what stands now. */
export function standingAt(now: Date): { now: Date; lookFrom: Date } {
  return { now, lookFrom: new Date(now.getTime() - LOOK_BACK_MS) }
}

/** A window, and what was kept of it since LOOK_BACK_MS ago. */
export type KeptWindow = { window: WindowRecord; kept: readonly KeptOccurrence[] }

/** The zone of a window that this machine does not know, so that its plan cannot be worked out; null for others. */
export function unknownZoneOf(window: WindowTimes): string | null {
  if (window.kind !== 'recurring' || TimeZone.safeParse(window.time_zone).success) return null
  return window.time_zone
}

/** When a window applies. One that cannot be worked out has no plan: it applies to nothing. */
export function timesOf({ window, kept }: KeptWindow): WindowTimes {
  return unknownZoneOf(window) === null ? { ...window, kept } : { kind: 'switch', kept }
}

export function keptOccurrence(
  window: WindowRecord,
  ended: Pick<KeptOccurrence, 'startsAt' | 'endsAt' | 'endedBy'>,
): KeptOccurrence {
  return { windowId: window.id, ...subjectsOf(window), ...ended }
}

import type { SiteEvent } from '../alerting/alert.ts'
import type { Maintenance } from '../maintenance/maintenance-at.ts'
import type { CheckStatus, FoundStatus } from '../monitors/check.ts'
import { OUTAGE_AREAS, type SiteArea } from './area.ts'
import type { AreaLook } from './area-look.ts'

/** Trouble that contacts know of, until they are told that it is over. */
export type ToldTrouble = { status: 'degraded' | 'down'; cause: string }

/** An area before it is judged. */
export type AreaStanding = {
  area: SiteArea
  status: CheckStatus
  statusSince: Date
  cause: string | null
  hasOpenIncident: boolean
  told: ToldTrouble | null
}

export type JudgedLook = Pick<AreaLook<object>, 'status' | 'cause' | 'warning'> & {
  at: Date
  maintenance: Maintenance
  isSnoozed: boolean
}

export type AreaVerdict = Omit<AreaStanding, 'area' | 'hasOpenIncident'> & {
  /** The incident that begins. */
  opens: { startedAt: Date; cause: string } | null
  /** Whether the open incident ends. */
  resolves: boolean
  /** Alerts to send, in order. */
  events: { event: SiteEvent; cause: string }[]
}

const NO_CAUSE = 'no cause is known'

/**
 * Judges what a look at an area means. A snoozed area tells nothing and goes on otherwise; one that fails under maintenance
 * opens nothing. Trouble that still holds after either is told then.
 */
export function judgeArea(before: AreaStanding, look: JudgedLook): AreaVerdict {
  const { at, maintenance, isSnoozed } = look
  const found = foundOf(before.area, look.status)
  if (found === 'pending') return unknown(before, look.cause)
  if (found === 'down' && maintenance.applies) return planned(before, look)

  const startedAt = maintenance.endedAt ?? at
  const cause = look.cause ?? NO_CAUSE
  const resolves = found !== 'down' && before.hasOpenIncident
  const opens = found === 'down' && !before.hasOpenIncident ? { startedAt, cause } : null
  const isQuiet = isSnoozed || maintenance.applies
  const events: AreaVerdict['events'] = []
  let told = before.told

  if (told && (found === 'up' || (found === 'degraded' && told.status === 'down'))) {
    if (!isSnoozed) events.push({ event: 'site.recovery', cause: told.cause })
    told = null
  }
  if (found === 'down' && told?.status !== 'down' && !isQuiet) {
    events.push({ event: 'site.down', cause })
    told = { status: 'down', cause }
  }
  const warning = look.warning ?? (found === 'degraded' && told === null ? cause : null)
  if (found !== 'down' && warning !== null && !isQuiet) {
    events.push({ event: 'site.degraded', cause: warning })
    if (found === 'degraded') told = { status: 'degraded', cause: warning }
  }
  return {
    status: found,
    statusSince: found === before.status ? before.statusSince : found === 'down' ? startedAt : at,
    cause: look.cause,
    told,
    opens,
    resolves,
    events,
  }
}

/** Areas whose failure is no outage warn instead. */
function foundOf(area: SiteArea, status: FoundStatus): FoundStatus {
  const isOutage = (OUTAGE_AREAS as readonly SiteArea[]).includes(area)
  return status === 'down' && !isOutage ? 'degraded' : status
}

/** Nothing is known this time: an area that was known before stays so. */
function unknown(before: AreaStanding, cause: string | null): AreaVerdict {
  return { ...kept(before), cause: before.status === 'pending' ? cause : before.cause }
}

function planned(before: AreaStanding, { at, cause }: JudgedLook): AreaVerdict {
  const isNew = before.status !== 'maintenance'
  return {
    ...kept(before),
    status: 'maintenance',
    statusSince: isNew ? at : before.statusSince,
    cause,
  }
}

function kept({ status, statusSince, cause, told }: AreaStanding): AreaVerdict {
  return { status, statusSince, cause, told, opens: null, resolves: false, events: [] }
}

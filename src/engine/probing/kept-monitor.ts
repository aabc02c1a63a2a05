import { PROBED_SETTINGS } from '../../core/monitors/probe-settings.ts'
import { pick } from '../../core/shape.ts'
import type { MonitorToCheck, ScheduledMonitor } from '../../store/probing/schedule.ts'

/**
 * A monitor between two checks. A schedule holds many: times are numbers, and all but the address and the secrets are
 * one object for all monitors that have them alike.
 */
export type KeptMonitor = {
  id: number
  revision: number
  slot: number
  teamId: number
  changedMs: number
  /** When a user requested an immediate check. */
  requestedMs: number | null
  url: string | null
  /** Sealed; null where there are none, as with most. */
  secrets: KeptSecrets | null
  shared: SharedSettings
}

export type KeptSecrets = Pick<
  MonitorToCheck,
  'sealed_url' | 'sealed_options' | 'request_headers' | 'password'
>
export type SharedSettings = Readonly<
  Omit<MonitorToCheck, 'id' | 'revision' | 'team_id' | 'url' | keyof KeptSecrets>
>

const SECRETS = [
  'sealed_url',
  'sealed_options',
  'request_headers',
  'password',
] as const satisfies readonly (keyof KeptSecrets)[]
const NO_SECRETS: KeptSecrets = {
  sealed_url: null,
  sealed_options: null,
  request_headers: null,
  password: null,
}

const SHARED = [
  'type',
  ...PROBED_SETTINGS.filter((name) => name !== 'url' && name !== 'request_headers' && name !== 'password'),
  'options',
  'interval_seconds',
  'confirmations',
  'recovery_checks',
  'own_regions',
] as const satisfies readonly (keyof SharedSettings)[]

/** More different settings than these are not all found again; then some are kept more than once. */
const MAX_KNOWN = 1_000

/** Makes what is kept of monitors. */
export function createMonitorKeeper(): (monitor: ScheduledMonitor) => KeptMonitor {
  const known = new Map<string, SharedSettings>()

  function shared(monitor: ScheduledMonitor): SharedSettings {
    const settings = pick(monitor, SHARED)
    const text = JSON.stringify(settings)
    const same = known.get(text)
    if (same) return same
    if (known.size === MAX_KNOWN) known.clear()
    known.set(text, settings)
    return settings
  }

  return (monitor) => {
    const { id, revision, slot, team_id, changed_at, check_requested_at, url } = monitor
    const secrets = pick(monitor, SECRETS)
    return {
      ...{ id, revision, slot, url, teamId: team_id },
      changedMs: changed_at.getTime(),
      requestedMs: check_requested_at?.getTime() ?? null,
      secrets: SECRETS.every((name) => (secrets[name] ?? null) === null) ? null : secrets,
      shared: shared(monitor),
    }
  }
}

export function monitorToCheck({ id, revision, teamId, url, secrets, shared }: KeptMonitor): MonitorToCheck {
  return { ...shared, id, revision, team_id: teamId, url, ...(secrets ?? NO_SECRETS) }
}

/** Serves a scheduler that gets the next check of the monitor with it, and so need not decide when that is. */
export function scheduledAgain(monitor: KeptMonitor, up: boolean): ScheduledMonitor {
  const { slot, changedMs, requestedMs } = monitor
  return {
    ...monitorToCheck(monitor),
    ...{ slot, up, pending: false, cut: false },
    ...{ last_checked_at: null, heartbeat_due_at: null, next_attempt_at: null, due_from: null },
    changed_at: new Date(changedMs),
    check_requested_at: requestedMs === null ? null : new Date(requestedMs),
  }
}

/** Whether the probe would do something else now; the interval does not count. */
export function isProbedDifferently(before: KeptMonitor, after: KeptMonitor): boolean {
  return probedPartOf(before) !== probedPartOf(after)
}

function probedPartOf(monitor: KeptMonitor): string {
  return JSON.stringify(
    pick(monitorToCheck(monitor), ['type', 'sealed_url', 'options', 'sealed_options', ...PROBED_SETTINGS]),
  )
}

import type { MonitorPatch, MonitorSettings } from './monitor.ts'
import type { ProbedType } from './monitor-types.ts'

/**
 * The settings that probes read; a probe sees no others. The schedule carries them, `ProbeMonitor` takes them to remote
 * probes, and a change of one starts a check at once.
 */
export const PROBED_SETTINGS = [
  'url',
  'http_method',
  'expected_status_codes',
  'expected_keyword',
  'port',
  'request_timeout_seconds',
  'request_headers',
  'username',
  'password',
  'ssl_expiry_warning_days',
] as const satisfies readonly (keyof MonitorSettings)[]
export type ProbedSetting = (typeof PROBED_SETTINGS)[number]

/** The settings that a probe needs, secrets in the clear. A probe ignores the fields that its type does not use. */
export type ProbeSettings = Omit<Pick<MonitorSettings, ProbedSetting>, 'url'> & {
  type: ProbedType
  url: string
  interval_seconds: number
  /** For whom it is checked: teams share what a thread has of the network. 0 for nobody in particular. */
  team_id?: number
}

export function changesProbe(patch: MonitorPatch): boolean {
  return PROBED_SETTINGS.some((setting) => patch[setting] !== undefined)
}

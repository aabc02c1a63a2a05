import { pick } from '../shape.ts'
import type { MonitorPatch, MonitorSettings } from './monitor.ts'
import {
  type MONITOR_TYPES,
  MonitorType,
  type ProbedType,
  type TypeSetting,
  usesSetting,
} from './monitor-types.ts'
import type { MonitorOptions } from './options/monitor-options.ts'

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
] as const satisfies readonly (keyof MonitorSettings & TypeSetting)[]
export type ProbedSetting = (typeof PROBED_SETTINGS)[number]

type Uses<Type extends ProbedType> = (typeof MONITOR_TYPES)[Type]['settings']
type Own<Type extends ProbedType> = keyof Uses<Type> & ProbedSetting
type Needed<Type extends ProbedType> = {
  [Setting in Own<Type>]: Uses<Type>[Setting] extends 'needed' ? Setting : never
}[Own<Type>]

type OfEveryProbe = {
  url: string
  request_timeout_seconds: number
  interval_seconds: number
  /** Secrets in the clear. A look that no monitor asked for has none. */
  options?: MonitorOptions | null
  /** A test of settings shows the answer also where it passes, and more of it. */
  shows_answer?: boolean
  /** A diagnosis tells of a handshake behind a talk, too. */
  shows_encryption?: boolean
  /** Regular checks tell how an answer looked, and a diagnosis compares. */
  shows_traits?: boolean
  /** The team that it is checked for: teams share what a thread has of the network. 0: no team in particular. */
  team_id?: number
}

/**
 * The settings that the probe of a type reads, secrets in the clear: those that its entry in MONITOR_TYPES lists. A look
 * that no monitor asked for leaves out what its type does not need.
 */
export type ProbeSettings<Type extends ProbedType = ProbedType> = {
  [One in Type]: { type: One } & OfEveryProbe &
    Pick<MonitorSettings, Needed<One>> &
    Partial<Pick<MonitorSettings, Own<One>>>
}[Type]

const OWN_SETTINGS = Object.fromEntries(
  MonitorType.options.map((type) => [type, PROBED_SETTINGS.filter((setting) => usesSetting(type, setting))]),
) as Record<MonitorType, ProbedSetting[]>

type ProbedMonitor = Pick<MonitorSettings, ProbedSetting> & Omit<OfEveryProbe, 'url'>

/** The settings of a monitor for the probe of its type, without those that other types have. */
export function probeSettings(type: ProbedType, monitor: ProbedMonitor): ProbeSettings {
  const { url, interval_seconds, options, shows_answer, shows_encryption, shows_traits, team_id } = monitor
  return {
    ...pick(monitor, OWN_SETTINGS[type]),
    type,
    url: url ?? '',
    interval_seconds,
    ...(options && { options }),
    ...(shows_answer && { shows_answer }),
    ...(shows_encryption && { shows_encryption }),
    ...(shows_traits && { shows_traits }),
    ...(team_id !== undefined && { team_id }),
    // There are more types than the compiler compares with each of a union.
  } as ProbeSettings
}

export function changesProbe(patch: MonitorPatch): boolean {
  return patch.options !== undefined || PROBED_SETTINGS.some((setting) => patch[setting] !== undefined)
}

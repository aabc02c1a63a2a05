import { type Monitor, MonitorPatch } from '../../../../src/core/monitors/monitor.ts'
import { patchRules, type RuleContext } from '../../../../src/core/monitors/monitor-rules.ts'
import { isTypeSetting, type MonitorType, usesSetting } from '../../../../src/core/monitors/monitor-types.ts'
import type { OptionName } from '../../../../src/core/monitors/options/entries.ts'
import { OPTION_NAMES, optionOf } from '../../../../src/core/monitors/options/monitor-options.ts'
import { intervalSecondsOf } from '../../../../src/core/probing/schedule.ts'
import { keysOf, pick } from '../../../../src/core/shape.ts'
import { type Faults, parseFields } from '../../../../src/core/validation.ts'

type OptionSetting = `options.${OptionName}`

/** Options without a secret. */
const SHARED_OPTIONS = OPTION_NAMES.filter((name) => !optionOf(name).secrets).map(
  (name): OptionSetting => `options.${name}`,
)

/** Whether many monitors can share a field, in the order of the form. A name, an address or a secret is of one alone. */
const IS_SHARED = {
  name: false,
  type: false,
  url: false,
  port: false,
  check_interval_minutes: true,
  // Goes with the minutes.
  check_interval_seconds: false,
  request_timeout_seconds: true,
  expected_status_codes: true,
  expected_keyword: true,
  http_method: true,
  ssl_expiry_warning_days: true,
  request_headers: false,
  username: false,
  password: false,
  // Pausing has a button of its own.
  is_active: false,
} as const satisfies Record<Exclude<keyof MonitorPatch, 'options' | 'notification_contact_ids'>, boolean>
type SharedField = {
  [Field in keyof typeof IS_SHARED]: (typeof IS_SHARED)[Field] extends true ? Field : never
}[keyof typeof IS_SHARED]

export type SharedSetting = SharedField | OptionSetting | 'notification_contact_ids' | 'policy_id'

/** The settings that many monitors can share, in the order of the form. */
export const SHARED_SETTINGS: readonly SharedSetting[] = [
  ...keysOf(IS_SHARED).filter((field): field is SharedField => IS_SHARED[field]),
  ...SHARED_OPTIONS,
  'notification_contact_ids',
  'policy_id',
]

export function isOptionSetting(setting: SharedSetting): setting is OptionSetting {
  return setting.startsWith('options.')
}

export function optionNameOf(setting: OptionSetting): OptionName {
  return setting.slice('options.'.length) as OptionName
}

/** Whether monitors of a type have the setting. */
export function isOf(type: MonitorType, setting: SharedSetting): boolean {
  if (isOptionSetting(setting)) return optionOf(optionNameOf(setting)).has(type)
  return !isTypeSetting(setting) || usesSetting(type, setting)
}

/** New values; those of the interval and of the policy are compared as seconds and as an id. */
export type SharedValues = MonitorPatch & { policy_id?: number | null }

/** A setting of a monitor before and after. */
export type SettingChange = { setting: SharedSetting; from: unknown; to: unknown }

export type PlannedMonitor = {
  monitor: Monitor
  /** None where everything is so already. */
  changes: SettingChange[]
  /** Settings that its type does not have. */
  lacks: SharedSetting[]
  /** Why its new values are refused; null where they fit. */
  faults: Faults | null
  /** The fields to send. */
  patch: MonitorPatch
}

/**
 * Says of each monitor what new values would change: of the settings that its type has, and that differ now. `policies`: the
 * own policy of each monitor by its id, where a policy is among the values.
 */
export function planSettings(
  monitors: readonly Monitor[],
  values: SharedValues,
  chosen: readonly SharedSetting[],
  { policies, context }: { policies: ReadonlyMap<number, number | null>; context: RuleContext },
): PlannedMonitor[] {
  return monitors.map((monitor) => {
    const lacks = chosen.filter((setting) => !isOf(monitor.type, setting))
    const changes = chosen.flatMap((setting): SettingChange[] => {
      if (lacks.includes(setting)) return []
      const from = valueNow(monitor, setting, policies)
      const to = wantedValue(values, setting)
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ setting, from, to }]
    })
    const fields = changes.flatMap(({ setting }) => fieldsOf(setting))
    const options = Object.fromEntries(
      changes.flatMap(({ setting, to }) => (isOptionSetting(setting) ? [[optionNameOf(setting), to]] : [])),
    )
    const patch = { ...pick(values, fields), ...(Object.keys(options).length > 0 && { options }) }
    const judged = parseFields(MonitorPatch, patch, patchRules(monitor.type, context))
    return { monitor, changes, lacks, faults: judged.ok ? null : judged.faults, patch }
  })
}

function valueNow(
  monitor: Monitor,
  setting: SharedSetting,
  policies: ReadonlyMap<number, number | null>,
): unknown {
  if (setting === 'check_interval_minutes') return intervalSecondsOf(monitor)
  if (setting === 'policy_id') return policies.get(monitor.id) ?? null
  if (setting === 'notification_contact_ids') return sorted(monitor.notification_contacts.map(({ id }) => id))
  if (isOptionSetting(setting)) return monitor.options?.[optionNameOf(setting)] ?? null
  return monitor[setting]
}

function wantedValue(values: SharedValues, setting: SharedSetting): unknown {
  if (setting === 'check_interval_minutes') {
    return intervalSecondsOf({
      check_interval_minutes: values.check_interval_minutes ?? 5,
      check_interval_seconds: values.check_interval_seconds ?? null,
    })
  }
  if (setting === 'notification_contact_ids') return sorted(values.notification_contact_ids ?? [])
  if (isOptionSetting(setting)) return values.options?.[optionNameOf(setting)] ?? null
  return values[setting] ?? null
}

function fieldsOf(setting: SharedSetting): (keyof MonitorPatch)[] {
  if (setting === 'policy_id' || isOptionSetting(setting)) return []
  return setting === 'check_interval_minutes'
    ? ['check_interval_minutes', 'check_interval_seconds']
    : [setting]
}

function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b)
}

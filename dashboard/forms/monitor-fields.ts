import { MonitorCreate } from '../../src/core/monitors/monitor.ts'
import {
  isInSight,
  isTypeSetting,
  MONITOR_TYPES,
  type MonitorType,
  usesHostOnly,
  usesSetting,
} from '../../src/core/monitors/monitor-types.ts'
import { t } from '../language/language.ts'
import { controlsOf } from './controls.ts'
import type { FieldText } from './field-of.tsx'

/** Options have controls of their own. */
export const MONITOR_CONTROLS = controlsOf(MonitorCreate.omit({ options: true }))

const minutes = MONITOR_CONTROLS.check_interval_minutes
/** The intervals in minutes that the API allows. */
export const MINUTE_STEPS = minutes.kind === 'choice' ? minutes.options.map(Number) : []

/** The shortest of them that is at least `least` minutes. */
export function shortestMinutes(least: number): number {
  return MINUTE_STEPS.find((step) => step >= least) ?? least
}

export type MonitorField = Exclude<keyof MonitorCreate, 'options'>

/** The place of a field that every type has: always visible, under "More settings", or with a separate control. */
type Place = 'first' | 'more' | 'own'

/** Every field that a client may send, in the order of the form. The entry of each monitor type lists the fields it uses. */
export const MONITOR_FIELDS = {
  type: { label: t('What do you want to monitor?'), place: 'own' },
  url: {
    label: 'URL',
    input: { type: 'url', inputMode: 'url' },
  },
  port: { label: t('Port') },
  expected_keyword: {
    label: t('Text the page must contain'),
    hint: t('Case-sensitive.'),
  },
  name: {
    label: t('Name'),
    hint: t('Shown in the list and in alerts.'),
    place: 'first',
  },
  check_interval_minutes: { label: t('Check every'), place: 'own' },
  check_interval_seconds: { label: t('Exact interval'), place: 'own' },
  notification_contact_ids: { label: t('Contacts to alert'), place: 'own' },
  request_timeout_seconds: {
    label: t('Timeout in seconds'),
    hint: t('A check without a response by then fails. 1 to 60.'),
  },
  ssl_expiry_warning_days: {
    label: t('Days of warning before a certificate expires'),
  },
  http_method: { label: t('Method'), hint: t('An answer to HEAD has no text that could be found.') },
  expected_status_codes: {
    label: t('Status codes that count as up'),
    hint: t('Separated by commas, such as 200, 204.'),
    input: { inputMode: 'text' },
  },
  request_headers: {
    label: t('Request headers'),
    hint: t('Sent with every check.'),
    add: t('Add request header'),
  },
  username: {
    label: t('User name'),
    hint: t('Checks sign in with it.'),
  },
  password: {
    label: t('Password'),
    hint: t('Stored encrypted, never shown again.'),
    input: { type: 'password', autoComplete: 'new-password' },
  },
  is_active: {
    label: t('Check now and at every interval'),
    hint: t('When off, the monitor is paused: no checks and no alerts.'),
    place: 'more',
  },
} as const satisfies Record<MonitorField, FieldText & { place?: Place }>

const ORDER = Object.keys(MONITOR_FIELDS) as MonitorField[]

/** The fields of a monitor type, in the order of the form. */
export function fieldsOf(type: MonitorType): MonitorField[] {
  return ORDER.filter((name) => !isTypeSetting(name) || usesSetting(type, name))
}

/** The texts and place of a field for one type. */
export function textOf(name: MonitorField, type: MonitorType): FieldText & { place: Place } {
  const text: FieldText & { place?: Place } = MONITOR_FIELDS[name]
  const place = text.place ?? (isTypeSetting(name) && isInSight(type, name) ? 'first' : 'more')
  const placeholder = name === 'url' && MONITOR_TYPES[type].url?.example
  const label = name === 'url' && usesHostOnly(type) ? t('Host') : text.label
  return { ...text, label, place, ...(placeholder && { placeholder }) }
}

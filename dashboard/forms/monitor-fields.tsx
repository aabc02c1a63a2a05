import { Globe, HeartPulse, type LucideIcon, Plug, Radar, ShieldCheck, TextSearch } from 'lucide-react'
import { MonitorCreate, type MonitorType } from '../../src/core/monitors/monitor.ts'
import type { ChoiceCard } from '../parts/choice-cards.tsx'
import { typeWord } from '../parts/monitors/type-word.ts'
import { controlsOf } from './controls.ts'
import type { FieldText } from './field-of.tsx'

export const MONITOR_CONTROLS = controlsOf(MonitorCreate)

const minutes = MONITOR_CONTROLS.check_interval_minutes
/** The intervals that the API knows in minutes. */
export const MINUTE_STEPS = minutes.kind === 'choice' ? minutes.options.map(Number) : []

/** The shortest of them that a plan allows. */
export function shortestMinutes(least: number): number {
  return MINUTE_STEPS.find((step) => step >= least) ?? least
}

export type MonitorField = keyof MonitorCreate

export const MONITOR_TYPES = {
  http: { label: typeWord('http'), sentence: 'A URL answers with the status you expect.', icon: Globe },
  keyword: { label: typeWord('keyword'), sentence: 'A page answers and contains a text.', icon: TextSearch },
  ssl: {
    label: typeWord('ssl'),
    sentence: 'A TLS certificate is valid and not about to expire.',
    icon: ShieldCheck,
  },
  tcp: { label: typeWord('tcp'), sentence: 'A TCP port of a host takes connections.', icon: Plug },
  icmp: { label: typeWord('icmp'), sentence: 'A host answers echo requests.', icon: Radar },
  heartbeat: {
    label: typeWord('heartbeat'),
    sentence: 'A job of yours, such as a backup, calls us after each run.',
    icon: HeartPulse,
  },
} as const satisfies Record<MonitorType, ChoiceCard & { icon: LucideIcon }>

const ALL = ['http', 'keyword', 'ssl', 'tcp', 'icmp', 'heartbeat'] as const
const WEB = ['http', 'keyword'] as const

/** Where a field stands: in sight, under "More settings", or with a control that is written for it. */
type Place = { of: readonly MonitorType[]; place: 'first' | 'more' | 'own' }

/** Every field a client may send, in the order of the form. What a type does not use is not shown for it. */
export const MONITOR_FIELDS = {
  type: { label: 'What is to be watched?', of: ALL, place: 'own' },
  url: {
    label: 'URL',
    of: ['http', 'keyword', 'ssl', 'tcp', 'icmp'],
    place: 'first',
    input: { type: 'url', inputMode: 'url' },
  },
  port: { label: 'Port', of: ['tcp'], place: 'first' },
  expected_keyword: {
    label: 'Text the page must contain',
    hint: 'Upper and lower case matter.',
    of: ['keyword'],
    place: 'first',
  },
  name: {
    label: 'Name',
    hint: 'Stands in the list and in every alert.',
    of: ALL,
    place: 'first',
  },
  check_interval_minutes: { label: 'Check every', of: ALL, place: 'own' },
  check_interval_seconds: { label: 'Exact interval', of: ALL, place: 'own' },
  notification_contact_ids: { label: 'Who is alerted', of: ALL, place: 'own' },
  request_timeout_seconds: {
    label: 'Time limit in seconds',
    hint: 'A check without an answer by then counts as down. 1 to 60.',
    of: ['http', 'keyword', 'ssl', 'tcp', 'icmp'],
    place: 'more',
  },
  ssl_expiry_warning_days: {
    label: 'Days of warning before a certificate expires',
    of: ['ssl', 'http', 'keyword'],
    place: 'more',
  },
  http_method: { label: 'Method', of: WEB, place: 'more' },
  expected_status_codes: {
    label: 'Status codes that count as up',
    hint: 'Separated by commas, such as 200, 204.',
    of: WEB,
    place: 'more',
    input: { inputMode: 'text' },
  },
  request_headers: { label: 'Request headers', hint: 'Sent with every check.', of: WEB, place: 'more' },
  username: {
    label: 'User name',
    hint: 'For basic authentication. Without one, the password is removed too.',
    of: WEB,
    place: 'more',
  },
  password: {
    label: 'Password',
    hint: 'Stored encrypted, never shown again.',
    of: WEB,
    place: 'more',
    input: { type: 'password', autoComplete: 'new-password' },
  },
  is_active: {
    label: 'Check now and at every interval',
    hint: 'Without it the monitor is paused: nothing is checked and nobody is alerted.',
    of: ALL,
    place: 'more',
  },
} as const satisfies Record<MonitorField, FieldText & Place>

const ORDER = Object.keys(MONITOR_FIELDS) as MonitorField[]

/** The fields that a type of monitor uses, in the order of the form. */
export function fieldsOf(type: MonitorType): MonitorField[] {
  return ORDER.filter((name) => (MONITOR_FIELDS[name].of as readonly MonitorType[]).includes(type))
}

/** What is said of a field for one type, and whether it is the matter of the type. */
export function textOf(name: MonitorField, type: MonitorType): FieldText & Place {
  const text: FieldText & Place = MONITOR_FIELDS[name]
  if (name === 'url') return { ...text, ...URL_TEXTS[type] }
  if (name === 'ssl_expiry_warning_days' && type === 'ssl') return { ...text, place: 'first' }
  return text
}

const URL_TEXTS: Partial<Record<MonitorType, Partial<FieldText>>> = {
  http: { placeholder: 'https://example.com' },
  keyword: { placeholder: 'https://example.com/status' },
  ssl: { placeholder: 'https://example.com' },
  tcp: { label: 'Host', placeholder: 'tcp://db.example.com' },
  icmp: { label: 'Host', placeholder: 'icmp://router.example.com' },
}

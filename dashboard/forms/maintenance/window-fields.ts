import { CalendarClock, Repeat, ToggleRight } from 'lucide-react'
import type * as z from 'zod'
import { TimeZone } from '../../../src/core/maintenance/local-time.ts'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import {
  MaintenanceWindow,
  OneOffWindow,
  RecurringWindow,
  SwitchWindow,
} from '../../../src/core/maintenance/window.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { instantOf, isZone, localTimeOf, readerZone } from '../../data/zone-time.ts'
import type { ChoiceCard } from '../../parts/choice-cards.tsx'
import { type Controls, controlsOf } from '../controls.ts'
import { type Draft, draftOf, readDraft } from '../draft.ts'
import type { FieldText } from '../field-of.tsx'

export type WindowKind = MaintenanceWindow['kind']
/** A window as it is sent. */
export type WindowBody = z.input<typeof MaintenanceWindow>

const HOUR_MS = 3_600_000
const SHARED = ['name', 'note', 'all_subjects', 'monitor_ids'] as const

/** The controls of all kinds together, so that switching the kind keeps what was typed. */
export const WINDOW_CONTROLS: Controls = {
  ...controlsOf(OneOffWindow),
  ...controlsOf(RecurringWindow),
  ...controlsOf(SwitchWindow),
}

/** The fields of each kind. The times of a one-off window are typed as the clocks of a zone show them. */
export const WINDOW_NAMES: Record<WindowKind, string[]> = {
  one_off: [...SHARED, 'starts_at', 'ends_at', 'time_zone'],
  recurring: [...SHARED, 'local_start', 'duration_minutes', 'rule', 'time_zone', 'exceptions'],
  switch: [...SHARED, 'max_minutes', 'ends_when_passing'],
}

export const WINDOW_TEXTS = {
  name: { label: 'Name', hint: 'For example “Database upgrade”. Everyone in the team sees it.' },
  note: { label: 'Note', hint: 'Optional: what is being done. Write it for your customers, too.' },
  all_subjects: {
    label: 'Everything in this team',
    hint: 'All monitors, including those that are added later.',
  },
  monitor_ids: { label: 'Monitors' },
  starts_at: { label: 'Start' },
  ends_at: { label: 'End' },
  time_zone: { label: 'Time zone' },
  local_start: { label: 'First start' },
  duration_minutes: { label: 'Duration' },
  rule: {
    label: 'Rule (RRULE)',
    hint: 'Follows the choices above. You can also write one, such as FREQ=MONTHLY;BYDAY=-1FR.',
  },
  exceptions: { label: 'Days without it' },
  max_minutes: { label: 'Longest time', hint: 'It turns itself off after this time. Up to 24 hours.' },
  ends_when_passing: {
    label: 'End early when everything passes',
    hint: 'Once all of its monitors have been passing for 5 minutes.',
  },
} as const satisfies Record<string, FieldText>

export const KIND_CARDS: Record<WindowKind, ChoiceCard> = {
  one_off: {
    label: 'Once',
    sentence: 'From a start to an end, such as a move tonight.',
    icon: CalendarClock,
  },
  recurring: {
    label: 'Recurring',
    sentence: 'Every day, week, month or year, such as a Sunday backup.',
    icon: Repeat,
  },
  switch: {
    label: 'Switch',
    sentence: 'Turned on by hand or by a deploy script; off by itself.',
    icon: ToggleRight,
  },
}

export function newWindowDraft(now: Date, monitors: readonly number[]): Draft {
  const zone = readerZone()
  const start = new Date(Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS)
  return {
    ...draftOf(WINDOW_CONTROLS, {
      monitor_ids: monitors,
      starts_at: localTimeOf(start, zone),
      ends_at: localTimeOf(new Date(start.getTime() + HOUR_MS), zone),
      local_start: localTimeOf(start, zone),
      time_zone: zone,
      duration_minutes: 60,
      rule: 'FREQ=WEEKLY',
    }),
  }
}

export function windowDraft({ fields }: WindowDetail): Draft {
  const zone = typeof fields.time_zone === 'string' ? fields.time_zone : readerZone()
  const local = (value: unknown) => (value === undefined ? '' : localTimeOf(new Date(String(value)), zone))
  return draftOf(WINDOW_CONTROLS, {
    ...fields,
    starts_at: local(fields.starts_at),
    ends_at: local(fields.ends_at),
    time_zone: zone,
  })
}

/** The window that a draft describes; one that is being edited keeps times that were not touched to the second. */
export function bodyOf(kind: WindowKind, draft: Draft, edited?: WindowDetail): Record<string, unknown> {
  const { time_zone: zone, ...values } = readDraft(WINDOW_CONTROLS, draft, WINDOW_NAMES[kind])
  if (values.all_subjects) values.monitor_ids = []
  if (kind !== 'one_off') return { ...values, ...(kind === 'recurring' && { time_zone: zone }), kind }
  const instant = (name: 'starts_at' | 'ends_at') => {
    const local = String(values[name])
    const before = edited?.fields[name]
    if (!isZone(String(zone))) return local
    if (typeof before === 'string' && localTimeOf(new Date(before), String(zone)) === local) return before
    return instantOf(local, String(zone))?.toISOString() ?? local
  }
  return { ...values, kind, starts_at: instant('starts_at'), ends_at: instant('ends_at') }
}

/** The rules over several fields are the service's: they need to know the clocks of every zone. */
export function judgeWindow(kind: WindowKind, draft: Draft, edited?: WindowDetail): Parsed<WindowBody> {
  const body = bodyOf(kind, draft, edited)
  const zone = parseFields(RecurringWindow.pick({ time_zone: true }), { time_zone: draft.time_zone })
  // Without a zone its times mean nothing.
  if (kind === 'one_off' && !zone.ok) return zone
  const parsed = parseFields(MaintenanceWindow, body)
  return parsed.ok ? { ok: true, value: body as WindowBody } : parsed
}

export const zoneOf = (draft: Draft): string | null => TimeZone.safeParse(draft.time_zone).data ?? null

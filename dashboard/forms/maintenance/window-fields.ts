import type * as z from 'zod'
import { TimeZone } from '../../../src/core/maintenance/local-time.ts'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { ofEachField, SUBJECT_KINDS, type SubjectRef } from '../../../src/core/maintenance/subject-kind.ts'
import {
  chosenField,
  MaintenanceWindow,
  NOTHING_CHOSEN,
  OneOffWindow,
  RecurringWindow,
  SwitchWindow,
} from '../../../src/core/maintenance/window.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { instantOf, isZone, localTimeOf, readerZone } from '../../data/zone-time.ts'
import { type Controls, controlsOf } from '../controls.ts'
import { type Draft, draftOf, readDraft } from '../draft.ts'

export type WindowKind = MaintenanceWindow['kind']
/** A window as it is sent. */
export type WindowBody = z.input<typeof MaintenanceWindow>

const HOUR_MS = 3_600_000
const SHARED = [
  ...['name', 'note', 'shows_on_pages', 'public_name'],
  ...['all_subjects', 'tags', ...SUBJECT_KINDS.map(chosenField)],
]

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

export function newWindowDraft(now: Date, subject?: SubjectRef): Draft {
  const zone = readerZone()
  const start = new Date(Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS)
  return {
    ...draftOf(WINDOW_CONTROLS, {
      ...ofEachField('_ids', (kind) => (subject?.kind === kind ? [subject.id] : [])),
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
  if (values.all_subjects) Object.assign(values, NOTHING_CHOSEN, { tags: [] })
  if (splitTags(String(draft.tags ?? '')).length > 0) Object.assign(values, NOTHING_CHOSEN)
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

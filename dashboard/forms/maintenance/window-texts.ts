import { CalendarClock, Repeat, ToggleRight } from 'lucide-react'
import type { ChoiceCard } from '../../parts/choice-cards.tsx'
import type { FieldText } from '../field-of.tsx'
import type { WindowKind } from './window-fields.ts'

export const WINDOW_TEXTS = {
  name: {
    label: 'Name',
    hint: 'For example “Database upgrade”. Visible to the team, and on status pages that show the window.',
  },
  note: { label: 'Note', hint: 'Optional: the work that you plan. Write it for your customers, too.' },
  all_subjects: {
    label: 'Everything in this team',
    hint: 'All monitors, servers and sites, including those that you add later.',
  },
  tags: {
    label: 'Everything with these tags',
    hint: 'Covers what carries all of them, including what gets them later.',
  },
  monitor_ids: { label: 'Monitors' },
  server_ids: { label: 'Servers' },
  site_ids: { label: 'Sites' },
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
    hint: 'Once everything that it covers has been passing for 5 minutes.',
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

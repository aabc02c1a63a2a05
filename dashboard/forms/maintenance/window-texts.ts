import { CalendarClock, Repeat, ToggleRight } from 'lucide-react'
import { ofEachField, SUBJECT_NAMES } from '../../../src/core/maintenance/subject-kind.ts'
import { t } from '../../language/language.ts'
import type { ChoiceCard } from '../../parts/choice-cards.tsx'
import type { FieldText } from '../field-of.tsx'
import type { WindowKind } from './window-fields.ts'

export const WINDOW_TEXTS = {
  name: {
    label: t('Name'),
    hint: t('For example “Database upgrade”. The team sees it.'),
  },
  note: {
    label: t('Note'),
    hint: t('Optional: the work that you plan. Status pages that show the window show it, too.'),
  },
  shows_on_pages: {
    label: t('Show on status pages'),
    hint: t(
      'Pages with something that it covers announce it, and say “Maintenance” meanwhile. Without this they say what they would say without the window.',
    ),
  },
  public_name: {
    label: t('Name on status pages'),
    hint: t('Optional: what visitors read instead of the name.'),
  },
  all_subjects: {
    label: t('Everything in this team'),
    hint: t('All monitors, servers and sites, including those that you add later.'),
  },
  tags: {
    label: t('Everything with these tags'),
    hint: t('Covers what carries all of them, including what gets them later.'),
  },
  ...ofEachField('_ids', (kind) => ({ label: t(SUBJECT_NAMES[kind]) })),
  starts_at: { label: t('Start') },
  ends_at: { label: t('End') },
  time_zone: { label: t('Time zone') },
  local_start: { label: t('First start') },
  duration_minutes: { label: t('Duration') },
  rule: {
    label: t('Rule (RRULE)'),
    hint: t('Follows the choices above. You can also write one, such as FREQ=MONTHLY;BYDAY=-1FR.'),
  },
  exceptions: { label: t('Days without it') },
  max_minutes: { label: t('Longest time'), hint: t('It turns itself off after this time. Up to 24 hours.') },
  ends_when_passing: {
    label: t('End early when everything passes'),
    hint: t('Once everything that it covers has been passing for 5 minutes.'),
  },
} as const satisfies Record<string, FieldText>

export const KIND_CARDS: Record<WindowKind, ChoiceCard> = {
  one_off: {
    label: t('Once'),
    sentence: t('From a start to an end, such as a move tonight.'),
    icon: CalendarClock,
  },
  recurring: {
    label: t('Recurring'),
    sentence: t('Every day, week, month or year, such as a Sunday backup.'),
    icon: Repeat,
  },
  switch: {
    label: t('Switch'),
    sentence: t('Turned on by hand or by a deploy script; off by itself.'),
    icon: ToggleRight,
  },
}

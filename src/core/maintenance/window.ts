import * as z from 'zod'
import { RecordId } from '../record-id.ts'
import { TagSelectors } from '../tags/tag.ts'
import { label, MAX_NAME_LENGTH, optionalLabel, prose } from '../text.ts'
import { LocalDate, LocalTime, TimeZone } from './local-time.ts'
import { MAX_RULE_LENGTH, RecurrenceRule } from './recurrence.ts'
import { KIND_ENTRIES, ofEachField, ofEachKind, SUBJECT_KINDS, type SubjectKind } from './subject-kind.ts'

export const MAX_WINDOWS = 1_000
export const MAX_NOTE_LENGTH = 2_000
export const MAX_EXCEPTIONS = 366
export const MIN_WINDOW_MINUTES = 1
/** The bound of one occurrence of a recurring window: 7 days. */
export const MAX_RECURRING_MINUTES = 10_080
/** 30 days. */
export const MAX_ONE_OFF_MINUTES = 43_200
export const MAX_SWITCH_MINUTES = 1_440
/** How long every subject must have been passing before a switch ends itself, where that is wanted. */
export const SWITCH_PASSING_SECONDS = 300

const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))

const shared = {
  name: label(MAX_NAME_LENGTH).describe('Name of the window, shown to the team.'),
  note: prose(MAX_NOTE_LENGTH)
    .describe('Public note about the work, shown to everyone who sees the window.')
    .default(''),
  shows_on_pages: z
    .boolean()
    .describe('Whether status pages show the window; on others a failure shows as it would without it.')
    .default(true),
  public_name: optionalLabel(MAX_NAME_LENGTH)
    .describe('What status pages call the window; empty: its name.')
    .default(''),
  all_subjects: z
    .boolean()
    .describe('True: the window covers everything of the team, including what is added later.')
    .default(false),
  ...ofEachField('_ids', (kind) =>
    z
      .array(RecordId)
      .max(KIND_ENTRIES[kind].maxInWindow)
      .describe(`IDs of the ${kind}s that the window covers, unless it covers everything.`)
      .default([]),
  ),
  tags: TagSelectors.describe(
    'Instead of IDs: the window covers what carries all of these tags, including what gets them later.',
  ).default([]),
}

export const OneOffWindow = z.object({
  kind: z.literal('one_off'),
  ...shared,
  starts_at: time.describe('Start of the window: a time with its offset or Z.'),
  ends_at: time.describe('End of the window, exclusive: at most 30 days after its start.'),
})
export type OneOffWindow = z.infer<typeof OneOffWindow>

export const RecurringWindow = z.object({
  kind: z.literal('recurring'),
  ...shared,
  local_start: LocalTime.describe(
    'Date and time of day of the first occurrence, as clocks in `time_zone` show it: `2027-01-31T02:30`.',
  ),
  time_zone: TimeZone.describe('Time zone of the IANA database, such as Europe/Berlin.'),
  duration_minutes: z
    .int()
    .min(MIN_WINDOW_MINUTES)
    .max(MAX_RECURRING_MINUTES)
    .describe('Length of each occurrence in minutes of elapsed time, even if clocks change meanwhile.'),
  rule: RecurrenceRule.meta({ maxLength: MAX_RULE_LENGTH }).describe(
    'Days of the occurrences, as an RRULE (RFC 5545): `FREQ=MONTHLY;BYDAY=1SU`.',
  ),
  exceptions: z
    .array(LocalDate)
    .max(MAX_EXCEPTIONS)
    .describe('Days in `time_zone` that the rule names but that have no occurrence.')
    .default([]),
})
export type RecurringWindow = z.infer<typeof RecurringWindow>

export const SwitchWindow = z.object({
  kind: z.literal('switch'),
  ...shared,
  max_minutes: z
    .int()
    .min(MIN_WINDOW_MINUTES)
    .max(MAX_SWITCH_MINUTES)
    .describe('Minutes after which it ends by itself.')
    .default(60),
  ends_when_passing: z
    .boolean()
    .describe('Whether it ends earlier, once all of its subjects have passed for 5 minutes.')
    .default(false),
})
export type SwitchWindow = z.infer<typeof SwitchWindow>

const KINDS = [OneOffWindow, RecurringWindow, SwitchWindow] as const

/** A maintenance window, as a form sends it. Rules that look at several fields are `windowFaults`. */
export const MaintenanceWindow = z.discriminatedUnion('kind', KINDS)
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>

export type ChosenField = `${SubjectKind}_ids`
export { ofEachKind, SUBJECT_KINDS, type SubjectKind }

export type Subjects = Pick<MaintenanceWindow, 'all_subjects' | ChosenField>
/** The chosen subjects of a window. */
export type Chosen = Pick<Subjects, ChosenField>

export const NOTHING_CHOSEN: Readonly<Chosen> = ofEachField('_ids', () => [])

/** The field that names the chosen subjects of a kind. */
export function chosenField<K extends SubjectKind>(kind: K): `${K}_ids` {
  return `${kind}_ids`
}

/** The chosen subjects of a kind, of a window that does not cover everything. */
export function chosenOf(subjects: Chosen, kind: SubjectKind): readonly number[] {
  return subjects[chosenField(kind)]
}

/** The name that visitors of status pages read. */
export function publicName({ name, public_name }: Pick<MaintenanceWindow, 'name' | 'public_name'>): string {
  return public_name.trim() === '' ? name : public_name
}

/** How a record names its subjects, without anything else of it. */
export function subjectsOf({ all_subjects, ...chosen }: Subjects): Subjects {
  return { all_subjects, ...chosenIn(chosen) }
}

/** The chosen subjects of a record, without anything else of it. */
export function chosenIn(chosen: Chosen): Chosen {
  return ofEachField('_ids', (kind) => [...chosenOf(chosen, kind)])
}

export function countChosen(chosen: Chosen): number {
  return SUBJECT_KINDS.reduce((sum, kind) => sum + chosenOf(chosen, kind).length, 0)
}

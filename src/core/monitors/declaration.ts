import * as z from 'zod'
import { type Contact, type ContactConfig, ContactConfigs, ContactSettings } from '../alerting/contact.ts'
import { inWords, issueAt, said } from '../language/said.ts'
import { TagSet } from '../tags/tag.ts'
import { DEFAULT_PLANS } from '../teams/plan.ts'
import { TeamSettingsPatch } from '../teams/team-settings.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'
import { broken, type Parsed, parseFields, print } from '../validation.ts'
import { MAX_MEMBERS } from './groups/group-state.ts'
import { LONGEST_MINUTES, MAX_CONTACTS, type Monitor, MonitorSettings } from './monitor.ts'
import { createRules } from './monitor-rules.ts'
import { hasInterval, MONITOR_TYPES, MonitorType } from './monitor-types.ts'
import { type MonitorOptions, mergeOptions, SentOptions } from './options/monitor-options.ts'
import { MAX_PARENTS } from './options/patience.ts'

const MAX_DECLARED_CONTACTS = 500
const MAX_DECLARED_MONITORS = 10_000

/** Most permissive rules: a file has no service, whose plan and policy apply when it is applied. */
const ANYWHERE = { plan: DEFAULT_PLANS.business, planName: 'business', refuseAddress: () => null } as const

const ContactFields = ContactSettings.strict()

/** A contact in a file. Unlike in a request, its config is validated here, and unknown keys are refused. */
export const DeclaredContact = ContactFields.transform((contact, context) => {
  const parsed = ContactConfigs[contact.type].strict().safeParse(contact.config, { reportInput: true })
  if (parsed.success) return { ...contact, config: parsed.data as ContactConfig }
  for (const issue of parsed.error.issues) {
    context.issues.push({ ...issue, path: ['config', ...issue.path] } as z.core.$ZodRawIssue)
  }
  return z.NEVER
})
export type DeclaredContact = z.output<typeof DeclaredContact>

const MonitorFields = MonitorSettings.extend({
  options: SentOptions.nullable().default(null),
  contacts: z.array(label(MAX_NAME_LENGTH)).max(MAX_CONTACTS).default([]),
  /** Names of monitors, in place of the option with their IDs. */
  depends_on: z.array(label(MAX_NAME_LENGTH)).max(MAX_PARENTS).optional(),
  members: z.array(label(MAX_NAME_LENGTH)).min(1).max(MAX_MEMBERS).optional(),
  /** Omitted: they stay as the dashboard has them, as the API cannot read them. */
  tags: TagSet.optional(),
}).strict()

/** A monitor in a file. Omitted fields have their defaults, and contacts are named, not numbered. */
export const DeclaredMonitor = MonitorFields.superRefine((monitor, context) => {
  for (const { field, message } of createRules(ANYWHERE)(withNumberedMembers(monitor))) {
    context.addIssue(issueAt([field], message))
  }
  if (monitor.password && monitor.username === null) {
    context.addIssue(issueAt(['password'], said('needs a username beside it')))
  }
  for (const list of ['contacts', 'depends_on', 'members'] as const)
    refuseRepeated(monitor[list] ?? [], (name, index) => {
      context.addIssue(issueAt([list, index], said('must not repeat {code}', { code: name })))
    })
  const { depends_on: parents, members } = monitor.options ?? {}
  for (const [option, value] of Object.entries({ depends_on: parents, members }))
    if (Array.isArray(value))
      context.addIssue(
        issueAt(
          ['options', option],
          said('must be left out: the names of the monitors stand beside the options'),
        ),
      )
})
  // As in the API, a heartbeat or group has no URL, and an empty password counts as none.
  .transform((monitor) => ({
    ...monitor,
    url: MONITOR_TYPES[monitor.type].url === null ? null : monitor.url,
    password: monitor.password || null,
    options: mergeOptions(null, monitor.options),
  }))
export type DeclaredMonitor = z.output<typeof DeclaredMonitor>

/** The monitor with its members as options have them, by any IDs: its rules ask how many there are. */
function withNumberedMembers<M extends { options: SentOptions | null; members?: string[] | undefined }>(
  monitor: M,
): M {
  const { members, options } = monitor
  if (!members) return monitor
  return { ...monitor, options: { ...options, members: members.map((_, index) => index + 1) } }
}

/**
 * The contacts and monitors that a team should have: the file of `upbeat apply`. Names identify records. Unknown keys
 * are refused, so that no typo is ignored.
 */
export const Declaration = z
  .object({
    /** Settings that are left out, or all of them, stay as they are: the API cannot read them. */
    team: TeamSettingsPatch.optional(),
    contacts: z.array(DeclaredContact).max(MAX_DECLARED_CONTACTS).default([]),
    monitors: z.array(DeclaredMonitor).max(MAX_DECLARED_MONITORS).default([]),
  })
  .strict()
  .superRefine((declaration, context) => {
    for (const kind of ['contacts', 'monitors'] as const) {
      const names = declaration[kind].map(({ name }) => name)
      refuseRepeated(names, (name, index) => {
        const message = said('must be unique: another of the {kind} is called {name}', {
          kind,
          name: JSON.stringify(name),
        })
        context.addIssue(issueAt([kind, index, 'name'], message))
      })
    }
  })
export type Declaration = z.output<typeof Declaration>
/** A declaration before parsing: fields with a default may be missing. */
export type DeclarationInput = z.input<typeof Declaration>

/** Where somebody who looks for maintenance windows would write them. */
const MAINTENANCE = /^((contacts|monitors)\.\d+\.)?maintenance(s|_?windows?)?$/i

/** The keys of errors are paths, such as `monitors.0.url`. */
export function parseDeclaration(input: unknown): Parsed<Declaration> {
  const parsed = parseFields(Declaration, withIntervals(input ?? {}))
  if (parsed.ok) return parsed
  const faults = Object.entries(parsed.faults).map(([path, messages]) => [
    path,
    MAINTENANCE.test(path)
      ? messages.map((fault) => inWords(`${print(fault, path)}: ${NOT_IN_FILES}`))
      : messages,
  ])
  return broken(Object.fromEntries(faults))
}

/** Where a type has no interval, a file may leave it out, as a request may. */
function withIntervals(input: unknown): unknown {
  const { monitors } = input as { monitors?: unknown }
  if (!Array.isArray(monitors)) return input
  return { ...(input as object), monitors: monitors.map(withInterval) }
}

function withInterval(monitor: unknown): unknown {
  const { type, ...settings } = (monitor ?? {}) as { type?: unknown }
  return isWithoutInterval(type) ? { check_interval_minutes: LONGEST_MINUTES, ...settings, type } : monitor
}

function isWithoutInterval(type: unknown): boolean {
  const known = MonitorType.safeParse(type).data
  return known !== undefined && !hasInterval(known)
}

const NOT_IN_FILES =
  'maintenance windows are made in the dashboard, and scripts turn a switch by its secret address (docs/maintenance.md)'

/** The fields of a contact that a file declares. */
export function contactAsWritten(contact: Contact): Record<string, unknown> {
  return pick(contact, ContactFields.shape)
}

/** The fields of a monitor that a file declares, without its password. `names`: of the team's monitors. */
export function monitorAsWritten(
  monitor: Monitor,
  tags: readonly string[] = [],
  names: ReadonlyMap<number, string> = new Map(),
): Record<string, unknown> {
  const contacts = monitor.notification_contacts.map(({ name }) => name)
  const { options, parents, members } = withLinksByName(monitor.options, names)
  return {
    ...pick(monitor, MonitorFields.shape),
    options,
    contacts,
    ...(parents.length > 0 && { depends_on: parents }),
    ...(members.length > 0 && { members }),
    ...(tags.length > 0 && { tags }),
  }
}

/** The options without the IDs of parents and members, and the names of these; deleted ones are left out. */
export function withLinksByName(
  options: MonitorOptions | null,
  names: ReadonlyMap<number, string>,
): { options: MonitorOptions | null; parents: string[]; members: string[] } {
  const { depends_on: parents = [], members = [] } = options ?? {}
  const namesOf = (ids: readonly number[]) => ids.flatMap((id) => names.get(id) ?? [])
  if (!Array.isArray(members))
    return { options: mergeOptions(options, { depends_on: null }), parents: namesOf(parents), members: [] }
  return {
    options: mergeOptions(options, { depends_on: null, members: null }),
    parents: namesOf(parents),
    members: namesOf(members),
  }
}

function pick(record: object, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([field]) => field in shape))
}

/** Drops the fields of a declared record that equal their default. */
export function withoutDefaultValues(
  kind: 'contact' | 'monitor',
  declared: DeclaredContact | DeclaredMonitor,
): Record<string, unknown> {
  const shape: Record<string, z.ZodType> = (kind === 'contact' ? ContactFields : MonitorFields).shape
  const written = Object.entries(declared).filter(([field, value]) => {
    const fallback = shape[field]?.safeParse(undefined)
    return !fallback?.success || JSON.stringify(fallback.data) !== JSON.stringify(value)
  })
  return Object.fromEntries(written)
}

function refuseRepeated(names: string[], refuse: (name: string, index: number) => void): void {
  const seen = new Set<string>()
  names.forEach((name, index) => {
    if (seen.has(name)) refuse(name, index)
    seen.add(name)
  })
}

import * as z from 'zod'
import { type Contact, type ContactConfig, ContactConfigs, ContactSettings } from '../alerting/contact.ts'
import { DEFAULT_PLANS } from '../teams/plan.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'
import { type Parsed, parseFields } from '../validation.ts'
import { MAX_CONTACTS, type Monitor, MonitorSettings } from './monitor.ts'
import { createRules } from './monitor-rules.ts'

/** Of a whole file. */
const MAX_DECLARED_CONTACTS = 500
const MAX_DECLARED_MONITORS = 10_000

/** What the plan and the policy of a service allow, that service says when it is asked. */
const ANYWHERE = { plan: DEFAULT_PLANS.business, planName: 'business', refuseAddress: () => null } as const

const ContactFields = ContactSettings.strict()

/** A contact as a file declares it. Unlike a request's, its config is judged here, and holds nothing unknown. */
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
  contacts: z.array(label(MAX_NAME_LENGTH)).max(MAX_CONTACTS).default([]),
}).strict()

/** A monitor as a file declares it: what is not written has its default, and contacts are called by their names. */
export const DeclaredMonitor = MonitorFields.superRefine((monitor, context) => {
  for (const { field, message } of createRules(ANYWHERE)(monitor)) {
    context.addIssue({ code: 'custom', path: [field], message })
  }
  if (monitor.password && monitor.username === null) {
    context.addIssue({ code: 'custom', path: ['password'], message: 'needs a username beside it' })
  }
  refuseRepeated(monitor.contacts, (name, index) => {
    context.addIssue({ code: 'custom', path: ['contacts', index], message: `must not repeat ${name}` })
  })
})
  // A heartbeat has no URL, and an empty password is none, as in the API.
  .transform((monitor) => ({
    ...monitor,
    url: monitor.type === 'heartbeat' ? null : monitor.url,
    password: monitor.password || null,
  }))
export type DeclaredMonitor = z.output<typeof DeclaredMonitor>

/**
 * What a team's contacts and monitors shall be, as `upbeat apply` takes it. Each is known by its name. Unknown keys
 * are refused: a typing error must not be ignored here.
 */
export const Declaration = z
  .object({
    contacts: z.array(DeclaredContact).max(MAX_DECLARED_CONTACTS).default([]),
    monitors: z.array(DeclaredMonitor).max(MAX_DECLARED_MONITORS).default([]),
  })
  .strict()
  .superRefine((declaration, context) => {
    for (const kind of ['contacts', 'monitors'] as const) {
      const names = declaration[kind].map(({ name }) => name)
      refuseRepeated(names, (name, index) => {
        const message = `must be unique: another of the ${kind} is called ${JSON.stringify(name)}`
        context.addIssue({ code: 'custom', path: [kind, index, 'name'], message })
      })
    }
  })
export type Declaration = z.output<typeof Declaration>
/** The same as it is written, where defaults may be left out. */
export type DeclarationInput = z.input<typeof Declaration>

/** Errors are named by their path, such as `monitors.0.url`. */
export function parseDeclaration(input: unknown): Parsed<Declaration> {
  return parseFields(Declaration, input ?? {})
}

/** What a file would say of a contact that exists. */
export function contactAsWritten(contact: Contact): Record<string, unknown> {
  return pick(contact, ContactFields.shape)
}

/** What a file would say of a monitor that exists, but for its password. */
export function monitorAsWritten(monitor: Monitor): Record<string, unknown> {
  const contacts = monitor.notification_contacts.map(({ name }) => name)
  return { ...pick(monitor, MonitorFields.shape), contacts }
}

function pick(record: object, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([field]) => field in shape))
}

/** What must be written of a declared record to mean the same: its fields without those that have their default. */
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

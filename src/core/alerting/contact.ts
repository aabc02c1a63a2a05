import * as z from 'zod'
import { RecordId } from '../record-id.ts'
import { keysOf, pick, withoutSchemaDefaults } from '../shape.ts'
import { MASK, maskUrl } from '../teams/access.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'
import { broken, type Parsed, parseFields } from '../validation.ts'
import { type ContactConfig, ContactConfigs, ContactType, visibilityOf } from './contact-types.ts'
import { EmailAddress, MAX_CONFIG_VALUE_LENGTH } from './contact-values.ts'

export type { ContactConfig }
export { ContactConfigs, ContactType, EmailAddress }

/** Validates a config for the contact's type. Drops unknown keys; the keys of errors are paths like `config.url`. */
export function parseConfig(type: ContactType, config: unknown): Parsed<ContactConfig> {
  const parsed = parseFields(ContactConfigs[type], config)
  if (parsed.ok) return { ok: true, value: present(parsed.value) }
  const faults = Object.entries(parsed.faults).map(([field, messages]) => [`config.${field}`, messages])
  return broken(Object.fromEntries(faults))
}

/** Without keys that were left out. */
function present(config: z.output<(typeof ContactConfigs)[ContactType]>): ContactConfig {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => value !== undefined),
  ) as ContactConfig
}

/** The settings, in the order of the documentation and of CLI flags. A POST may omit those with a default. */
const sent = {
  name: label(MAX_NAME_LENGTH).describe('Name of the contact.'),
  type: ContactType,
  config: z.record(z.string(), z.unknown()).describe('What the type needs; other keys are dropped.'),
  notify_on_down: z.boolean().describe('Alert when a monitor goes down.').default(true),
  notify_on_recovery: z.boolean().describe('Alert when a monitor recovers.').default(true),
}
const { type, ...settings } = withoutSchemaDefaults(sent)

export const ContactCreate = z.object({
  ...sent,
  attach_to_existing: z
    .boolean()
    .default(false)
    .describe(
      'Also adds the contact to all that have contacts of their own; those with none are left alone.',
    ),
})
export type ContactCreate = z.infer<typeof ContactCreate>

export const ContactPatch = z.object({ type, ...settings }).partial()
export type ContactPatch = z.infer<typeof ContactPatch>

/** The stored settings of a contact, with secrets in the clear. */
export const ContactSettings = z.object(sent)
export type ContactSettings = Omit<z.infer<typeof ContactSettings>, 'config'> & { config: ContactConfig }

/** A contact in answers, with its fields in order (specification, section 2.2). */
export const Contact = z.object({
  id: RecordId,
  name: settings.name,
  type,
  config: z
    .record(z.string().max(64), z.string().max(MAX_CONFIG_VALUE_LENGTH))
    .describe(
      `What the type needs. A viewer's token sees URLs as scheme and host with \`/${MASK}\`, tokens as \`${MASK}\`.`,
    ),
  notify_on_down: settings.notify_on_down,
  notify_on_recovery: settings.notify_on_recovery,
} satisfies Record<keyof ContactSettings, z.ZodType> & Record<string, z.ZodType>)
export type Contact = z.infer<typeof Contact>

export type ContactRecord = ContactSettings & { id: number }

export function presentContact(record: ContactRecord, showSecrets: boolean): Contact {
  const config = showSecrets ? record.config : maskConfig(record.config, [record.type])
  return pick({ ...record, config }, keysOf(Contact.shape))
}

/** Masks a config for viewers. With several possible types, the strictest masking of each key applies. */
export function maskConfig(
  config: Record<string, string>,
  types: readonly ContactType[] = ContactType.options,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const ways = new Set(types.flatMap((type) => visibilityOf(type, key) ?? []))
      if (ways.size === 0 || ways.has('nothing')) return [key, MASK]
      return [key, ways.has('host') ? maskUrl(value) : value]
    }),
  )
}

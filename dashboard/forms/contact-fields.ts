import type * as z from 'zod'
import { ContactCreate } from '../../src/core/alerting/contact.ts'
import type { KeyText } from '../../src/core/alerting/contact-kind.ts'
import {
  CONTACT_TYPES,
  ContactConfigs,
  type ContactType,
  isOfBrowser,
} from '../../src/core/alerting/contact-types.ts'
import { t } from '../language/language.ts'
import { type Controls, controlsOf } from './controls.ts'
import type { FieldText } from './field-of.tsx'

const SETTING_FIELDS = {
  notify_on_down: { label: t('Alert when something goes down') },
  notify_on_recovery: { label: t('Alert when it recovers') },
  attach_to_existing: {
    label: t('Attach to existing monitors, servers and sites'),
    hint: t('Also adds it to those with their own contact list; all others use every contact.'),
  },
  name: { label: t('Name'), hint: t('For example “On-call phone”.') },
} as const satisfies Record<Exclude<keyof z.infer<typeof ContactCreate>, 'type' | 'config'>, FieldText>

export const CONTACT_TICKS = ['notify_on_down', 'notify_on_recovery', 'attach_to_existing'] as const

const { type: _type, config: _config, ...settings } = controlsOf(ContactCreate)

/** The controls of all types together, so that switching the type keeps what was typed. */
export const CONTACT_CONTROLS: Controls = Object.assign(
  { ...settings },
  ...Object.values(ContactConfigs).map((schema) => controlsOf(schema, 'config.')),
)

function inLanguage({ label, hint, placeholder, ...text }: KeyText): FieldText {
  return {
    ...text,
    label: t(label),
    ...(hint !== undefined && { hint: t(hint) }),
    placeholder: placeholder && t(placeholder),
  }
}

/** The fields of a contact type. Fields of the config have paths such as `config.url`; a browser fills in its own. */
export function contactFields(type: ContactType): { texts: Record<string, FieldText>; config: string[] } {
  const config = Object.fromEntries(
    Object.entries<KeyText>(CONTACT_TYPES[type].texts).map(([key, text]) => [
      `config.${key}`,
      inLanguage(text),
    ]),
  )
  return { texts: { ...SETTING_FIELDS, ...config }, config: isOfBrowser(type) ? [] : Object.keys(config) }
}

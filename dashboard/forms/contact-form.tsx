import { type ReactNode, useState } from 'react'
import {
  type Contact,
  type ContactConfig,
  ContactCreate,
  ContactPatch,
  type ContactType,
  parseConfig,
} from '../../src/core/alerting/contact.ts'
import { broken, type Parsed, parseFields } from '../../src/core/validation.ts'
import { useMail } from '../data/account.ts'
import { NoMail } from '../parts/accounts/no-mail.tsx'
import { CONTACT_CONTROLS, CONTACT_TICKS, contactFields } from './contact-fields.ts'
import { changedNames, type Draft, draftOf, readDraft } from './draft.ts'
import { FieldOf } from './field-of.tsx'
import { FormFrame } from './form-frame.tsx'
import { latestOf, saveRecord } from './record-parts.ts'
import { useForm } from './use-form.ts'

/** The form of a new or an existing contact. For an existing one it sends only changed fields. */
export function ContactForm({
  team,
  type,
  contact,
  name,
  askConfig,
  verb,
  beside,
  guarded = true,
  isFirst = false,
  onDone,
}: {
  team: number
  type: ContactType
  contact?: Contact
  /** The name that a new contact has until another is typed. */
  name?: string
  /** Asks for the config of a new contact when it is sent, where the form has no fields for it. */
  askConfig?: () => Promise<ContactConfig>
  verb: string
  beside?: ReactNode
  guarded?: boolean
  /** Nothing has contacts of its own yet. */
  isFirst?: boolean
  onDone: (contact: Contact) => void
}) {
  const { texts, config } = contactFields(type)
  const ticks = CONTACT_TICKS.filter((name) => !(contact || isFirst) || name !== 'attach_to_existing')
  const names = [...config, 'name', ...ticks]
  const [initial] = useState(() =>
    draftOf(CONTACT_CONTROLS, contact ? given(contact) : name === undefined ? undefined : { name }),
  )
  const form = useForm({
    initial,
    names,
    judge: (draft, before) =>
      contact
        ? judgePatch(before, draft, names, type)
        : judgeNew(readDraft(CONTACT_CONTROLS, draft, names), type, askConfig !== undefined),
    latest:
      contact &&
      latestOf(contact, {
        team,
        of: 'Contact',
        controls: CONTACT_CONTROLS,
        draftOf: (latest) => draftOf(CONTACT_CONTROLS, given(latest)),
        labelOf: (name) => texts[name]?.label ?? name,
        changedBy: ['replaceContact'],
      }),
    send: async (body: ContactCreate | ContactPatch) =>
      saveRecord(team, 'Contact', contact, { ...body, ...(!contact && (await askedFor())) }),
    onDone,
  })
  const askedFor = async () => askConfig && { config: await askConfig() }
  const isUnsendable = !useMail() && type === 'email'
  const fieldOf = (name: string) => {
    const control = CONTACT_CONTROLS[name]
    const text = texts[name]
    return control && text && <FieldOf key={name} {...{ name, control, text, form }} />
  }

  return (
    <FormFrame form={form} verb={verb} beside={beside} guarded={guarded} className="flex flex-col gap-4">
      {isUnsendable && <NoMail />}
      {config.map(fieldOf)}
      {fieldOf('name')}
      <div className="flex flex-col gap-3">{ticks.map((name) => fieldOf(name))}</div>
    </FormFrame>
  )
}

function given({ config, ...rest }: Contact): Record<string, unknown> {
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(config).map(([key, value]) => [`config.${key}`, value])),
  }
}

/** Collects paths such as `config.url` in one object, as the API expects. */
function bodyOf(values: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  const config: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith('config.')) config[name.slice('config.'.length)] = value
    else body[name] = value
  }
  return Object.keys(config).length > 0 ? { ...body, config } : body
}

/** A config that is asked for when the form is sent is judged by the API. */
function judgeNew(
  values: Record<string, unknown>,
  type: ContactType,
  asksConfig: boolean,
): Parsed<ContactCreate> {
  const body = { ...bodyOf(values), type }
  if (asksConfig) return parseFields(ContactCreate, { ...body, config: {} })
  return withConfig(parseFields(ContactCreate, body), type, body)
}

/** The API replaces a config as a whole, so a change of one key sends all keys. */
function judgePatch(before: Draft, draft: Draft, names: string[], type: ContactType): Parsed<ContactPatch> {
  const changes = changedNames(CONTACT_CONTROLS, before, draft)
  const isConfig = (name: string) => name.startsWith('config.')
  const isMoved = changes.some(isConfig)
  const sent = names.filter((name) => changes.includes(name) || (isMoved && isConfig(name)))
  const body = bodyOf(readDraft(CONTACT_CONTROLS, draft, sent))
  return withConfig(parseFields(ContactPatch, body), type, body)
}

function withConfig<T>(parsed: Parsed<T>, type: ContactType, body: Record<string, unknown>): Parsed<T> {
  const judged = body.config === undefined ? null : parseConfig(type, body.config)
  if (!judged || judged.ok) return parsed
  return broken({ ...(!parsed.ok && parsed.faults), ...judged.faults })
}

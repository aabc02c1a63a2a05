import type * as z from 'zod'
import {
  type ContactConfigs as Configs,
  ContactConfigs,
  ContactCreate,
  type ContactType,
} from '../../src/core/alerting/contact.ts'
import { type Controls, controlsOf } from './controls.ts'
import type { FieldText } from './field-of.tsx'

const URL_INPUT = { type: 'url', inputMode: 'url' } as const

/** What each channel needs, key for key. */
const CONFIG_FIELDS = {
  email: {
    email: {
      label: 'E-mail address',
      placeholder: 'on-call@example.com',
      input: { type: 'email', inputMode: 'email', autoComplete: 'email' },
    },
  },
  slack: {
    webhook_url: {
      label: 'Webhook URL',
      placeholder: 'https://hooks.slack.com/services/…',
      hint: 'In Slack: your app → Incoming webhooks → Add new webhook to workspace, then copy its URL.',
      input: URL_INPUT,
    },
  },
  discord: {
    webhook_url: {
      label: 'Webhook URL',
      placeholder: 'https://discord.com/api/webhooks/…',
      hint: 'In Discord: channel settings → Integrations → Webhooks → New webhook, then copy its URL.',
      input: URL_INPUT,
    },
  },
  telegram: {
    bot_token: {
      label: 'Bot token',
      placeholder: '123456789:AAE…',
      hint: 'In Telegram: write /newbot to @BotFather, who gives you the token.',
    },
    chat_id: {
      label: 'Chat ID',
      placeholder: '-1001234567890 or @status',
      hint: 'Add the bot to the chat first. A public channel may be named by its @name.',
    },
  },
  webhook: {
    url: {
      label: 'URL',
      placeholder: 'https://example.com/alerts',
      hint: 'Receives a JSON POST per alert, signed per Standard Webhooks; the signing secret is on the Team page.',
      input: URL_INPUT,
    },
  },
} as const satisfies { [Type in ContactType]: Record<keyof Configs[Type], FieldText> }

const SETTING_FIELDS = {
  notify_on_down: { label: 'Alert when a monitor goes down' },
  notify_on_recovery: { label: 'Alert when a monitor recovers' },
  attach_to_existing: {
    label: 'Attach to existing monitors',
    hint: 'Adds it to every monitor that has contacts of its own. Those without alert every contact anyway.',
  },
  name: { label: 'Name', hint: 'As your team will know it, such as “On-call phone”.' },
} as const satisfies Record<Exclude<keyof z.infer<typeof ContactCreate>, 'type' | 'config'>, FieldText>

export const CONTACT_TICKS = ['notify_on_down', 'notify_on_recovery', 'attach_to_existing'] as const

const { type: _type, config: _config, ...settings } = controlsOf(ContactCreate)

/** Of every type together: what was typed for one is still there after a look at another. */
export const CONTACT_CONTROLS: Controls = Object.assign(
  { ...settings },
  ...Object.values(ContactConfigs).map((schema) => controlsOf(schema, 'config.')),
)

/** The fields of a type of contact, those of its config by their path. */
export function contactFields(type: ContactType): { texts: Record<string, FieldText>; config: string[] } {
  const config = Object.fromEntries(
    Object.entries<FieldText>(CONFIG_FIELDS[type]).map(([key, text]) => [`config.${key}`, text]),
  )
  return { texts: { ...SETTING_FIELDS, ...config }, config: Object.keys(config) }
}

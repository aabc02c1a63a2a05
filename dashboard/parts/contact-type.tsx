import { Hash, Mail, MessageCircle, Send, Webhook } from 'lucide-react'
import type { Contact, ContactType } from '../../src/core/alerting/contact.ts'
import type { ChoiceCard } from './choice-cards.tsx'

export const CONTACT_TYPES = {
  email: { label: 'E-mail', sentence: 'A message to an address.', icon: Mail },
  slack: { label: 'Slack', sentence: 'A post in a channel.', icon: Hash },
  discord: { label: 'Discord', sentence: 'A post in a channel.', icon: MessageCircle },
  telegram: { label: 'Telegram', sentence: 'A message of your bot to a chat.', icon: Send },
  webhook: { label: 'Webhook', sentence: 'A signed JSON request to a program of yours.', icon: Webhook },
} as const satisfies Record<ContactType, ChoiceCard>

/** The kind of a contact, as a shape and a word. */
export function ContactTypeMark({ type }: { type: ContactType }) {
  const { label, icon: Icon } = CONTACT_TYPES[type]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-soft">
      <Icon aria-hidden size={16} />
      <span className="self-baseline">{label}</span>
    </span>
  )
}

/** Where a contact leads, as the service shows it: secrets come masked to those who may not see them. */
export function destinationOf({ config }: Pick<Contact, 'config'>): string {
  return config.email ?? config.webhook_url ?? config.url ?? config.chat_id ?? ''
}

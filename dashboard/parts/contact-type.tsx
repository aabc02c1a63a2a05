import { CONTACT_TYPES, ContactType } from '../../src/core/alerting/contact-types.ts'
import { t } from '../language/language.ts'
import type { ChoiceCard } from './choice-cards.tsx'
import { ICONS } from './icons.ts'

export const CONTACT_CARDS = Object.fromEntries(
  ContactType.options.map((type) => {
    const { word, sentence, icon } = CONTACT_TYPES[type]
    return [type, { label: t(word), sentence: t(sentence), icon: ICONS[icon] }]
  }),
) as Record<ContactType, ChoiceCard>

/** The type of a contact, as an icon and a label. */
export function ContactTypeMark({ type }: { type: ContactType }) {
  const { label, icon: Icon } = CONTACT_CARDS[type]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-soft">
      <Icon aria-hidden size={16} />
      <span className="self-baseline">{label}</span>
    </span>
  )
}

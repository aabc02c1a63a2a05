import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { ContactType } from '../../../src/core/alerting/contact-types.ts'
import { useTeam } from '../../data/session.ts'
import { NewContactForm } from '../../forms/alerting/new-contact-form.tsx'
import { t } from '../../language/language.ts'
import { ChoiceCards } from '../../parts/choice-cards.tsx'
import { CONTACT_CARDS } from '../../parts/contact-type.tsx'
import { Panel } from '../../parts/panel.tsx'
import { NewScreen } from '../../parts/records/form-screen.tsx'

export default function ContactNew() {
  const { id, name } = useTeam()
  const { type: asked } = useSearch({ from: '/signed-in/teams/$team/contacts/new' })
  const [type, setType] = useState<ContactType>(() => ContactType.safeParse(asked).data ?? 'email')
  const team = String(id)
  return (
    <NewScreen
      className="mx-auto max-w-3xl"
      title={t('Add a contact')}
      about={t('Contacts get alerts when a monitor goes down and when it recovers.')}
      back={{ to: '/teams/$team/contacts', params: { team } }}
      view={t('View contacts')}
      readOnly={t('Ask an owner or admin of {name} to add the contact.', { name })}
      needs={{}}
      said={(contact: Contact) =>
        t('{name} added. Send a test to make sure alerts arrive.', { name: contact.name })
      }
      to={(contact) => ({
        to: '/teams/$team/contacts/$contact',
        params: { team, contact: String(contact.id) },
      })}
    >
      {(_, form) => (
        <div className="flex flex-col gap-5">
          <ChoiceCards
            legend={t('How should we send alerts?')}
            cards={CONTACT_CARDS}
            value={type}
            onChoose={setType}
          />
          <Panel className="p-4">
            <NewContactForm team={id} type={type} {...form} />
          </Panel>
        </div>
      )}
    </NewScreen>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { ContactType } from '../../../src/core/alerting/contact-types.ts'
import { useNotices } from '../../app/notices.tsx'
import { useTeam } from '../../data/session.ts'
import { NewContactForm } from '../../forms/alerting/new-contact-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { ChoiceCards } from '../../parts/choice-cards.tsx'
import { CONTACT_CARDS } from '../../parts/contact-type.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'

export default function ContactNew() {
  const { id, name, may } = useTeam()
  const { type: asked } = useSearch({ from: '/signed-in/teams/$team/contacts/new' })
  const [type, setType] = useState<ContactType>(() => ContactType.safeParse(asked).data ?? 'email')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const params = { team: String(id) }
  const back = (
    <Link to="/teams/$team/contacts" params={params} className={buttonLook('quiet')}>
      {may('write') ? t('Cancel') : t('View contacts')}
    </Link>
  )

  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('Add a contact')}>
        {t('Contacts get alerts when a monitor goes down and when it recovers.')}
      </PageHead>
      {may('write') ? (
        <div className="flex flex-col gap-5">
          <ChoiceCards
            legend={t('How should we send alerts?')}
            cards={CONTACT_CARDS}
            value={type}
            onChoose={setType}
          />
          <Panel className="p-4">
            <NewContactForm
              team={id}
              type={type}
              beside={back}
              onDone={(contact) => {
                void queries.invalidateQueries({ queryKey: [id] })
                say.done(t('{name} added. Send a test to make sure alerts arrive.', { name: contact.name }))
                void navigate({
                  to: '/teams/$team/contacts/$contact',
                  params: { ...params, contact: String(contact.id) },
                })
              }}
            />
          </Panel>
        </div>
      ) : (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back}>
            {t('Ask an owner or admin of {name} to add the contact.', { name })}
          </Empty>
        </Panel>
      )}
    </div>
  )
}

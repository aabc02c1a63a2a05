import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Contact, ContactType } from '../../../src/core/alerting/contact.ts'
import { destinationOf } from '../../../src/core/alerting/contact-types.ts'
import { useMail } from '../../data/account.ts'
import { NewContactForm } from '../../forms/alerting/new-contact-form.tsx'
import { t } from '../../language/language.ts'
import { NoMail } from '../../parts/accounts/no-mail.tsx'
import { Button } from '../../parts/button.tsx'
import { ChoiceCards } from '../../parts/choice-cards.tsx'
import { CONTACT_CARDS, ContactTypeMark } from '../../parts/contact-type.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TestOutcome, useContactTest } from '../alerting/contact-test.tsx'

/** More would be a question of its own. */
const FIRST_CHANNELS = 5

/** Picks an existing contact, or adds a new one. */
export function FirstContact({
  team,
  contacts,
  onDone,
}: {
  team: number
  contacts: Contact[]
  onDone: (contact: Contact) => void
}) {
  const id = useId()
  const hasMail = useMail()
  const canTell = ({ type }: Contact) => hasMail || type !== 'email'
  /** Null is a new contact. Undefined until the person picks: then the likely one is selected, with the focus. */
  const [picked, setChosen] = useState<number | null>()
  const isUntouched = picked === undefined
  const chosen = isUntouched ? (contacts.find(canTell)?.id ?? null) : picked
  const [type, setType] = useState<ContactType>('slack')
  const queries = useQueryClient()
  const existing = contacts.find((contact) => contact.id === chosen)

  function takeExisting(event: FormEvent) {
    event.preventDefault()
    if (existing) onDone(existing)
  }

  return (
    <div className="flex flex-col gap-4">
      <form id={id} onSubmit={takeExisting}>
        <fieldset className="flex min-w-0 flex-col gap-1">
          <legend className="mb-1 font-medium">{t('Who should we alert when it goes down?')}</legend>
          {contacts.map((contact) => (
            <div key={contact.id}>
              <label className="flex min-h-9 items-center gap-2.5">
                <input
                  type="radio"
                  name="contact"
                  className="size-4.5 shrink-0 accent-accent"
                  checked={contact.id === chosen}
                  onChange={() => setChosen(contact.id)}
                />
                <span className="flex min-w-0 flex-wrap gap-x-3">
                  <span className="break-words">{contact.name}</span>
                  <ContactTypeMark type={contact.type} />
                  {destinationOf(contact) !== contact.name && (
                    <span className="min-w-0 truncate text-soft">{destinationOf(contact)}</span>
                  )}
                </span>
              </label>
              {!canTell(contact) && (
                <p className="pb-1 pl-7 text-sm">
                  <NoMail />
                </p>
              )}
            </div>
          ))}
          <label className="flex min-h-9 items-center gap-2.5">
            <input
              type="radio"
              name="contact"
              className="size-4.5 shrink-0 accent-accent"
              checked={chosen === null}
              // biome-ignore lint/a11y/noAutofocus: each step begins at its first control, as by its button otherwise
              autoFocus={isUntouched && chosen === null}
              onChange={() => setChosen(null)}
            />
            {t('Someone else, or a service')}
          </label>
        </fieldset>
      </form>
      {existing ? (
        <Button type="submit" form={id} tone="main" className="self-start" autoFocus={isUntouched}>
          {t('Continue')}
        </Button>
      ) : (
        <>
          <ChoiceCards
            legend={t('How should we send alerts?')}
            cards={CONTACT_CARDS}
            value={type}
            first={FIRST_CHANNELS}
            onChoose={setType}
          />
          <NewContactForm
            team={team}
            type={type}
            guarded={false}
            isFirst
            onDone={(contact) => {
              void queries.invalidateQueries({ queryKey: [team, 'listContacts'] })
              onDone(contact)
            }}
          />
        </>
      )}
    </div>
  )
}

/** Sends a test to the contact, and says whether it arrived. */
export function FirstTest({
  team,
  contact,
  sent,
  onSent,
  onAgain,
}: {
  team: number
  contact: Contact
  /** The delivery of the test that was sent last. */
  sent: number | undefined
  onSent: (delivery: number) => void
  /** Goes back to the choice of a contact. */
  onAgain: () => void
}) {
  const test = useContactTest(team, contact.id, { id: sent, onSent })
  const { delivery, isWaiting } = test
  const hasArrived = delivery?.state === 'sent'
  return (
    <div className="flex flex-col gap-4">
      <TestOutcome test={test} />
      <Refused error={test.problem} />
      <div className="flex flex-wrap gap-2">
        <Button
          tone={hasArrived ? 'plain' : 'main'}
          className="max-w-full"
          busy={isWaiting}
          autoFocus={sent === undefined}
          onClick={() => void test.send()}
        >
          <span className="min-w-0 truncate">
            {delivery ? t('Send another test') : t('Send a test to {name}', { name: contact.name })}
          </span>
        </Button>
        {delivery && !hasArrived && !isWaiting && (
          <Button onClick={onAgain}>{t('Choose another contact')}</Button>
        )}
      </div>
    </div>
  )
}

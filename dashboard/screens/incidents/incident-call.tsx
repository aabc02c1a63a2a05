import { Phone } from 'lucide-react'
import { useState } from 'react'
import { phrase } from '../../../src/core/language/phrase.ts'
import type { CallablePerson } from '../../../src/core/on-call/response.ts'
import { useSession } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { callUrl } from '../../parts/on-call/phone-link.tsx'
import type { RespondedIncident } from './incident-acknowledge.tsx'
import { BAR_ACTION, NARROW } from './incident-bar.tsx'

/** The people that the reader can call about an incident: others than the reader. */
export function useCallable({ callable }: RespondedIncident['response']): CallablePerson[] {
  const { user } = useSession()
  return callable.filter(({ user_id }) => user_id !== user.id)
}

/** Calls the one who has an incident or is on call, or asks which of them; nothing where no one can be called. */
export function CallAction({ people }: { people: CallablePerson[] }) {
  const [person, ...others] = people
  if (!person) return null
  if (others.length > 0) return <ChooseWhom people={people} />
  const { name, phone } = person
  return (
    <a
      href={callUrl(phone)}
      title={phone}
      aria-label={callWords(person)}
      className={`${buttonLook('quiet')} ${BAR_ACTION}`}
    >
      {ICON}
      <span className="max-w-60 truncate">{rich('Call<wide> {name}</wide>', { ...NARROW, name })}</span>
    </a>
  )
}

function ChooseWhom({ people }: { people: CallablePerson[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button tone="quiet" className={BAR_ACTION} onClick={() => setOpen(true)}>
        {ICON}
        {t('Call…')}
      </Button>
      <Dialog title={t('Who do you want to call?')} open={isOpen} onClose={() => setOpen(false)}>
        <ul className="flex flex-col gap-2">
          {people.map((person) => (
            <li key={person.user_id}>
              <a
                href={callUrl(person.phone)}
                className={`${buttonLook()} h-auto! w-full justify-start! gap-3! py-2.5 text-left`}
              >
                <Phone aria-hidden size={18} className="shrink-0" />
                <span className="min-w-0 whitespace-normal">
                  <span className="block break-words">{person.name}</span>
                  <span className="block text-sm font-normal text-soft">
                    {t(person.why === 'acknowledged' ? 'Has acknowledged' : 'On call now')} · {person.phone}
                  </span>
                </span>
              </a>
            </li>
          ))}
        </ul>
        <div className="mt-5 flex justify-end">
          <Button onClick={() => setOpen(false)}>{t('Cancel')}</Button>
        </div>
      </Dialog>
    </>
  )
}

const ICON = <Phone aria-hidden size={18} className="lg:size-4" />

const CALL_WORDS = {
  acknowledged: phrase('Call {name}, who has acknowledged'),
  'on call': phrase('Call {name}, on call'),
} as const satisfies Record<CallablePerson['why'], string>

function callWords({ name, why }: CallablePerson): string {
  return t(CALL_WORDS[why], { name })
}

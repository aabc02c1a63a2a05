import { useEffect, useRef, useState } from 'react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { sayProblem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { DeliveryMark, outcomeOf } from '../../parts/alerting/delivery.tsx'
import { Button, Spinner } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useContactTest } from './contact-test.tsx'

/** Sends a test alert to every contact, and shows what each receiver answers. */
export function TestAll({ team, contacts }: { team: number; contacts: Contact[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Test all')}</Button>
      <Dialog wide title={t('Test all contacts')} open={isOpen} onClose={() => setOpen(false)}>
        <Tests team={team} contacts={contacts} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Tests({ team, contacts, onClose }: { team: number; contacts: Contact[]; onClose: () => void }) {
  // Those of the moment when it was opened: a colleague's new contact is not tested unasked.
  const [tested] = useState(contacts)
  /** How many have had their turn: they are asked one after the other. */
  const [turn, setTurn] = useState<number | null>(null)
  return (
    <>
      <p className="mb-3 text-soft">
        {t('Each gets an alert that says that it is a test. People are called and paged, too.')}
      </p>
      <ul className="max-h-[55vh] divide-y divide-line scrolls" aria-label={t('Contacts')}>
        {tested.map((contact, index) => (
          <Line
            key={contact.id}
            team={team}
            contact={contact}
            isOn={turn !== null && index <= turn}
            onSent={() => setTurn(index + 1)}
          />
        ))}
      </ul>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{turn === null ? t('Cancel') : t('Close')}</Button>
        {turn === null && (
          <Button tone="main" onClick={() => setTurn(0)}>
            {t('{count, plural, one {Send # test} other {Send # tests}}', { count: tested.length })}
          </Button>
        )}
      </div>
    </>
  )
}

function Line({
  team,
  contact,
  isOn,
  onSent,
}: {
  team: number
  contact: Contact
  isOn: boolean
  onSent: () => void
}) {
  const { send, delivery, isWaiting, problem } = useContactTest(team, contact.id)
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isOn || isBegun.current) return
    isBegun.current = true
    void send().then(onSent)
  })
  const last = delivery?.attempts.at(-1)
  return (
    <li data-row className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 font-medium break-words">{contact.name}</span>
      <span role="status" className="min-w-0 text-sm break-words">
        {problem ? (
          <span className="text-down">{sayProblem(problem)}</span>
        ) : isWaiting ? (
          <span className="flex items-center gap-2 text-soft">
            <Spinner />
            {t('Waiting for the response…')}
          </span>
        ) : (
          delivery && (
            <span className="flex flex-wrap items-center gap-x-2">
              <DeliveryMark state={outcomeOf(delivery)} />
              {last && delivery.state !== 'sent' && <span className="text-soft">{last.detail}</span>}
            </span>
          )
        )}
      </span>
    </li>
  )
}

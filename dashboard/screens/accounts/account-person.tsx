import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { askAccount, useMail, waysInQuestion } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { NoMail, SetUpMail } from '../../parts/accounts/no-mail.tsx'
import { OwnNameField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Section } from '../../parts/panel.tsx'
import { ChangeEmail } from './account-email.tsx'
import { PersonField } from './account-field.tsx'
import { PersonPhone } from './account-phone.tsx'

/** The person's name, phone number and address, and whether the address is confirmed. */
export function AccountPerson() {
  const { user } = useSession()
  const hasMail = useMail()
  return (
    <Section title={t('Profile')} about={t('Your name is shown to the members of your teams.')}>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4 gap-y-3 p-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <dt className="text-soft">{t('Name')}</dt>
        <dd>
          <Name />
        </dd>
        <dt className="text-soft">{t('Phone')}</dt>
        <dd>
          <PersonPhone />
        </dd>
        <dt className="text-soft">{t('E-mail')}</dt>
        <dd>
          <span className="flex flex-wrap items-center gap-3">
            <span className="wrap-anywhere">{user.email}</span>
            <ChangeEmail />
          </span>
          {user.is_email_verified ? (
            <>
              <span className="flex items-center gap-1.5 text-sm text-up">
                <CircleCheck aria-hidden size={15} />
                {t('Confirmed')}
              </span>
              {!hasMail && <NoMail className="text-sm" />}
            </>
          ) : (
            <Unconfirmed />
          )}
        </dd>
      </dl>
    </Section>
  )
}

function Name() {
  const { user } = useSession()
  return (
    <PersonField
      name="name"
      shown={user.name}
      words={rich('Change<hidden> your name</hidden>', { hidden })}
      patch={(fields) => fields}
    >
      {(faults) => <OwnNameField value={user.name} faults={faults} />}
    </PersonField>
  )
}

function Unconfirmed() {
  const { data: ways } = useQuery(waysInQuestion)
  const request = useMutation({ mutationFn: () => askAccount('requestVerification', {}) })
  return (
    <div className="flex flex-col items-start gap-2">
      <span className="flex items-center gap-1.5 text-sm text-degraded">
        <CircleAlert aria-hidden size={15} />
        {t('Not confirmed yet')}
      </span>
      {ways?.mail === false ? (
        <span className="text-sm text-soft">
          {t('E-mail is not set up on this service, so you cannot confirm your address.')} <SetUpMail />
        </span>
      ) : request.isSuccess ? (
        <p role="status" className="text-sm">
          {t(
            'We sent you an e-mail. Open its link in this browser to keep everything as it is: in another browser, confirming ends your sessions, passkeys and API tokens.',
          )}
        </p>
      ) : (
        <Button size="small" busy={request.isPending} onClick={() => request.mutate()}>
          {t('Send confirmation e-mail')}
        </Button>
      )}
      <Refused error={request.error} />
    </div>
  )
}

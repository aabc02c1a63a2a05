import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Door } from '../../app/door.tsx'
import { askAccount, waysInQuestion } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { enterSession } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { NewPasswordField } from '../../parts/accounts/new-password.tsx'
import { OwnEmailField, OwnNameField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Waiting } from '../../parts/panel.tsx'

export default function SignUp() {
  const { data: ways, isPending } = useQuery(waysInQuestion)
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  if (isPending) {
    return (
      <Door title={t('Create an account')}>
        <Waiting lines={5} />
      </Door>
    )
  }
  if (!ways?.signup) return <Closed />
  if (mailedTo !== null) return <MailSent email={mailedTo} />
  return (
    <Door title={t('Create an account')}>
      <SignUpForm onMailed={setMailedTo} />
      <p className="mt-5 text-center">
        <Link to="/sign-in" className="underline">
          {t('I already have an account')}
        </Link>
      </p>
    </Door>
  )
}

function SignUpForm({ onMailed }: { onMailed: (email: string) => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const signUp = useMutation({
    mutationFn: (body: Fields<'name' | 'email' | 'password'>) => askAccount('signUp', { body }),
    onSuccess: async (_, { email }) => {
      // If the service sends mail, the link in an e-mail creates the account.
      const session = await enterSession(queries)
      const team = session?.teams[0]
      if (!session) onMailed(email)
      else if (!team) await navigate({ to: '/' })
      else await navigate({ to: '/teams/$team/welcome', params: { team: String(team.id) } })
    },
  })
  const faults = faultsOf(signUp.error)
  return (
    <form onSubmit={(event) => signUp.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <OwnNameField faults={faults.name} />
      <OwnEmailField required hint={t('Alerts of your first team go here.')} faults={faults.email} />
      <NewPasswordField label={t('Password')} faults={faults.password} />
      <Refused error={signUp.error} shown={['name', 'email', 'password']} />
      <Button type="submit" tone="main" busy={signUp.isPending}>
        {t('Create account')}
      </Button>
    </form>
  )
}

function MailSent({ email }: { email: string }) {
  return (
    <Door title={t('Check your e-mail')}>
      <p role="status">
        {rich('We sent an e-mail to {email}. Open its link to create your account.', {
          email: <strong className="wrap-anywhere">{email}</strong>,
        })}
      </p>
      <p className="mt-3 text-soft">{t('Nothing after a few minutes? Check your spam folder.')}</p>
    </Door>
  )
}

function Closed() {
  return (
    <Door title={t('Invitation only')}>
      <p>
        {t(
          'You need an invitation to join this service. Ask an owner of your team: they can invite you in the dashboard under Team, Members.',
        )}
      </p>
      <p className="mt-4">
        <Link to="/sign-in" className="underline">
          {t('Go to sign-in')}
        </Link>
      </p>
    </Door>
  )
}

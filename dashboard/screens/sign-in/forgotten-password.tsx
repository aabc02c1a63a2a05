import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Door } from '../../app/door.tsx'
import { askAccount, waysInQuestion } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { rich, t } from '../../language/language.ts'
import { OwnEmailField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Waiting } from '../../parts/panel.tsx'

export default function ForgottenPassword() {
  const { data: ways, isPending } = useQuery(waysInQuestion)
  return (
    <Door title={t('Reset your password')}>
      {isPending ? <Waiting /> : ways?.mail === false ? <NoMail /> : <AskForLink />}
      <p className="mt-5 text-center">
        <Link to="/sign-in" className="underline">
          {t('Back to sign-in')}
        </Link>
      </p>
    </Door>
  )
}

function AskForLink() {
  const request = useMutation({
    mutationFn: (body: Fields<'email'>) => askAccount('requestPasswordReset', { body }),
  })
  if (request.isSuccess) {
    return (
      <p role="status">
        {rich('If there is an account for {email}, we sent it an e-mail. Its link works once, for an hour.', {
          email: <strong className="wrap-anywhere">{request.variables.email}</strong>,
        })}
      </p>
    )
  }
  return (
    <form onSubmit={(event) => request.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <p className="text-soft">{t('We will send you a link to set a new password.')}</p>
      <OwnEmailField required autoFocus faults={faultsOf(request.error).email} />
      <Refused error={request.error} shown={['email']} />
      <Button type="submit" tone="main" busy={request.isPending}>
        {t('Send me a link')}
      </Button>
    </form>
  )
}

function NoMail() {
  return (
    <p>
      {t(
        'E-mail is not set up on this service, so it cannot send you a link. Ask its operator to set up mail, or sign in with a passkey if you have one.',
      )}
    </p>
  )
}

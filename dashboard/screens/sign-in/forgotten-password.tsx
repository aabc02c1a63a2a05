import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Door } from '../../app/door.tsx'
import { askAccount, waysInQuestion } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Waiting } from '../../parts/panel.tsx'
import { Refused } from '../../parts/refused.tsx'

export default function ForgottenPassword() {
  const { data: ways, isPending } = useQuery(waysInQuestion)
  return (
    <Door title="Forgotten password">
      {isPending ? <Waiting /> : ways?.mail === false ? <NoMail /> : <AskForLetter />}
      <p className="mt-5 text-center">
        <Link to="/sign-in" className="underline">
          Back to signing in
        </Link>
      </p>
    </Door>
  )
}

function AskForLetter() {
  const request = useMutation({
    mutationFn: (body: Fields<'email'>) => askAccount('requestPasswordReset', { body }),
  })
  if (request.isSuccess) {
    return (
      <p role="status">
        If there is an account with the address{' '}
        <strong className="wrap-anywhere">{request.variables.email}</strong>, a letter is on its way. The link
        in it works once, for an hour.
      </p>
    )
  }
  return (
    <form onSubmit={(event) => request.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <p className="text-soft">We send you a link, with which you set a new one.</p>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        autoFocus
        faults={faultsOf(request.error).email}
      />
      <Refused error={request.error} shown={['email']} />
      <Button type="submit" tone="main" busy={request.isPending}>
        Send me a link
      </Button>
    </form>
  )
}

function NoMail() {
  return (
    <p>
      This service sends no mail, so it cannot send you a link. Ask whoever runs it to set up mail (
      <code className="font-mono">SMTP_URL</code>), or sign in with a passkey if you have one.
    </p>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { InvitationPreview, SignedIn } from '../../../src/core/accounts/signed-in.ts'
import { Door } from '../../app/door.tsx'
import { askAccount } from '../../data/account.ts'
import { forgetInvitationToken, takeInvitationToken } from '../../data/invitation-link.ts'
import { Problem } from '../../data/problem.ts'
import { ROLE_SENTENCES } from '../../data/role-words.ts'
import { refreshSession, sessionQuestion } from '../../data/session.ts'
import { sayRefusal } from '../../language/faults.ts'
import { rich, t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Waiting } from '../../parts/panel.tsx'
import { JoinForm } from './invitation-join.tsx'

export default function Invitation() {
  const [token] = useState(takeInvitationToken)
  const { data: session, isPending } = useQuery(sessionQuestion)
  const look = useQuery({
    queryKey: ['invitation', token, session?.user.id ?? null],
    queryFn: () => askAccount('previewInvitation', { body: { token: token ?? '' } }),
    enabled: token !== null && !isPending,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === null)
    return <NoLink>{t('This link is incomplete. Open the whole link from your e-mail.')}</NoLink>
  if (look.error) return <Unusable error={look.error} />
  if (!look.data) {
    return (
      <Door title={t('Invitation')}>
        <Waiting lines={4} />
      </Door>
    )
  }
  return (
    <Door title={t('Join {team}', { team: look.data.team_name })}>
      <p>
        {rich(
          '{name} invites {email} to this team, as {role, select, owner {an owner} admin {an admin} other {a viewer}}.',
          {
            name: look.data.invited_by ?? t('An owner'),
            email: <strong className="wrap-anywhere">{look.data.email}</strong>,
            role: look.data.role,
          },
        )}
      </p>
      <p className="mt-1 mb-5 text-soft">{ROLE_SENTENCES[look.data.role]}</p>
      <WayIn invitation={look.data} token={token} session={session ?? null} />
    </Door>
  )
}

function WayIn({
  invitation,
  token,
  session,
}: {
  invitation: InvitationPreview
  token: string
  session: SignedIn | null
}) {
  if (session && invitation.is_yours)
    return <Accept token={token} verb={t('Join {team}', { team: invitation.team_name })} />
  if (session) return <SignedInAsAnother invitation={invitation} token={token} session={session} />
  const { email, has_account, makes_account } = invitation
  if (has_account) return <SignInFirst>{t('There is an account for this address.')}</SignInFirst>
  const joinForm = <JoinForm email={email} token={token} />
  if (has_account === false) return joinForm
  return (
    <div className="flex flex-col gap-5">
      <SignInFirst>{t('If you have an account, under any address, use it.')}</SignInFirst>
      {makes_account ? (
        <>
          <p className="border-t border-line pt-5">{t('If you do not have one, create it:')}</p>
          {joinForm}
        </>
      ) : (
        <p className="border-t border-line pt-5">
          {rich(
            'If you do not have one, open the link in the e-mail to {email}: it creates your account. Nothing arrived? Ask for another invitation.',
            { email: <strong className="wrap-anywhere">{email}</strong> },
          )}
        </p>
      )}
    </div>
  )
}

function Accept({ token, verb }: { token: string; verb: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const accept = useMutation({
    mutationFn: () => askAccount('acceptInvitation', { body: { token } }),
    onSuccess: async ({ id }) => {
      forgetInvitationToken()
      await refreshSession(queries)
      await navigate({ to: '/teams/$team', params: { team: String(id) } })
    },
  })
  return (
    <div className="flex flex-col gap-3">
      <Refused error={accept.error} />
      <Button tone="main" busy={accept.isPending} onClick={() => accept.mutate()}>
        {verb}
      </Button>
    </div>
  )
}

function SignedInAsAnother({
  invitation,
  token,
  session,
}: {
  invitation: InvitationPreview
  token: string
  session: SignedIn
}) {
  const change = useMutation({
    mutationFn: () => askAccount('signOut', {}),
    onSuccess: () => location.reload(),
  })
  return (
    <div className="flex flex-col gap-3">
      <p className="rounded-md bg-sunken px-3 py-2">
        {rich('You are signed in as {email}, which is a different address.', {
          email: <strong className="wrap-anywhere">{session.user.email}</strong>,
        })}
      </p>
      <Accept token={token} verb={t('Join as {name}', { name: session.user.name })} />
      <Refused error={change.error} />
      <Button busy={change.isPending} onClick={() => change.mutate()}>
        {invitation.has_account === false
          ? t('Sign out and create an account')
          : t('Sign out and use another account')}
      </Button>
    </div>
  )
}

function SignInFirst({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <p>
        {children} {t('Sign in, then you return here.')}
      </p>
      <Link to="/sign-in" search={{ to: '/invitations' }} className={buttonLook('main')}>
        {t('Sign in')}
      </Link>
    </div>
  )
}

function Unusable({ error }: { error: unknown }) {
  if (error instanceof Problem && (error.status === 404 || error.status === 422)) {
    return <NoLink>{sayRefusal(error)}</NoLink>
  }
  return (
    <Door title={t('Invitation')}>
      <Refused error={error} />
    </Door>
  )
}

function NoLink({ children }: { children: ReactNode }) {
  return (
    <Door title={t('This invitation does not work')}>
      <p>{children}</p>
      <p className="mt-4">
        <Link to="/" className="underline" onClick={forgetInvitationToken}>
          {t('Go to the dashboard')}
        </Link>
      </p>
    </Door>
  )
}

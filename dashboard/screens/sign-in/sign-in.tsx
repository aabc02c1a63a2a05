import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import type { SignInOptions } from '../../../src/core/accounts/signed-in.ts'
import { OAUTH_PATHS } from '../../../src/core/sign-in/oauth-metadata.ts'
import { Door } from '../../app/door.tsx'
import { askAccount, waysInQuestion } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { canUsePasskeys, offerPasskeys, signInByPasskey } from '../../data/passkeys.ts'
import { faultsOf, Problem } from '../../data/problem.ts'
import { enterSession } from '../../data/session.ts'
import { wayBack } from '../../data/way-back.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { Waiting } from '../../parts/panel.tsx'

const LOOK_AGAIN_MS = 5_000

export default function SignIn() {
  const { data: ways, isPending } = useQuery({
    ...waysInQuestion,
    refetchInterval: ({ state }) => (state.data?.is_set_up === false ? LOOK_AGAIN_MS : false),
  })
  if (ways?.is_set_up === false && !ways.signup) return <NotSetUp />
  return <Door title={t('Sign in')}>{isPending ? <Waiting lines={5} /> : <Ways ways={ways} />}</Door>
}

/** No account exists that could sign in. */
function NotSetUp() {
  return (
    <Door title={t('Upbeat is not set up yet')}>
      <div className="flex flex-col gap-3">
        <p>
          {t(
            'When Upbeat started, it printed a link to create the first account: in the terminal, or in the log of its container or unit. It looks like this:',
          )}
        </p>
        <p className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-all">
          {location.origin}/setup#…
        </p>
        <p>{t('Open that link in this browser, or enter the part after the # on the setup page.')}</p>
        <a href="/setup" className={buttonLook('main')}>
          {t('Set up Upbeat')}
        </a>
      </div>
    </Door>
  )
}

/** `ways` is undefined if the service could not be asked: the password always works. */
function Ways({ ways }: { ways: SignInOptions | undefined }) {
  const { to } = useSearch({ from: '/sign-in' })
  const path = wayBack(to)
  const queries = useQueryClient()
  const { history } = useRouter()
  const [wantsCode, setWantsCode] = useState(false)

  async function enter() {
    // A program waits for consent, on a page outside the dashboard.
    if (path.startsWith(OAUTH_PATHS.authorize)) return location.assign(path)
    await enterSession(queries)
    history.push(path)
  }

  const signIn = useMutation({
    mutationFn: ({ code, ...rest }: Fields<'email' | 'password' | 'code'>) =>
      askAccount('signIn', { body: { ...rest, code: code || null } }),
    onError: (error) => {
      if (error instanceof Problem && error.secondFactor !== null) setWantsCode(true)
    },
    onSuccess: enter,
  })
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: enter })

  const enterByOffer = useEffectEvent((isSignedIn: boolean) => {
    if (isSignedIn) void enter()
  })
  useEffect(() => {
    const leaving = new AbortController()
    offerPasskeys(leaving.signal).then(enterByOffer, () => {
      // The passkey belongs elsewhere: the form is still there.
    })
    return () => leaving.abort()
  }, [])

  function submit(event: FormEvent<HTMLFormElement>) {
    passkey.reset()
    signIn.mutate(fieldsOf(event))
  }

  const factor = signIn.error instanceof Problem ? signIn.error.secondFactor : null
  const faults = faultsOf(signIn.error)
  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('E-mail')}
          name="email"
          type="email"
          autoComplete="username webauthn"
          required
          autoFocus
          faults={faults.email}
        />
        <TextField
          label={t('Password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          faults={faults.password}
        />
        {wantsCode && (
          <TextField
            label={t('Code')}
            name="code"
            autoComplete="one-time-code"
            required
            autoFocus
            hint={t('The six digits from your authenticator app, or a recovery code.')}
            faults={factor === 'wrong' ? [(signIn.error as Problem).message] : undefined}
          />
        )}
        {factor === null && <Refused error={signIn.error} shown={['email', 'password']} />}
        <Button type="submit" tone="main" busy={signIn.isPending}>
          {t('Sign in')}
        </Button>
      </form>
      {(ways?.passkeys !== false || ways?.oidc) && (
        <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
          {ways?.passkeys !== false && canUsePasskeys() && (
            <Button busy={passkey.isPending} onClick={() => passkey.mutate()}>
              <KeyRound aria-hidden size={16} />
              {t('Sign in with a passkey')}
            </Button>
          )}
          {ways?.oidc && (
            <a href={`/auth/oidc?return_to=${encodeURIComponent(path)}`} className={buttonLook()}>
              {t('Continue with {name}', { name: ways.oidc.name })}
            </a>
          )}
          <Refused error={passkey.error} />
        </div>
      )}
      <p className="mt-5 flex flex-wrap justify-center gap-x-5 gap-y-2">
        <Link to="/forgotten-password" className="underline">
          {t('Forgot your password?')}
        </Link>
        {ways?.signup && (
          <Link to="/sign-up" className="underline">
            {t('Create an account')}
          </Link>
        )}
      </p>
    </>
  )
}

import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import type { SignInOptions } from '../../../src/core/accounts/signed-in.ts'
import { askAccount } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { canUsePasskeys, offerPasskeys, signInByPasskey } from '../../data/passkeys.ts'
import { faultsOf, Problem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../button.tsx'
import { Refused } from '../feedback/refused.tsx'
import { TextField } from '../field.tsx'

/**
 * All ways to sign in. `ways` is undefined if the service could not be asked: the password always works. With `email` it is
 * for that person alone, on a page that stays: the provider of identities gets a tab of its own.
 */
export function SignInWays({
  ways,
  returnTo,
  email,
  onSignedIn,
}: {
  ways: SignInOptions | undefined
  /** The path that the provider leads back to. */
  returnTo: string
  email?: string
  onSignedIn: () => Promise<void>
}) {
  const [wantsCode, setWantsCode] = useState(false)
  const signIn = useMutation({
    mutationFn: ({ code, ...rest }: Fields<'email' | 'password' | 'code'>) =>
      askAccount('signIn', { body: { ...rest, code: code || null } }),
    onError: (error) => {
      if (error instanceof Problem && error.secondFactor !== null) setWantsCode(true)
    },
    onSuccess: onSignedIn,
  })
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn })

  const enterByOffer = useEffectEvent((isSignedIn: boolean) => {
    if (isSignedIn) void onSignedIn()
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
  const isInPlace = email !== undefined
  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('E-mail')}
          name="email"
          type="email"
          autoComplete="username webauthn"
          required
          {...(isInPlace ? { value: email, readOnly: true } : { autoFocus: true })}
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
            <a
              href={`/auth/oidc?return_to=${encodeURIComponent(returnTo)}`}
              {...(isInPlace && { target: '_blank', rel: 'noopener' })}
              className={buttonLook()}
            >
              {t('Continue with {name}', { name: ways.oidc.name })}
            </a>
          )}
          <Refused error={passkey.error} />
        </div>
      )}
    </>
  )
}

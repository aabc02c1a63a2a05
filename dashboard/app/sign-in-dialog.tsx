import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { accountContract } from '../../src/contract/accounts.ts'
import type { SignedIn } from '../../src/core/accounts/signed-in.ts'
import { waysInQuestion } from '../data/account.ts'
import { Problem } from '../data/problem.ts'
import { sendOnce } from '../data/send.ts'
import {
  announceSession,
  onSessionAnnounced,
  putSignInAway,
  resumeSession,
  type SessionEnd,
} from '../data/sign-in/session-end.ts'
import { t } from '../language/language.ts'
import { SignInWays } from '../parts/accounts/sign-in-ways.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { sayMoment } from '../parts/time.tsx'

/** The session that this browser has now, whoever it belongs to. */
async function findSession(): Promise<SignedIn | null> {
  const { method, path } = accountContract.showSession
  const answer = await sendOnce({ method, path }).catch((error) => {
    if (error instanceof Problem && error.status === 401) return null
    throw error
  })
  return (answer as { data: SignedIn } | null)?.data ?? null
}

export default function SignInDialog({ end: { atMs, email } }: { end: SessionEnd }) {
  const { data: ways } = useQuery(waysInQuestion)
  const [other, setOther] = useState<string | null>(null)
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The dialog itself would give the focus to the address, which stands.
    form.current?.querySelector<HTMLElement>('[type=password]')?.focus()
  }, [])

  async function goOn() {
    const session = await findSession()
    if (session && !resumeSession(session)) setOther(session.user.email)
  }

  // Another tab may sign in, and so may the provider of identities, which has a tab of its own.
  const look = useEffectEvent(() => void goOn().catch(() => {}))
  useEffect(() => {
    const stop = onSessionAnnounced(look)
    window.addEventListener('focus', look)
    return () => {
      stop()
      window.removeEventListener('focus', look)
    }
  }, [])

  return (
    <Dialog title={t('Your session has ended')} open onClose={putSignInAway}>
      <div className="flex flex-col gap-4">
        <p className="text-soft">
          {t('It ended at {time}. Sign in and go on: what you entered is still here.', {
            time: sayMoment(atMs),
          })}
        </p>
        {other !== null && (
          <p role="alert" className="text-down">
            {t('This browser is signed in as {other} now. Your entries belong to {email}.', {
              other,
              email,
            })}
          </p>
        )}
        <div ref={form}>
          <SignInWays
            ways={ways}
            returnTo="/signed-in"
            email={email}
            onSignedIn={async () => {
              await goOn()
              announceSession()
            }}
          />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Button tone="quiet" onClick={putSignInAway}>
            {t('Not now')}
          </Button>
          <a href="/sign-in" className="underline">
            {t('Sign in as someone else')}
          </a>
        </div>
      </div>
    </Dialog>
  )
}

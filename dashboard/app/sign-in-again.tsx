import { useLocation } from '@tanstack/react-router'
import { lazy, useEffect, useSyncExternalStore } from 'react'
import {
  askToSignInAgain,
  listenToSessionEnd,
  lookForForms,
  putSignInAway,
  sessionEnd,
} from '../data/sign-in/session-end.ts'
import { t } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LazyPart, LoadAgain } from '../parts/lazy-part.tsx'

const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'))

lookForForms(() => document.querySelector('main form, main dialog[open]') !== null)

/** Asks to sign in again, over a screen that stays as it is, once the session has ended in the middle of something. */
export function SignInAgain() {
  const end = useSyncExternalStore(listenToSessionEnd, sessionEnd)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew at another address
  useEffect(askToSignInAgain, [pathname])
  if (!end?.isAsking) return null
  return (
    <LazyPart
      failed={
        <Dialog title={t('Your session has ended')} open onClose={putSignInAway}>
          <LoadAgain>{t('The sign-in failed to load.')}</LoadAgain>
        </Dialog>
      }
    >
      <SignInDialog end={end} />
    </LazyPart>
  )
}

import { useEffect } from 'react'
import { Door } from '../../app/door.tsx'
import { announceSession } from '../../data/sign-in/session-end.ts'
import { t } from '../../language/language.ts'

/** The end of a sign-in for another tab, where something waits for it. */
export default function AlreadySignedIn() {
  useEffect(announceSession, [])
  return (
    <Door title={t('You are signed in')}>
      <p>{t('Close this tab and go on in the one where you were.')}</p>
    </Door>
  )
}

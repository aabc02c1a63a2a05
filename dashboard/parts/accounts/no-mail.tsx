import { Link } from '@tanstack/react-router'
import { useMail } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { NewTab } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'

/** Shown wherever an e-mail address would get something, on a service without mail: nothing is broken. */
export function NoMail({ className = '' }: { className?: string }) {
  return (
    <span className={`text-soft ${className}`}>
      {t('E-mail is not set up yet.')} <SetUpMail />
    </span>
  )
}

/** Leads an operator to the mail settings, and tells others whom to ask. */
export function SetUpMail() {
  const { user } = useSession()
  if (!user.is_operator) return t('An operator of this service can set it up.')
  return rich('<link>Set up mail</link>', {
    link: (inside) => (
      // A new tab: something may be typed on this screen.
      <Link to="/service-settings" target="_blank" rel="noopener noreferrer" className="underline">
        {inside}
        <NewTab />
      </Link>
    ),
  })
}

/** Shown for an alert that was not sent for that reason. */
export function NotMailed() {
  return useMail() ? (
    <span className="text-soft">{t('E-mail was not set up at that time.')}</span>
  ) : (
    <NoMail />
  )
}

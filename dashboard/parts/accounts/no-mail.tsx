import { useDocs, useMail } from '../../data/account.ts'
import { t } from '../../language/language.ts'

/** Shown wherever an e-mail address would get alerts, on a service without mail: nothing is broken. */
export function NoMail({ className = '' }: { className?: string }) {
  const docs = useDocs('/configuration')
  return (
    <span className={`text-soft ${className}`}>
      E-mail is not set up yet. To send it, {/* Opens a new tab: something may be typed on this screen. */}
      <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
        set <code className="font-mono">{t('SMTP_URL')}</code>
        <span className="sr-only">{t(' (opens in a new tab)')}</span>
      </a>{' '}
      on the server.
    </span>
  )
}

/** Shown for an alert that was not sent for that reason. */
export function NotMailed() {
  return useMail() ? (
    <span className="text-soft">{t('E-mail was not set up at that time.')}</span>
  ) : (
    <NoMail />
  )
}

import { useDocs, useMail } from '../../data/account.ts'
import { NewTab } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'

/** Shown wherever an e-mail address would get alerts, on a service without mail: nothing is broken. */
export function NoMail({ className = '' }: { className?: string }) {
  const docs = useDocs('/configuration')
  return (
    <span className={`text-soft ${className}`}>
      {rich('E-mail is not set up yet. To send it, <link>set {setting}</link> on the server.', {
        // A new tab: something may be typed on this screen.
        link: (inside) => (
          <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
            {inside}
            <NewTab />
          </a>
        ),
        setting: <code className="font-mono">SMTP_URL</code>,
      })}
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

import { useDocs, useMail } from '../../data/account.ts'

/** Shown wherever an e-mail address would get alerts, on a service without mail: nothing is broken. */
export function NoMail({ className = '' }: { className?: string }) {
  const docs = useDocs('/configuration')
  return (
    <span className={`text-soft ${className}`}>
      E-mail is not set up yet. To send it, {/* Opens a new tab: something may be typed on this screen. */}
      <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
        set <code className="font-mono">SMTP_URL</code>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>{' '}
      on the server.
    </span>
  )
}

/** Shown for an alert that was not sent for that reason. */
export function NotMailed() {
  return useMail() ? <span className="text-soft">E-mail was not set up at that time.</span> : <NoMail />
}

import { useDocs, useMail } from '../../data/account.ts'

/** Said wherever an e-mail address would be told of an outage, on a service that sends no mail: nothing is broken. */
export function NoMail({ className = '' }: { className?: string }) {
  const docs = useDocs('/configuration')
  return (
    <span className={`text-soft ${className}`}>
      E-mail is not set up on this service: no alert goes to an address yet. Whoever runs it{' '}
      {/* In a tab of its own: something may be typed on this screen. */}
      <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
        sets <code className="font-mono">SMTP_URL</code>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      .
    </span>
  )
}

/** Said of an alert that was not sent for that reason. */
export function NotMailed() {
  return useMail() ? <span className="text-soft">E-mail was not set up then.</span> : <NoMail />
}

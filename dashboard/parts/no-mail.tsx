import { useDocs } from '../data/account.ts'

/** Said wherever an e-mail address would be told of an outage, on a service that sends no mail. */
export function NoMail({ className = '' }: { className?: string }) {
  const docs = useDocs('/configuration')
  return (
    <span className={`text-degraded ${className}`}>
      This service sends no mail yet, so alerts by e-mail fail. Whoever runs it{' '}
      {/* In a tab of its own: something may be typed on this screen. */}
      <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
        sets <code className="font-mono">SMTP_URL</code>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      .
    </span>
  )
}

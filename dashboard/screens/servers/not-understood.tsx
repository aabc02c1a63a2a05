import { TriangleAlert } from 'lucide-react'
import { useDocs } from '../../data/account.ts'
import { rich, t } from '../../language/language.ts'
import { Time } from '../../parts/time.tsx'
import type { Server } from './server-data.ts'

type Noted = NonNullable<Server['not_understood']>

/** Requests that came at the address of a server instead of its report. */
export function NotUnderstood({ server: { not_understood: noted } }: { server: Server }) {
  const docs = useDocs('/servers-inputs')
  if (!noted) return null
  return (
    <section
      aria-label={t('Requests that hold nothing known')}
      className="flex items-start gap-2.5 rounded-lg border border-degraded bg-panel px-4 py-3"
    >
      <TriangleAlert aria-hidden size={18} className="mt-0.5 shrink-0 text-degraded" />
      <div className="min-w-0">
        <p className="break-words">
          <strong className="font-semibold">{sayRequests(noted)}</strong> {sayContent(noted)}
        </p>
        <p className="text-sm text-soft">
          {rich('The last one came {time}.', { time: <Time at={noted.at} /> })}{' '}
          {noted.why === null &&
            rich('The <link>documentation</link> lists the figures that are kept, and how to send them.', {
              link: (inside) => (
                <a href={docs} className="underline">
                  {inside}
                </a>
              ),
            })}
        </p>
      </div>
    </section>
  )
}

function sayRequests({ requests, sender, address }: Noted): string {
  return t('{requests, plural, one {# request} other {# requests}} from {sender} at {address}', {
    requests,
    sender: sender ?? t('a program without a name'),
    address,
  })
}

function sayContent({ names, why }: Noted): string {
  if (why !== null) return t('could not be read: {why}', { why })
  return names.length === 0
    ? t('held no figures.')
    : t('held nothing that is known: {names}, …', { names: names.join(', ') })
}

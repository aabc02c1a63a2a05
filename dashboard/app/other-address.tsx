import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link2Off } from 'lucide-react'
import { useState } from 'react'
import { isThisMachine } from '../../src/core/this-machine.ts'
import { useDocs, waysInQuestion } from '../data/account.ts'
import { useSession, useTeam } from '../data/session.ts'
import { NewTab } from '../language/hidden.tsx'
import { rich, t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'

const HIDDEN_KEY = 'upbeat-other-address'

/**
 * Tells owners that they opened another address than the one the service gives to everyone else. On the machine of the
 * service itself that proves nothing: `localhost` always works there.
 */
export function OtherAddress() {
  const { role } = useTeam()
  const { user } = useSession()
  const { data: ways } = useQuery(waysInQuestion)
  const docs = useDocs('/configuration')
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN_KEY))
  const { origin, hostname } = location
  if (role !== 'owner' || !ways || isThisMachine(hostname)) return null
  const { site_url: given } = ways
  if (new URL(given).origin === origin || hidden === given) return null

  function hide() {
    localStorage.setItem(HIDDEN_KEY, given)
    setHidden(given)
  }

  return (
    <section
      aria-label={t('Address of this service')}
      className="flex items-start gap-2.5 border-b border-degraded bg-panel px-4 py-2.5 sm:px-6 lg:px-8"
    >
      <Link2Off aria-hidden size={18} className="mt-0.5 shrink-0 text-degraded" />
      <p className="min-w-0 flex-1 break-words">
        {user.is_operator
          ? rich(
              'Alerts, invitations, badges and ping URLs point to {address}, not to the address you opened. <link>Change the public address</link>',
              {
                address: <strong className="font-medium">{given}</strong>,
                link: (inside) => (
                  <Link to="/service-settings" className="underline">
                    {inside}
                  </Link>
                ),
              },
            )
          : rich(
              'Alerts, invitations, badges and ping URLs point to {address}, not to the address you opened. To change this, set {setting}.',
              {
                address: <strong className="font-medium">{given}</strong>,
                setting: (
                  <a href={docs} target="_blank" rel="noopener noreferrer" className="underline">
                    <code className="font-mono">SITE_URL={origin}</code>
                    <NewTab />
                  </a>
                ),
              },
            )}
      </p>
      <Button size="small" tone="quiet" onClick={hide}>
        {t('Hide')}
      </Button>
    </section>
  )
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LiveStatus } from '../../../src/core/monitors/status.ts'
import { Panel } from '../panel.tsx'
import { InTrouble } from './in-trouble.tsx'

export type Troubled = { id: number; name: string; status: LiveStatus; status_since: string }

const PLACES = {
  server: '/teams/$team/servers/$server',
  site: '/teams/$team/sites/$site',
} as const

/** On the overview: what is in trouble, worst first. */
export function TroublePanel({
  title,
  all,
  kind,
  items,
  rest,
  children,
}: {
  title: string
  /** Leads to the list of all. */
  all: ReactNode
  kind: keyof typeof PLACES
  items: { subject: Troubled; reason: string | null }[]
  /** In trouble, and not among the items. */
  rest: number
  /** Shown while nothing is in trouble. */
  children: ReactNode
}) {
  return (
    <Panel title={title} actions={all}>
      {items.length === 0 ? (
        <p className="px-4 py-6 text-soft">{children}</p>
      ) : (
        <ul className="divide-y divide-line">
          {items.map(({ subject: { id, name, status, status_since: since }, reason }) => (
            <li key={id} data-row>
              <Link
                to={PLACES[kind]}
                params={(here) => ({ ...here, [kind]: String(id) }) as never}
                className="flex gap-3 px-4 py-3 hover:bg-sunken"
              >
                <InTrouble status={status} name={name} reason={reason} since={since} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && items.length > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-soft">and {rest} more</p>
      )}
    </Panel>
  )
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTeam } from '../../data/session.ts'
import type { ComponentDraft } from '../../forms/status-pages/layout-draft.ts'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'

/** Where the state of a component comes from, in a line. */
export function ComponentAbout({ component }: { component: ComponentDraft }) {
  const { id } = useTeam()
  const { monitor, server, state } = component
  const params = { team: String(id) }
  if (server) {
    if (server.is_deleted)
      return <Deleted>Its server {server.name} is deleted: it is no longer on the page.</Deleted>
    return (
      <p className="text-sm break-words text-soft">
        Server{' '}
        <Link
          to="/teams/$team/servers/$server"
          params={{ ...params, server: String(server.id) }}
          className="underline"
        >
          {server.name}
        </Link>
      </p>
    )
  }
  if (!monitor) return <p className="text-sm text-soft">Set by hand: {STATE_WORDS[state]}</p>
  if (monitor.is_deleted) {
    return (
      <Deleted>Its monitor {monitor.name} is deleted: it is on the page again once that is restored.</Deleted>
    )
  }
  return (
    <p className="text-sm break-words text-soft">
      Monitor{' '}
      <Link
        to="/teams/$team/monitors/$monitor"
        params={{ ...params, monitor: String(monitor.id) }}
        className="underline"
      >
        {monitor.name}
      </Link>
    </p>
  )
}

function Deleted({ children }: { children: ReactNode }) {
  return <p className="text-sm break-words text-degraded">{children}</p>
}

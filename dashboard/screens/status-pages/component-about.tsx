import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTeam } from '../../data/session.ts'
import type { ComponentDraft } from '../../forms/status-pages/layout-draft.ts'
import { t } from '../../language/language.ts'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'

/** Where the state of a component comes from, in a line. */
export function ComponentAbout({ component }: { component: ComponentDraft }) {
  const { id } = useTeam()
  const { monitor, server, site, state } = component
  const params = { team: String(id) }
  if (server) {
    if (server.is_deleted) {
      return (
        <Deleted>
          {t('Its server {name} is deleted: it is no longer on the page.', { name: server.name })}
        </Deleted>
      )
    }
    return (
      <Named kind={t('Server')}>
        <Link
          to="/teams/$team/servers/$server"
          params={{ ...params, server: String(server.id) }}
          className="underline"
        >
          {server.name}
        </Link>
      </Named>
    )
  }
  if (site) {
    if (site.is_deleted) {
      return (
        <Deleted>
          {t('Its site {name} is deleted: it is no longer on the page.', { name: site.name })}
        </Deleted>
      )
    }
    return (
      <Named kind={t('Site')}>
        <Link
          to="/teams/$team/sites/$site"
          params={{ ...params, site: String(site.id) }}
          className="underline"
        >
          {site.name}
        </Link>
      </Named>
    )
  }
  if (!monitor) {
    return <p className="text-sm text-soft">{t('Set by hand: {state}', { state: STATE_WORDS[state] })}</p>
  }
  if (monitor.is_deleted) {
    return (
      <Deleted>
        {t('Its monitor {name} is deleted. Restore the monitor to show this on the page again.', {
          name: monitor.name,
        })}
      </Deleted>
    )
  }
  return (
    <Named kind={t('Monitor')}>
      <Link
        to="/teams/$team/monitors/$monitor"
        params={{ ...params, monitor: String(monitor.id) }}
        className="underline"
      >
        {monitor.name}
      </Link>
    </Named>
  )
}

function Named({ kind, children }: { kind: string; children: ReactNode }) {
  return (
    <p className="text-sm break-words text-soft">
      {kind} {children}
    </p>
  )
}

function Deleted({ children }: { children: ReactNode }) {
  return <p className="text-sm break-words text-degraded">{children}</p>
}

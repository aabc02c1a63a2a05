import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Access } from '../../src/core/teams/access.ts'
import { useTeam } from '../data/session.ts'
import { t } from '../language/language.ts'
import { PageHead } from '../parts/panel.tsx'

const PLACES = [
  { to: '/teams/$team/settings', label: t('General'), access: 'read' },
  { to: '/teams/$team/settings/members', label: t('Members'), access: 'read' },
  { to: '/teams/$team/settings/api-tokens', label: t('API tokens'), access: 'read' },
  { to: '/teams/$team/settings/audit-log', label: t('Audit log'), access: 'write' },
] as const satisfies { to: string; label: string; access: Access }[]

/** Frame for the screens about the team itself. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const { id, name, may } = useTeam()
  const { pathname } = useLocation()
  const here = PLACES.find(({ to }) => pathname === to.replace('$team', String(id)))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('Team')} tab={`${here?.label ?? t('Settings')} · ${t('Team')}`}>
        {name}
      </PageHead>
      <nav aria-label={t('Team')} className="mb-7 flex flex-wrap gap-x-1 border-b border-line">
        {PLACES.filter(({ access }) => may(access)).map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            params={{ team: String(id) }}
            activeOptions={{ exact: true, includeSearch: false }}
            className="-mb-px flex h-10 items-center border-b-2 border-transparent px-1.5 text-soft sm:px-3 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="flex flex-col gap-8">{children}</div>
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../data/session.ts'
import { t } from '../language/language.ts'
import { Brand } from './shell.tsx'

/** Frame for a person's screens that belong to no team. */
export function AccountFrame({ children }: { children: ReactNode }) {
  const { teams, may_make_team: mayMakeTeam } = useSession()
  return (
    <>
      <header className="border-b border-line bg-panel">
        <div className="mx-auto flex h-14 max-w-3xl items-center justify-between gap-3 px-4 sm:px-6">
          <Brand />
          {(teams.length > 0 || mayMakeTeam) && (
            <Link
              to={teams.length > 0 ? '/' : '/new-team'}
              className="inline-flex min-h-9 items-center gap-1.5 text-soft hover:text-ink"
            >
              <ArrowLeft aria-hidden size={16} />
              {teams.length > 0 ? t('Back to the dashboard') : t('Create a team')}
            </Link>
          )}
        </div>
      </header>
      <main tabIndex={-1} className="mx-auto w-full max-w-3xl px-4 py-6 outline-none sm:px-6">
        {children}
      </main>
    </>
  )
}

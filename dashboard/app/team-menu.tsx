import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import type { SignedIn } from '../../src/core/accounts/signed-in.ts'
import { askAccount } from '../data/account.ts'
import { roleWord } from '../data/role-words.ts'
import { SESSION_KEY, useSession, useTeam } from '../data/session.ts'
import { t } from '../language/language.ts'
import { MenuButton, MenuChoice, MenuItem, MenuLine } from '../parts/menu.tsx'

/** The current team, with a menu to switch to another. */
export function TeamMenu() {
  const { teams, may_make_team: mayMakeTeam } = useSession()
  const { id, name, role } = useTeam()
  const navigate = useNavigate()
  const queries = useQueryClient()

  function show(team: string) {
    // The next visit opens this team; nothing waits for the answer.
    void askAccount('chooseTeam', { body: { team_id: Number(team) } }).catch(() => {})
    queries.setQueryData<SignedIn>(SESSION_KEY, (session) => session && { ...session, team_id: Number(team) })
    void navigate({ to: '/teams/$team', params: { team } })
  }

  return (
    <MenuButton
      align="start"
      button={
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-md border border-line px-2.5 py-1.5 text-left hover:bg-sunken"
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{name}</span>
            <span className="block text-sm text-soft">{roleWord(role)}</span>
          </span>
          <ChevronsUpDown aria-hidden size={16} className="text-soft" />
          <span className="sr-only">{t('Switch team')}</span>
        </button>
      }
    >
      <MenuChoice
        label={t('Teams')}
        value={String(id)}
        options={teams.map((team) => ({ value: String(team.id), label: team.name }))}
        onChoose={show}
      />
      {mayMakeTeam && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => void navigate({ to: '/new-team' })}>{t('New team…')}</MenuItem>
        </>
      )}
    </MenuButton>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useNotices } from '../../app/notices.tsx'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { SubjectMaintain } from '../../parts/maintenance/subject-maintenance.tsx'
import { MenuButton, MenuItem, MenuLink } from '../../parts/menu.tsx'
import type { Server } from './server-data.ts'

/** The actions on a server, for people who may change it. */
export function ServerActions({ server }: { server: Server }) {
  const { id: team } = useTeam()
  return (
    <>
      <Toggle server={server} />
      <SubjectMaintain kind="server" id={server.id} />
      <Link
        to="/teams/$team/servers/$server/edit"
        params={{ team: String(team), server: String(server.id) }}
        className={buttonLook()}
      >
        {t('Edit')}
      </Link>
      <More server={server} />
    </>
  )
}

function Toggle({ server }: { server: Server }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const toggle = useMutation({
    mutationFn: () => ask(team, 'updateServer', { id: server.id, body: { is_active: !server.is_active } }),
    onSuccess: (answer) => {
      queries.setQueryData(question(team, 'getServer', { id: server.id }).queryKey, answer)
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(
        answer.data.is_active ? t('Resumed. Reports count again.') : t('Paused. No reports and no alerts.'),
      )
    },
    onError: say.problem,
  })
  return (
    <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
      {server.is_active ? t('Pause') : t('Resume')}
    </Button>
  )
}

type Question = 'rotate' | 'delete'

function More({ server }: { server: Server }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [asking, setAsking] = useState<Question | null>(null)
  const at = { team: String(team), server: String(server.id) }
  const rotate = useMutation({
    mutationFn: () => ask(team, 'rotateServerToken', { id: server.id }),
    onSuccess: (answer) => {
      setAsking(null)
      queries.setQueryData(question(team, 'getServerInstall', { id: server.id }).queryKey, answer)
      say.done(t('New address created. The old one no longer works.'))
      void navigate({ to: '/teams/$team/servers/$server', params: at, search: { install: true } })
    },
    onError: say.problem,
  })
  const remove = useMutation({
    mutationFn: () => ask(team, 'deleteServer', { id: server.id }),
    onSuccess: async () => {
      await navigate({ to: '/teams/$team/servers', params: { team: String(team) } })
      // Only now: the page that was left would fetch a server that is gone.
      queries.removeQueries({ queryKey: question(team, 'getServer', { id: server.id }).queryKey })
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('“{name}” deleted.', { name: server.name }))
    },
    onError: (error) => {
      setAsking(null)
      say.problem(error)
    },
  })
  return (
    <>
      <MenuButton
        button={
          <Button className="px-2.5" aria-label={t('More actions')}>
            <Ellipsis aria-hidden size={18} />
          </Button>
        }
      >
        <MenuLink>
          <Link to="/teams/$team/servers/$server" params={at} search={{ install: true }}>
            {t('Install the agent…')}
          </Link>
        </MenuLink>
        <MenuItem onSelect={() => setAsking('rotate')}>{t('New address…')}</MenuItem>
        <MenuItem tone="danger" onSelect={() => setAsking('delete')}>
          {t('Delete…')}
        </MenuItem>
      </MenuButton>
      <Confirm
        title={t('New address for “{name}”?', { name: server.name })}
        verb={t('Create new address')}
        open={asking === 'rotate'}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(null)}
      >
        {t(
          'The present address stops working at once. The machine reports again once its agent is installed with the new one.',
        )}
      </Confirm>
      <Confirm
        title={t('Delete “{name}”?', { name: server.name })}
        verb={t('Delete server')}
        open={asking === 'delete'}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(null)}
      >
        {t(
          'Its history and incidents are deleted with it, and its address stops working. Uninstall the agent on the machine first: afterwards its reports are refused.',
        )}
      </Confirm>
    </>
  )
}

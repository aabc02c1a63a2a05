import { Link, useNavigate } from '@tanstack/react-router'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { MaintainSubject } from '../../parts/maintenance/subject-maintenance.tsx'
import { MenuItem, MenuLink } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/records/more-menu.tsx'
import { PauseButton } from '../../parts/records/pause-button.tsx'
import { useAskFirst, useDeletion, useRecordAction } from '../../parts/records/record-action.tsx'
import { EditLink } from '../../parts/records/record-buttons.tsx'
import type { Server } from './server-data.ts'

/** The actions on a server, for people who may change it. */
export function ServerActions({ server }: { server: Server }) {
  const { id: team } = useTeam()
  return (
    <>
      <Toggle server={server} />
      <MaintainSubject of={{ kind: 'server', id: server.id }} />
      <EditLink
        size="usual"
        to="/teams/$team/servers/$server/edit"
        params={{ team: String(team), server: String(server.id) }}
      />
      <More server={server} />
    </>
  )
}

function Toggle({ server: { id, is_active } }: { server: Server }) {
  const { id: team } = useTeam()
  return (
    <PauseButton
      isActive={is_active}
      toggle={() => ask(team, 'updateServer', { id, body: { is_active: !is_active } })}
      answers={question(team, 'getServer', { id }).queryKey}
      resumed={t('Resumed. Reports count again.')}
      paused={t('Paused. No reports and no alerts.')}
    />
  )
}

function More({ server: { id, name } }: { server: Server }) {
  const { id: team } = useTeam()
  const navigate = useNavigate()
  const at = { team: String(team), server: String(id) }
  const rotation = useRecordAction(() => ask(team, 'rotateServerToken', { id }), {
    answers: question(team, 'getServerInstall', { id }).queryKey,
    said: () => t('New address created. The old one no longer works.'),
    onDone: () => navigate({ to: '/teams/$team/servers/$server', params: at, search: { install: true } }),
  })
  const rotate = useAskFirst(rotation, {
    title: t('New address for “{name}”?', { name }),
    verb: t('Create new address'),
    about: t(
      'The present address stops working at once. The machine reports again once its agent is installed with the new one.',
    ),
  })
  const deletion = useDeletion({
    of: 'Server',
    record: { id, name },
    title: t('Delete “{name}”?', { name }),
    verb: t('Delete server'),
    about: t(
      'Its history and incidents are deleted with it, and its address stops working. Uninstall the agent on the machine first: afterwards its reports are refused.',
    ),
    to: { to: '/teams/$team/servers', params: { team: String(team) } },
    said: t('“{name}” deleted.', { name }),
  })
  return (
    <>
      <MoreMenu>
        <MenuLink>
          <Link to="/teams/$team/servers/$server" params={at} search={{ install: true }}>
            {t('Install the agent…')}
          </Link>
        </MenuLink>
        <MenuItem onSelect={rotate.ask}>{t('New address…')}</MenuItem>
        <MenuItem tone="danger" onSelect={deletion.ask}>
          {t('Delete…')}
        </MenuItem>
      </MoreMenu>
      {rotate.question}
      {deletion.question}
    </>
  )
}

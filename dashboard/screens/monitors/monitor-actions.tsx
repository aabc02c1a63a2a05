import { useNavigate } from '@tanstack/react-router'
import { isSetByHand, MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { copyText } from '../../parts/copy.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { MaintainSubject } from '../../parts/maintenance/subject-maintenance.tsx'
import { MenuItem } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/records/more-menu.tsx'
import { PauseButton } from '../../parts/records/pause-button.tsx'
import { useDeletion } from '../../parts/records/record-action.tsx'
import { EditLink } from '../../parts/records/record-buttons.tsx'
import type { useCheckNow } from './monitor-check-now.ts'
import type { Monitor } from './monitor-data.ts'

/** The actions on a monitor, for people who may change it. */
export function MonitorActions({
  monitor,
  checkNow,
}: {
  monitor: Monitor
  checkNow: ReturnType<typeof useCheckNow>
}) {
  const { id: team } = useTeam()
  return (
    <>
      {monitor.is_active && MONITOR_TYPES[monitor.type].isProbed && (
        <Button tone="main" busy={checkNow.isPending} onClick={() => checkNow.mutate()}>
          {t('Check now')}
        </Button>
      )}
      <Toggle monitor={monitor} />
      <MaintainSubject of={{ kind: 'monitor', id: monitor.id }} />
      <EditLink
        size="usual"
        to="/teams/$team/monitors/$monitor/edit"
        params={{ team: String(team), monitor: String(monitor.id) }}
      />
      <More monitor={monitor} />
    </>
  )
}

function Toggle({ monitor: { id, is_active } }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  return (
    <PauseButton
      isActive={is_active}
      toggle={() => ask(team, 'toggleMonitor', { id })}
      answers={question(team, 'getMonitor', { id }).queryKey}
      resumed={t('Resumed. Checks have started.')}
      paused={t('Paused. No checks and no alerts.')}
    />
  )
}

function More({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const navigate = useNavigate()
  const say = useNotices()
  const { id, name } = monitor
  const deletion = useDeletion({
    of: 'Monitor',
    record: { id, name },
    title: t('Delete “{name}”?', { name }),
    verb: t('Delete monitor'),
    about: (
      <>
        {t('Checks stop and any open incident is closed.')}{' '}
        {monitor.type === 'heartbeat' && `${t('Its ping URL stops working.')} `}
        {isSetByHand(monitor.type) && `${t('Its address for scripts stops working.')} `}
        {t('The history is kept: you can restore the monitor under Deleted monitors.')}
      </>
    ),
    to: { to: '/teams/$team/monitors', params: { team: String(team) } },
    said: t('“{name}” deleted. You can restore it under Deleted monitors.', { name }),
  })

  const copyOf = { params: { team: String(team) }, search: { copy: monitor.id } }

  async function copyId() {
    if (await copyText(String(monitor.id))) say.done(t('ID {id} copied', { id: monitor.id }))
  }

  return (
    <>
      <MoreMenu>
        <MenuItem onSelect={() => void navigate({ to: '/teams/$team/monitors/new', ...copyOf })}>
          {t('Clone')}
        </MenuItem>
        <MenuItem onSelect={() => void copyId()}>{t('Copy ID {id}', { id: monitor.id })}</MenuItem>
        <MenuItem tone="danger" onSelect={deletion.ask}>
          {t('Delete…')}
        </MenuItem>
      </MoreMenu>
      {deletion.question}
    </>
  )
}

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
import { copyText } from '../../parts/copy.tsx'
import { SubjectMaintain } from '../../parts/maintenance/subject-maintenance.tsx'
import { MenuButton, MenuItem } from '../../parts/menu.tsx'
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
      {monitor.is_active && monitor.type !== 'heartbeat' && (
        <Button tone="main" busy={checkNow.isPending} onClick={() => checkNow.mutate()}>
          {t('Check now')}
        </Button>
      )}
      <Toggle monitor={monitor} />
      <SubjectMaintain kind="monitor" id={monitor.id} />
      <Link
        to="/teams/$team/monitors/$monitor/edit"
        params={{ team: String(team), monitor: String(monitor.id) }}
        className={buttonLook()}
      >
        {t('Edit')}
      </Link>
      <More monitor={monitor} />
    </>
  )
}

function Toggle({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const toggle = useMutation({
    mutationFn: () => ask(team, 'toggleMonitor', { id: monitor.id }),
    onSuccess: (answer) => {
      queries.setQueryData(question(team, 'getMonitor', { id: monitor.id }).queryKey, answer)
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(
        answer.data.is_active ? t('Resumed. Checks have started.') : t('Paused. No checks and no alerts.'),
      )
    },
    onError: say.problem,
  })
  return (
    <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
      {monitor.is_active ? t('Pause') : t('Resume')}
    </Button>
  )
}

function More({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => ask(team, 'deleteMonitor', { id: monitor.id }),
    onSuccess: async () => {
      await navigate({ to: '/teams/$team/monitors', params: { team: String(team) } })
      // Only now: the page that was left would fetch a monitor that is gone.
      queries.removeQueries({ queryKey: question(team, 'getMonitor', { id: monitor.id }).queryKey })
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('“{name}” deleted. You can restore it under Deleted monitors.', { name: monitor.name }))
    },
    onError: (error) => {
      setAsking(false)
      say.problem(error)
    },
  })

  const copyOf = { params: { team: String(team) }, search: { copy: monitor.id } }

  async function copyId() {
    if (await copyText(String(monitor.id))) say.done(t('ID {id} copied', { id: monitor.id }))
  }

  return (
    <>
      <MenuButton
        button={
          <Button className="px-2.5" aria-label={t('More actions')}>
            <Ellipsis aria-hidden size={18} />
          </Button>
        }
      >
        <MenuItem onSelect={() => void navigate({ to: '/teams/$team/monitors/new', ...copyOf })}>
          {t('Clone')}
        </MenuItem>
        <MenuItem onSelect={() => void copyId()}>{t('Copy ID {id}', { id: monitor.id })}</MenuItem>
        <MenuItem tone="danger" onSelect={() => setAsking(true)}>
          {t('Delete…')}
        </MenuItem>
      </MenuButton>
      <Confirm
        title={t('Delete “{name}”?', { name: monitor.name })}
        verb={t('Delete monitor')}
        open={isAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('Checks stop and any open incident is closed.')}{' '}
        {monitor.type === 'heartbeat' && `${t('Its ping URL stops working.')} `}
        {t('The history is kept: you can restore the monitor under Deleted monitors.')}
      </Confirm>
    </>
  )
}

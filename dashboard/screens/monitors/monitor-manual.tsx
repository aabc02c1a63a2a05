import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_CAUSE_LENGTH } from '../../../src/core/monitors/cause.ts'
import type { ManualState } from '../../../src/core/monitors/heartbeats/manual-state.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { TextField } from '../../parts/field.tsx'
import { Fold } from '../../parts/monitors/fold.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { Monitor } from './monitor-data.ts'

/** How people and programs say whether a manual monitor is up. */
export function ManualSwitch({ monitor }: { monitor: Monitor }) {
  const { may } = useTeam()
  return (
    <>
      {may('write') && monitor.is_active && <Switch monitor={monitor} />}
      <SwitchAddress monitor={monitor} />
    </>
  )
}

function Switch({ monitor: { id, name, status } }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [message, setMessage] = useState('')
  const switching = useMutation({
    mutationFn: (state: ManualState) =>
      ask(team, 'switchMonitor', { id, body: { state, message: message.trim() || null } }),
    onSuccess: (_, state) => {
      setMessage('')
      say.done(t(state === 'up' ? '{name} is up now.' : '{name} is down now.', { name }))
    },
    onError: say.problem,
    onSettled: () => void queries.invalidateQueries({ queryKey: [team] }),
  })
  const isSaying = (state: ManualState) => switching.isPending && switching.variables === state
  return (
    <Panel title={t('Set the status')}>
      <div className="flex flex-wrap items-end gap-3 p-4">
        <TextField
          label={t('Message (optional)')}
          hint={t('Shown with the incident and in its alerts.')}
          className="min-w-60 flex-1"
          value={message}
          maxLength={MAX_CAUSE_LENGTH}
          onChange={({ target }) => setMessage(target.value)}
        />
        <div className="flex gap-2">
          <Button
            tone={status === 'up' ? 'plain' : 'main'}
            busy={isSaying('up')}
            disabled={switching.isPending}
            onClick={() => switching.mutate('up')}
          >
            {t('Mark as up')}
          </Button>
          <Button
            tone="danger"
            busy={isSaying('down')}
            disabled={switching.isPending}
            onClick={() => switching.mutate('down')}
          >
            {t('Mark as down')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function SwitchAddress({ monitor: { heartbeat_url: url } }: { monitor: Monitor }) {
  if (!url) return null
  return (
    <Fold title={t('Address for scripts')} hint={t('Sets the status by a request')} kept="switch-address">
      <div className="flex flex-col gap-4 p-4">
        <Copyable text={`curl -fsS -X POST '${url}/down?msg=No+dial+tone'`} label={t('Mark as down')} />
        <Copyable text={`curl -fsS -X POST ${url}/up`} label={t('Mark as up')} />
        <p className="text-sm text-soft">
          {rich(
            'Treat it as a secret: anyone who knows it can switch the monitor. <code>msg</code> may say why.',
            { code: (words) => <code className="font-mono">{words}</code> },
          )}
        </p>
      </div>
    </Fold>
  )
}

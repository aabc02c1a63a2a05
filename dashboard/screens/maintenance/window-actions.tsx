import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { useNotices } from '../../app/notices.tsx'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { RunningButtons } from '../../parts/maintenance/maintenance-buttons.tsx'
import { StartMenu } from './start-menu.tsx'

/** The actions on a window, for people who may change it. */
export function WindowActions({ window }: { window: WindowDetail }) {
  const { id: team } = useTeam()
  const maxMinutes = Number(window.fields.max_minutes)
  return (
    <>
      {window.current ? (
        <RunningButtons window={window} />
      ) : (
        window.kind === 'switch' && <StartMenu window={window} maxMinutes={maxMinutes} />
      )}
      <Link
        to="/teams/$team/maintenance/$window/edit"
        params={{ team: String(team), window: String(window.id) }}
        className={buttonLook('plain', 'small')}
      >
        {t('Edit')}
      </Link>
      <Delete window={window} />
    </>
  )
}

function Delete({ window }: { window: WindowDetail }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => ask(team, 'deleteMaintenanceWindow', { id: window.id }),
    onSuccess: async () => {
      await navigate({ to: '/teams/$team/maintenance', params: { team: String(team) } })
      // Only now: the page that was left would fetch a window that is gone.
      queries.removeQueries({ queryKey: [team, 'getMaintenanceWindow', window.id] })
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('{name} deleted.', { name: window.name }))
    },
    onError: (error) => {
      setAsking(false)
      say.problem(error)
    },
  })
  return (
    <>
      <Button size="small" tone="danger" onClick={() => setAsking(true)}>
        {t('Delete')}
      </Button>
      <Confirm
        title={t('Delete {name}?', { name: window.name })}
        verb={t('Delete window')}
        open={isAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        {window.current && `${t('It ends now, and failures alert again.')} `}
        {window.kind === 'switch' && `${t('Its secret addresses stop working.')} `}
        {t('Past maintenance stays in the history.')}
      </Confirm>
    </>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { useNotices } from '../../app/notices.tsx'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'

/** The actions on a schedule, for people who may change it. */
export function ScheduleActions({
  schedule,
  onOverride,
}: {
  schedule: ScheduleDetail
  onOverride: () => void
}) {
  const { id: team } = useTeam()
  return (
    <>
      <Button size="small" tone="main" onClick={onOverride}>
        {t('Override…')}
      </Button>
      <Link
        to="/teams/$team/on-call/schedules/$schedule/edit"
        params={{ team: String(team), schedule: String(schedule.id) }}
        className={buttonLook('plain', 'small')}
      >
        {t('Edit')}
      </Link>
      <Delete schedule={schedule} />
    </>
  )
}

function Delete({ schedule: { id, name } }: { schedule: ScheduleDetail }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => ask(team, 'deleteSchedule', { id }),
    onSuccess: async () => {
      await navigate({ to: '/teams/$team/on-call', params: { team: String(team) } })
      // Only now: the page that was left would fetch a schedule that is gone.
      queries.removeQueries({ queryKey: [team, 'getSchedule', id] })
      queries.removeQueries({ queryKey: [team, 'listScheduleShifts', id] })
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('{name} deleted.', { name }))
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
        title={t('Delete {name}?', { name })}
        verb={t('Delete schedule')}
        open={isAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('Its overrides go with it, and its calendar address stops working.')}
      </Confirm>
    </>
  )
}

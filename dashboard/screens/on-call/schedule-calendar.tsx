import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotices } from '../../app/notices.tsx'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Panel, Waiting } from '../../parts/panel.tsx'
import { Refused } from '../../parts/refused.tsx'

type Act = 'createScheduleCalendar' | 'deleteScheduleCalendar'

const QUESTIONS = {
  createScheduleCalendar: {
    title: t('Replace the calendar address?'),
    verb: t('Replace address'),
    done: t('New calendar address created.'),
  },
  deleteScheduleCalendar: {
    title: t('Remove the calendar address?'),
    verb: t('Remove address'),
    done: t('Calendar address removed.'),
  },
} as const satisfies Record<Act, object>

/** The secret address of the shifts as iCalendar. */
export function ScheduleCalendar({ schedule: { id } }: { schedule: { id: number } }) {
  const { id: team } = useTeam()
  const say = useNotices()
  const queries = useQueryClient()
  const [asking, setAsking] = useState<Act | null>(null)
  const asked = question(team, 'showScheduleCalendar', { id })
  const { data, error } = useQuery(asked)
  const change = useMutation({
    mutationFn: async (act: Act): Promise<unknown> => ask(team, act, { id }),
    onSuccess: async (_, act) => {
      await queries.invalidateQueries(asked)
      setAsking(null)
      say.done(QUESTIONS[act].done)
    },
  })
  const url = data?.data.url
  return (
    <Panel title={t('Calendar feed')}>
      <div className="flex flex-col items-start gap-4 p-4">
        <p className="text-soft">
          {t(
            'Subscribe to the shifts of the next 90 days in a calendar program (iCalendar). Treat the address as a secret: anyone who has it can read who is on call when.',
          )}
        </p>
        <Refused error={error} />
        {!data && !error && <Waiting lines={1} className="w-full p-0" />}
        {url && (
          <div className="w-full">
            <Copyable text={url} label={t('calendar address')} />
          </div>
        )}
        {data && (
          <div className="flex flex-wrap gap-2">
            {url ? (
              <>
                <Button onClick={() => setAsking('createScheduleCalendar')}>{t('Replace address…')}</Button>
                <Button tone="danger" onClick={() => setAsking('deleteScheduleCalendar')}>
                  {t('Remove address…')}
                </Button>
              </>
            ) : (
              <Button busy={change.isPending} onClick={() => change.mutate('createScheduleCalendar')}>
                {t('Create address')}
              </Button>
            )}
          </div>
        )}
        {asking === null && <Refused error={change.error} />}
      </div>
      <Confirm
        title={asking ? QUESTIONS[asking].title : ''}
        verb={asking ? QUESTIONS[asking].verb : ''}
        open={asking !== null}
        busy={change.isPending}
        onConfirm={() => asking && change.mutate(asking)}
        onClose={() => setAsking(null)}
      >
        {t('Programs that subscribed to the old address no longer get the shifts.')}
        <Refused error={change.error} />
      </Confirm>
    </Panel>
  )
}

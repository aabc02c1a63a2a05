import { useState } from 'react'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useMaintenance } from '../../parts/maintenance/use-maintenance.ts'
import { SpanTime } from '../../parts/maintenance/window-time.tsx'

/** Calls off the occurrence that comes next. */
export function CallOff({ window }: { window: WindowDetail }) {
  const { id: team } = useTeam()
  const [isAsking, setAsking] = useState(false)
  const act = useMaintenance(team, () => setAsking(false))
  const { next } = window
  if (!next) return null
  return (
    <>
      <Button size="small" className="self-start" onClick={() => setAsking(true)}>
        {t('Call off the next…')}
      </Button>
      <Confirm
        title={t('Call off the next maintenance?')}
        verb={t('Call off')}
        open={isAsking}
        busy={act.isPending}
        onConfirm={() => act.mutate({ do: 'callOff', window, startsAt: next.starts_at })}
        onClose={() => setAsking(false)}
      >
        {rich('{time}. Failures in that time alert as usual.', { time: <SpanTime span={next} /> })}
        {window.kind === 'recurring' && ` ${t('Later ones stay as they are.')}`}
      </Confirm>
    </>
  )
}

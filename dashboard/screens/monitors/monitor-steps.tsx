import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { StepBars } from '../../parts/monitors/step-bars.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { type Monitor, useChecks } from './monitor-data.ts'

/** How the steps of the newest check went, for a monitor that has some. */
export function LastSteps({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const answer = useChecks(team, monitor, false)
  const newest = answer.data?.pages[0]?.data.find(({ steps }) => steps)
  if (!newest?.steps) return null
  return (
    <Panel title={t('Last run')} className="min-w-0">
      <div className="flex flex-col gap-3 p-4">
        <p className="text-sm text-soft">
          <Time at={newest.checked_at} as="second" />
        </p>
        <StepBars steps={newest.steps} />
      </div>
    </Panel>
  )
}

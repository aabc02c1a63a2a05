import { Link } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Since, Time } from '../../parts/time.tsx'
import { type Monitor, type Report, useChecks } from './monitor-data.ts'

/**
 * The status in a sentence. It always takes the same space, so that an outage does not move what a person is reading.
 */
export function MonitorState({ monitor, report }: { monitor: Monitor; report: Report | undefined }) {
  const { id: team } = useTeam()
  const incident = monitor.open_incident
  if (monitor.is_active && monitor.status === 'maintenance')
    return <UnderMaintenance monitor={monitor} report={report} />
  if (!incident) {
    return (
      <p className="flex min-h-18 items-center rounded-lg border border-line bg-panel px-4 py-2">
        <span>
          <StateSentence monitor={monitor} report={report} />
        </span>
      </p>
    )
  }
  return (
    <div
      role="alert"
      className="flex min-h-18 flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border-2 border-down bg-panel px-4 py-2"
    >
      <p className="min-w-0 flex-1 basis-60">
        <strong className="font-semibold text-down">
          Down for <Since at={incident.started_at} />
        </strong>
        <Recovering report={report} />
        <span className="line-clamp-2 break-words md:line-clamp-1" title={incident.cause ?? undefined}>
          {incident.cause ?? 'The check failed.'}
        </span>
      </p>
      <Link
        to="/teams/$team/incidents/$incident"
        params={{ team: String(team), incident: String(incident.id) }}
        className={buttonLook()}
      >
        View incident
      </Link>
    </div>
  )
}

/** The reason is that of the newest check: no incident has it. */
function UnderMaintenance({ monitor, report }: { monitor: Monitor; report: Report | undefined }) {
  const { id: team } = useTeam()
  const newest = useChecks(team, monitor, false).data?.pages[0]?.data[0]
  const reason = newest?.status === 'maintenance' ? newest.error_message : null
  return (
    <p className="min-h-18 rounded-lg border-2 border-maintenance bg-panel px-4 py-2">
      <strong className="font-semibold text-maintenance">
        Under maintenance, failing
        {report && (
          <>
            {' '}
            for <Since at={report.status_since} />
          </>
        )}
      </strong>
      <Recovering report={report} />
      <span className="line-clamp-2 break-words md:line-clamp-1" title={reason ?? undefined}>
        {reason ?? 'The check failed.'}
      </span>
    </p>
  )
}

/** Progress toward recovery, for teams that want several passing checks before a monitor is up again. */
function Recovering({ report }: { report: Report | undefined }) {
  const recovery = report?.recovery
  if (!recovery || recovery.passing === 0) return null
  return (
    <span>
      {' '}
      – passing, {recovery.passing} of {recovery.needed}
    </span>
  )
}

function StateSentence({ monitor, report }: { monitor: Monitor; report: Report | undefined }) {
  const isHeartbeat = monitor.type === 'heartbeat'
  if (!monitor.is_active) return 'Paused: no checks and no alerts until the monitor is resumed.'
  if (monitor.status === 'degraded') {
    return 'Passing, with a warning: see the reason in the newest check below.'
  }
  if (monitor.status === 'pending') {
    return isHeartbeat
      ? 'Waiting for the first ping. Have your job call the URL below.'
      : 'Waiting for the first check, which runs within a second or two.'
  }
  const last = report?.incidents.find(({ resolved }) => resolved)
  if (monitor.status === 'down') return 'The last check failed.'
  if (!last?.resolved_at) return 'No incidents in this period.'
  return (
    <>
      Recovered <Time at={last.resolved_at} />.
    </>
  )
}

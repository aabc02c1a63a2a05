import { gauge, labelsOf, type MetricFamily, type MetricSample } from '../../core/exposition.ts'
import { passes, SAYS_NOTHING } from '../../core/monitors/check.ts'
import { LiveStatus, liveStatus } from '../../core/monitors/status.ts'
import { tagLabels } from '../../core/tags/tag-labels.ts'
import { readUptimes, type Uptimes } from '../../store/history/uptimes.ts'
import { type MeasuredMonitor, readMeasuredMonitors } from '../../store/monitors/team-metrics.ts'
import { readServerFamilies } from '../servers/server-metrics.ts'
import type { Services } from '../services.ts'
import { authenticate } from '../sign-in/authenticate.ts'
import { createSiteMetrics } from '../sites/site-metrics.ts'

/** Reports the monitors with the smallest ids; `upbeat_team_monitors` gives the total. */
const MAX_MONITORS = 10_000
/** A 30-day ratio hardly moves, and costs more to compute than everything else. */
const UPTIMES_FRESH_MS = 60_000

/**
 * A team's subjects as Prometheus metrics. Refuses like every reading operation (401, 429, 403), and
 * puts the rest of the rate limit into `headers`.
 */
export type ReadTeamMetrics = (
  authorization: string | undefined,
  headers: Record<string, string>,
) => Promise<MetricFamily[]>

export function createTeamMetrics(services: Services): ReadTeamMetrics {
  const uptimesOf = keepUptimes(services)
  const siteFamiliesOf = createSiteMetrics(services.db)
  return async (authorization, headers) => {
    const { teamId } = await authenticate(services, 'read', authorization, headers)
    const { total, monitors } = await readMeasuredMonitors(services.db, teamId, MAX_MONITORS)
    const ids = monitors.map(({ id }) => id)
    const uptimes = await uptimesOf(teamId, ids)
    const measured = monitors.map((monitor) => ({
      ...monitor,
      uptime: uptimes.get(monitor.id)?.['30d'] ?? null,
    }))
    return [
      ...familiesOf(total, measured),
      ...(await readServerFamilies(services.db.query, teamId, services.databaseNow())),
      ...(await siteFamiliesOf(teamId)),
    ]
  }
}

type UptimesOf = (teamId: number, ids: number[]) => Promise<Map<number, Uptimes>>

/** Caches uptimes per team; a monitor created since has none until they are read again. */
function keepUptimes({ db, now }: Services): UptimesOf {
  const kept = new Map<number, { atMs: number; uptimes: Promise<Map<number, Uptimes>> }>()
  return (teamId, ids) => {
    const at = now()
    for (const [team, { atMs }] of kept) if (at.getTime() - atMs >= UPTIMES_FRESH_MS) kept.delete(team)
    const known = kept.get(teamId)
    if (known) return known.uptimes
    const uptimes = readUptimes(db, ids, at, ['30d'])
    kept.set(teamId, { atMs: at.getTime(), uptimes })
    uptimes.catch(() => kept.delete(teamId))
    return uptimes
  }
}

function familiesOf(total: number, monitors: Measured[]): MetricFamily[] {
  const series = monitors.map((monitor) => ({
    monitor,
    labels: labelsOf({ id: monitor.id, name: monitor.name, type: monitor.type, ...tagLabels(monitor.tags) }),
  }))
  return [
    gauge('upbeat_team_monitors', 'Monitors of the team.', total),
    ...GAUGES.map(({ name, help, read }): MetricFamily => {
      const samples = series.flatMap(({ monitor, labels }): MetricSample[] => {
        const value = read(monitor)
        return value === null ? [] : [{ labels, value }]
      })
      return { name, help, type: 'gauge', samples }
    }),
    {
      name: 'upbeat_monitor_status',
      help: 'Whether this is the status of the monitor: 1 for one of them.',
      type: 'gauge',
      samples: series.flatMap(({ monitor, labels }) => statusSamples(monitor, labels)),
    },
  ]
}

type Measured = MeasuredMonitor & { uptime: number | null }

/** Each gives one series per monitor that has a value. */
const GAUGES: { name: string; help: string; read: (monitor: Measured) => number | null }[] = [
  {
    name: 'upbeat_monitor_up',
    help: 'Whether the last check that was judged passed; absent while the monitor is pending, fails under maintenance or is paused.',
    read: ({ isActive, status }) =>
      isActive && !SAYS_NOTHING.includes(status) ? Number(passes(status)) : null,
  },
  {
    name: 'upbeat_monitor_active',
    help: 'Whether the monitor is checked: 0 while it is paused.',
    read: ({ isActive }) => Number(isActive),
  },
  {
    name: 'upbeat_monitor_response_time_seconds',
    help: 'Response time of the last check; absent where it had no answer.',
    read: ({ responseTimeMs }) => responseTimeMs && responseTimeMs / 1_000,
  },
  {
    name: 'upbeat_monitor_last_check_timestamp_seconds',
    help: 'When the monitor was last checked, in Unix time.',
    read: ({ lastCheckedAt }) => secondsOf(lastCheckedAt),
  },
  {
    name: 'upbeat_monitor_certificate_expiry_timestamp_seconds',
    help: 'When the certificate expires that was seen last, in Unix time.',
    read: ({ sslExpiresAt }) => secondsOf(sslExpiresAt),
  },
  {
    name: 'upbeat_monitor_incident_start_timestamp_seconds',
    help: 'When the open incident began, in Unix time; absent while there is none.',
    read: ({ incidentStartedAt }) => secondsOf(incidentStartedAt),
  },
  {
    name: 'upbeat_monitor_uptime_ratio',
    help: 'Share of the judged time of the last 30 days in which the monitor was up or degraded, 0 to 1; absent where none was judged.',
    read: ({ uptime }) => uptime,
  },
]

function secondsOf(at: Date | null): number | null {
  return at && at.getTime() / 1_000
}

function statusSamples({ status, isActive }: Measured, labels: string): MetricSample[] {
  const current = liveStatus({ status, is_active: isActive })
  return LiveStatus.options.map((option) => ({
    labels: `${labels},status="${option}"`,
    value: Number(option === current),
  }))
}

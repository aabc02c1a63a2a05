import type { Backlog } from '../core/alerting/backlog.ts'
import { gauge, labelsOf, type MetricFamily } from '../core/exposition.ts'
import { SUBJECT_KINDS, SUBJECT_NAMES } from '../core/maintenance/subject-kind.ts'
import { LiveStatus } from '../core/monitors/status.ts'

/** Facts about this process and its work; `backlog` is null while the database does not answer. */
export function instanceFamilies(facts: {
  version: string
  leading: boolean
  checkingThreads: number
  liveStreams: number
  recording: boolean
  backlog: Backlog | null
}): MetricFamily[] {
  const { version, leading, checkingThreads, liveStreams, recording, backlog } = facts
  return [
    buildFamily(version),
    gauge(
      'upbeat_leading',
      'Whether this process holds the lease under which checks are scheduled.',
      +leading,
    ),
    gauge('upbeat_checking_threads', 'Threads of this process that check.', checkingThreads),
    gauge('upbeat_live_streams', 'Live streams of dashboards that are open.', liveStreams),
    gauge('upbeat_recording', 'Whether this process can record what it finds and is told.', +recording),
    gauge('upbeat_database_up', 'Whether the database answers.', +(backlog !== null)),
    ...(backlog ? backlogFamilies(backlog) : []),
  ]
}

/** The same for a remote probe. */
export function remoteInstanceFamilies(facts: {
  version: string
  isReached: boolean
  dropped: number
}): MetricFamily[] {
  const { version, isReached, dropped } = facts
  return [
    buildFamily(version),
    gauge('upbeat_service_up', 'Whether the service that this process probes for answers.', +isReached),
    {
      name: 'upbeat_results_dropped',
      help: 'Results that were given up because they could not be stored in time.',
      type: 'counter',
      samples: [{ labels: '', value: dropped }],
    },
  ]
}

function buildFamily(version: string): MetricFamily {
  return {
    name: 'upbeat_build',
    help: 'Which Upbeat this is, and which Node it runs on.',
    type: 'info',
    samples: [{ labels: labelsOf({ version, node: process.version.slice(1) }), value: 1 }],
  }
}

function backlogFamilies(backlog: Backlog): MetricFamily[] {
  return [
    ...SUBJECT_KINDS.map((kind) =>
      byStatus(`upbeat_${kind}s`, `${SUBJECT_NAMES[kind]} of all teams, by status.`, backlog[`${kind}s`]),
    ),
    gauge(
      'upbeat_heartbeats_overdue',
      'Heartbeat monitors whose deadline has passed without a ping, and is not recorded as missed yet.',
      backlog.heartbeatsOverdue,
    ),
    gauge('upbeat_deliveries_pending', 'Alerts that are still to be sent.', backlog.deliveriesPending),
    gauge('upbeat_deliveries_due', 'Alerts that could be sent now.', backlog.deliveriesDue),
    gauge(
      'upbeat_delivery_oldest_due_seconds',
      'How long the alert has been due that has been due longest; 0 while none is.',
      backlog.oldestDueSeconds ?? 0,
    ),
    gauge('upbeat_letters_pending', 'Letters to people that are still to be sent.', backlog.lettersPending),
    gauge(
      'upbeat_notices_pending',
      'Messages to subscribers of status pages that are still to be sent.',
      backlog.noticesPending,
    ),
  ]
}

function byStatus(name: string, help: string, counts: Record<LiveStatus, number>): MetricFamily {
  const samples = LiveStatus.options.map((status) => ({
    labels: labelsOf({ status }),
    value: counts[status],
  }))
  return { name, help, type: 'gauge', samples }
}

import { gauge, labelsOf, type MetricFamily, type MetricSample } from '../../core/exposition.ts'
import { passes, SAYS_NOTHING } from '../../core/monitors/check.ts'
import { LiveStatus, liveStatus } from '../../core/monitors/status.ts'
import { readSeriesKey } from '../../core/servers/series.ts'
import { MAX_SERVERS_LISTED } from '../../core/servers/shown-server.ts'
import { tagLabels } from '../../core/tags/tag-labels.ts'
import type { Query } from '../../postgres/database.ts'
import { countServers, listServers, type ServerRowRecord } from '../../store/servers/servers.ts'

/** Figures of an older report are left out: the machine may be in any state by now. */
const FIGURES_FRESH_MS = 5 * 60_000

/** A team's servers as Prometheus metrics. */
export async function readServerFamilies(query: Query, teamId: number, now: Date): Promise<MetricFamily[]> {
  const servers = await listServers(query, teamId)
  const total = servers.length < MAX_SERVERS_LISTED ? servers.length : await countServers(query, teamId)
  return [gauge('upbeat_team_servers', 'Servers of the team.', total), ...familiesOf(servers, now)]
}

function familiesOf(servers: ServerRowRecord[], now: Date): MetricFamily[] {
  const series = servers.slice(0, MAX_SERVERS_LISTED).map((server) => ({
    server,
    isFresh: isFresh(server, now),
    labels: labelsOf({ id: server.id, name: server.name, ...tagLabels(server.tags) }),
  }))
  return [
    ...GAUGES.map(({ name, help, read }): MetricFamily => {
      const samples = series.flatMap(({ server, labels }) => sampleOf(labels, read(server)))
      return { name, help, type: 'gauge', samples }
    }),
    ...FIGURES.map(({ name, help, read }): MetricFamily => {
      const samples = series.flatMap(({ server, labels, isFresh: shows }) =>
        sampleOf(labels, shows ? read(server.latest) : null),
      )
      return { name, help, type: 'gauge', samples }
    }),
    {
      name: 'upbeat_server_file_system_used_ratio',
      help: 'Share of a file system that is used, 0 to 1, by its mount point.',
      type: 'gauge',
      samples: series.flatMap(({ server, labels, isFresh: shows }) =>
        shows ? fileSystemSamples(server, labels) : [],
      ),
    },
    {
      name: 'upbeat_server_status',
      help: 'Whether this is the status of the server: 1 for one of them.',
      type: 'gauge',
      samples: series.flatMap(({ server: { status, is_active }, labels }) => {
        const current = liveStatus({ status, is_active })
        return LiveStatus.options.map((option) => ({
          labels: `${labels},status="${option}"`,
          value: Number(option === current),
        }))
      }),
    },
  ]
}

/** Each gives one series per server that has a value. */
const GAUGES: { name: string; help: string; read: (server: ServerRowRecord) => number | null }[] = [
  {
    name: 'upbeat_server_up',
    help: 'Whether the server is up or degraded; absent while it is pending, in trouble under maintenance or paused.',
    read: ({ is_active, status }) =>
      is_active && !SAYS_NOTHING.includes(status) ? Number(passes(status)) : null,
  },
  {
    name: 'upbeat_server_last_report_timestamp_seconds',
    help: 'When the newest report came, in Unix time.',
    read: ({ lastReportAt }) => lastReportAt && lastReportAt.getTime() / 1_000,
  },
]

/** The same of the newest report, in base units. */
const FIGURES: {
  name: string
  help: string
  read: (latest: ServerRowRecord['latest']) => number | null | undefined
}[] = [
  {
    name: 'upbeat_server_cpu_usage_ratio',
    help: 'Share of the time of all CPUs that was used, 0 to 1.',
    read: ({ cpu_percent }) => ratioOf(cpu_percent),
  },
  {
    name: 'upbeat_server_load1',
    help: 'Load of one minute, of all CPUs.',
    read: ({ load_1 }) => load_1,
  },
  {
    name: 'upbeat_server_memory_available_bytes',
    help: 'Memory that programs can still get.',
    read: ({ memory_available_bytes }) => memory_available_bytes,
  },
  {
    name: 'upbeat_server_memory_size_bytes',
    help: 'Memory of the server.',
    read: ({ memory_total_bytes }) => memory_total_bytes,
  },
]

function fileSystemSamples({ latest }: ServerRowRecord, labels: string): MetricSample[] {
  return Object.entries(latest).flatMap(([key, percent]) => {
    const known = readSeriesKey(key)
    if (known?.name !== 'file_system_used_percent' || known.part === null) return []
    return { labels: `${labels},${labelsOf({ mount: known.part })}`, value: percent / 100 }
  })
}

function sampleOf(labels: string, value: number | null | undefined): MetricSample[] {
  return value === null || value === undefined ? [] : [{ labels, value }]
}

function ratioOf(percent: number | undefined): number | null {
  return percent === undefined ? null : percent / 100
}

function isFresh({ is_active, lastReportAt }: ServerRowRecord, now: Date): boolean {
  return is_active && lastReportAt !== null && now.getTime() - lastReportAt.getTime() < FIGURES_FRESH_MS
}

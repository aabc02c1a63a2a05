import { ContactType } from '../core/alerting/contact.ts'
import { FoundStatus } from '../core/monitors/check.ts'
import { MonitorType } from '../core/monitors/monitor.ts'
import { PingKind } from '../core/monitors/ping.ts'
import { isProbed } from '../core/probing/thread-count.ts'
import { InputSource, ReportSource } from '../core/servers/machine-report.ts'
import { SiteArea } from '../core/sites/area.ts'
import { SubscriberType } from '../core/status-pages/shown-post.ts'

const OUTCOMES = ['sent', 'retry', 'rejected', 'failed'] as const

/**
 * Counts of events. Label values come from the code, never from outside: their number is bounded. Series that are
 * `expected` are shown from the start, as 0: Prometheus sees no growth in a series that begins with 1.
 */
export const COUNTERS = {
  checks: {
    name: 'upbeat_checks',
    help: 'Checks made, by the type of the monitor and what was found; a missed deadline of a heartbeat is one.',
    labels: ['type', 'status'],
    expected: pairs(MonitorType.options, FoundStatus.options),
  },
  remoteChecks: {
    name: 'upbeat_remote_checks',
    help: 'Checks of remote probes that were recorded, by the type of the monitor and what was found.',
    labels: ['type', 'status'],
    expected: pairs(
      MonitorType.options.filter((type) => isProbed({ type })),
      FoundStatus.options,
    ),
  },
  remoteRefusals: {
    name: 'upbeat_remote_refusals',
    help: 'Results of remote probes that were refused.',
    labels: [],
    expected: [[]],
  },
  givenUp: {
    name: 'upbeat_findings_given_up',
    help: 'Findings (checks, pings, silences, reports, looks) that were given up because they could not be recorded.',
    labels: [],
    expected: [[]],
  },
  pings: {
    name: 'upbeat_pings',
    help: 'Pings of heartbeat jobs that were recorded, by what they said.',
    labels: ['kind'],
    expected: PingKind.options.map((kind) => [kind]),
  },
  serverReports: {
    name: 'upbeat_server_reports',
    help: 'Reports of servers, by where they came from and what became of them.',
    labels: ['source', 'fate'],
    expected: pairs(ReportSource.options, ['recorded']),
  },
  serverReadingsDropped: {
    name: 'upbeat_server_readings_dropped',
    help: 'Readings that senders other than the agent reported and that are not kept: of no known series, or one too many.',
    labels: ['source'],
    expected: InputSource.options.map((source) => [source]),
  },
  serverSilences: {
    name: 'upbeat_server_silences',
    help: 'Times that a server was found silent, outside of maintenance windows.',
    labels: [],
    expected: [[]],
  },
  siteLooks: {
    name: 'upbeat_site_looks',
    help: 'Looks at areas of sites that were recorded, by the area and what was found; a crawl is one of three areas.',
    labels: ['area', 'status'],
    expected: pairs(SiteArea.options, FoundStatus.options),
  },
  siteCrawls: {
    name: 'upbeat_site_crawls',
    help: 'Crawls of sites that this process took part in, by how that ended; interrupted: it goes on later, or elsewhere.',
    labels: ['outcome'],
    expected: [['done'], ['interrupted'], ['failed']],
  },
  deliveries: {
    name: 'upbeat_delivery_attempts',
    help: 'Attempts to send an alert, by channel and outcome; failed: it was to be retried and is given up.',
    labels: ['channel', 'outcome'],
    expected: pairs(ContactType.options, OUTCOMES),
  },
  letters: {
    name: 'upbeat_letter_attempts',
    help: 'Attempts to send a letter to a person about their account, or a monthly report, by outcome.',
    labels: ['outcome'],
    expected: OUTCOMES.map((outcome) => [outcome]),
  },
  notices: {
    name: 'upbeat_notice_attempts',
    help: 'Attempts to send a message to a subscriber of a status page, by type and outcome.',
    labels: ['type', 'outcome'],
    expected: pairs(SubscriberType.options, OUTCOMES),
  },
  requests: {
    name: 'upbeat_http_requests',
    help: 'Requests answered, by operation and status; other: pages, files and unknown paths.',
    labels: ['operation', 'status'],
  },
  refusals: {
    name: 'upbeat_rate_limit_refusals',
    help: 'Uses that were refused because a rate limit was used up, by limit.',
    labels: ['limit'],
  },
  databaseErrors: {
    name: 'upbeat_database_errors',
    help: 'Errors that the database answered, by SQLSTATE class.',
    labels: ['class'],
  },
} as const satisfies Record<string, CounterDefinition>

/** Durations, in seconds. */
export const HISTOGRAMS = {
  checkLateness: {
    name: 'upbeat_check_lateness_seconds',
    help: 'From the time a check was due to its start.',
    labels: [],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  checkDuration: {
    name: 'upbeat_check_duration_seconds',
    help: 'From the start of a check until it was judged, by the type of the monitor.',
    labels: ['type'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  recordDuration: {
    name: 'upbeat_record_duration_seconds',
    help: 'How long it took to write a batch of findings with all that follows from them.',
    labels: [],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  recordSize: {
    name: 'upbeat_record_batch_size',
    help: 'How many findings were written at once.',
    labels: [],
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
  },
  deliveryDuration: {
    name: 'upbeat_delivery_duration_seconds',
    help: 'How long an attempt to send an alert took, by channel.',
    labels: ['channel'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  requestDuration: {
    name: 'upbeat_http_request_duration_seconds',
    help: 'From a request to the beginning of its answer, by operation.',
    labels: ['operation'],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  loopDelay: {
    name: 'upbeat_event_loop_delay_seconds',
    help: 'The longest time in each second in which the event loop stood still, by kind of thread.',
    labels: ['thread'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
} as const satisfies Record<string, Definition & { buckets: readonly number[] }>

/** Current amounts, added up over the threads. */
export const LEVELS = {
  scheduled: {
    name: 'upbeat_scheduled_monitors',
    help: 'Monitors in the schedule of this process.',
    labels: [],
  },
  underWay: { name: 'upbeat_checks_under_way', help: 'Checks under way in this process.', labels: [] },
  undecided: {
    name: 'upbeat_undecided_targets',
    help: 'Targets that could not be judged for longer than two intervals and two time-outs.',
    labels: [],
  },
  waiting: {
    name: 'upbeat_findings_waiting',
    help: 'Findings that wait to be written, by kind of thread.',
    labels: ['thread'],
  },
  loopTrouble: {
    name: 'upbeat_loop_trouble_seconds',
    help: 'How long each loop of this process has had no round without an error; 0 while all is well.',
    labels: ['loop'],
  },
  connections: {
    name: 'upbeat_database_connections',
    help: 'Connections to the database, by kind of thread and state.',
    labels: ['thread', 'state'],
  },
  connectionsWaiting: {
    name: 'upbeat_database_connections_waiting',
    help: 'Statements that wait for a connection to the database, by kind of thread.',
    labels: ['thread'],
  },
} as const satisfies Record<string, Definition>

export type CounterDefinition = Definition & { expected?: readonly (readonly string[])[] }
export type Definition = { name: string; help: string; labels: readonly string[] }

export type CountedName = keyof typeof COUNTERS
export type HistogramName = keyof typeof HISTOGRAMS
export type LevelName = keyof typeof LEVELS

type Values<Labels extends readonly string[]> = { [Index in keyof Labels]: string }
export type CounterLabels<Name extends CountedName> = Values<(typeof COUNTERS)[Name]['labels']>
export type HistogramLabels<Name extends HistogramName> = Values<(typeof HISTOGRAMS)[Name]['labels']>

function pairs(ones: readonly string[], others: readonly string[]): [string, string][] {
  return ones.flatMap((one) => others.map((other): [string, string] => [one, other]))
}

import { cpus, loadavg, totalmem } from 'node:os'
import { type FaultKind, kindNames } from './faults.ts'
import type { Finding } from './judge.ts'
import type { Evidence } from './logs.ts'
import { surplusChecks } from './probing/surplus-checks.ts'
import type { Orders, Run } from './run.ts'
import { FULL, SILENT } from './servers/truth.ts'
import { type EndedCrawl, isOfSite } from './sites/truth.ts'
import { isIn, lengthMs } from './spans.ts'

/** The run as Markdown: what was broken how often, what was counted, and what was found. */
export function renderReport(orders: Orders, run: Run, findings: Finding[]): string {
  const { evidence, faults, kinds } = run
  const times = (kind: FaultKind) => faults.filter((fault) => fault.kind === kind)
  const repeated =
    evidence.received.length - new Set(evidence.received.map(({ messageId }) => messageId)).size
  const doubled = surplusChecks(evidence).filter(({ atMs }) => atMs >= evidence.fromMs)
  const rows: [string, string | number][] = [
    ['Faults', faults.length],
    ['Minutes', ((evidence.toMs - evidence.fromMs) / 60_000).toFixed(1)],
    ['Monitors, at an interval of 1 s', orders.monitors],
    ['Requests that targets answered', evidence.answers.length],
    ['Jobs, at an interval of 6 s', orders.jobs],
    ['Pings that were taken', evidence.pings.filter(({ isTaken }) => isTaken).length],
    ...serverRows(evidence, run.world.machines.starts),
    ...siteRows(evidence, run.world.websites.looks),
    ...windowRows(evidence),
    ['Outages of targets, jobs, servers and home pages', evidence.outages.length],
    ['Incidents', evidence.incidents.length],
    ['Alerts', evidence.deliveries.length + evidence.sites.warnings.length],
    ...escalationRows(evidence),
    ['Messages that the receiver took', evidence.received.length],
    ['… of them repetitions of the same message id', repeated],
    ['Times that processes that probe came or went', evidence.takeovers.length],
    ['Checks doubled during a takeover', doubled.length],
    [
      'Seconds in which this machine was too busy to answer',
      Math.round(lengthMs(evidence.standstills) / 1_000),
    ],
    ['**Lost, doubled, invented or misordered**', findings.length],
  ]
  const impossible = kindNames().filter((kind) => orders.wanted(kind) && !kinds.includes(kind))
  return [
    `### Seed ${orders.seed}`,
    '',
    `${new Date(evidence.fromMs).toISOString().slice(0, 16).replace('T', ' ')} UTC, ${describeMachine()}.`,
    `Processes: ${run.world.members.map(({ name }) => `\`${name}\``).join(', ')}.`,
    '',
    '| Counted | |',
    '|---|---:|',
    ...rows.map(([what, count]) => `| ${what} | ${count.toLocaleString('en')} |`),
    '',
    '| Fault | Times | Longest |',
    '|---|---:|---:|',
    ...kinds.map((kind) => `| ${kind} | ${times(kind).length} | ${longest(times(kind))} |`),
    ...impossible.map((kind) => `| ${kind} | not possible on this machine | |`),
    '',
    ...(run.settled ? [] : ['- not everything was up and told 5 minutes after the last fault']),
    ...findings.map(({ rule, text }) => `- ${rule}: ${text}`),
    ...(findings.length > 0 || !run.settled ? [''] : []),
  ].join('\n')
}

function escalationRows({ escalations: { isOn, incidents } }: Evidence): [string, number][] {
  if (!isOn) return []
  const steps = incidents.flatMap((incident) => incident.steps)
  const inState = (state: string) => steps.filter((step) => step.state === state).length
  return [
    ['Steps of escalations that came', inState('done')],
    ['… and that a recovery ended', inState('ended')],
  ]
}

function windowRows({ changes, applied, checks, incidents }: Evidence): [string, number][] {
  if (changes.length === 0) return []
  const ends = new Set(applied.map(({ toMs }) => toMs))
  return [
    ['Changes of maintenance windows', changes.length],
    ['… of them refused, or not answered', changes.filter(({ isTaken }) => !isTaken).length],
    ['Times that a window applied', applied.length],
    ['Failed checks within windows', checks.filter(({ status }) => status === 'maintenance').length],
    [
      'Incidents that begin at the end of a window',
      incidents.filter(({ startedMs }) => ends.has(startedMs)).length,
    ],
  ]
}

function serverRows({ reports, outages, incidents }: Evidence, starts: number): [string, number][] {
  const of = (condition: string) => incidents.filter((incident) => incident.condition === condition).length
  return [
    ['Servers, with a report every 1.5 s', reports.servers.length],
    ['Reports that were taken', reports.sent.filter(({ isTaken }) => isTaken).length],
    ['Reports that were kept', reports.kept.length],
    ['Starts of servers', starts],
    ['Troubles of servers', outages.filter((one) => one.condition !== undefined && !isOfSite(one)).length],
    ['Incidents of silent servers', of(SILENT)],
    ['Incidents of full disks', of(FULL)],
  ]
}

function siteRows({ sites, outages, incidents }: Evidence, looks: number): [string, number][] {
  const isResumed = (crawl: EndedCrawl) =>
    sites.answers.filter(
      ({ site, path, atMs }) => site === crawl.site && path === '/robots.txt' && isIn(atMs, crawl),
    ).length > 1
  return [
    ['Sites, looked at every 2 s', sites.numbers.length],
    ['Looks at their home pages', looks],
    ['Outages of home pages', outages.filter(isOfSite).length],
    ['Incidents of home pages', incidents.filter(isOfSite).length],
    ['Crawls that ended', sites.crawls.length],
    ['… of them interrupted, and gone on with', sites.crawls.filter(isResumed).length],
    [
      '… of them cut short, as the home page failed',
      sites.crawls.filter(({ isCutShort }) => isCutShort).length,
    ],
    [
      '… of them without the sitemap, whose answer did not reach them',
      sites.crawls.filter(({ isCutShort, isSitemapRead }) => !isCutShort && !isSitemapRead).length,
    ],
    ['Warnings of crawls, and their ends', sites.warnings.length],
  ]
}

function longest(faults: { fromMs: number; toMs: number }[]): string {
  if (faults.length === 0) return ''
  return `${(Math.max(...faults.map(({ fromMs, toMs }) => toMs - fromMs)) / 1_000).toFixed(1)} s`
}

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  return `${process.platform} ${process.arch}, ${cpus().length} cores, ${gigabytes} GB, load average ${load} at the end`
}

import {
  bytesOfCheck,
  CHECK_LINES,
  type CpuOf,
  checkpoints,
  count,
  grown,
  MIB,
  mib,
  microsOfCheck,
  type Period,
  pair,
  percent,
  perSecond,
  seconds,
  spent,
  sum,
  UNREAD,
} from '../capacity/capacity-figures.ts'
import type { PostgresSettings } from '../support/embedded-server.ts'
import { renderCells } from '../support/table.ts'
import type { Simulated } from './simulation.ts'

/** A machine with less idle time than this has no processor to spare for a while in each minute. */
const BUSY_SHARE = 0.92
/** Sessions that wait for the disk for more of their time than this are slowed down by it. */
const DISK_SHARE = 0.3
/** Where one in a hundred is later than this, it does not keep up, even if it misses none. */
const LATE_MS = 1_000
const WAITS_SHOWN = 8
const WARNINGS_SHOWN = 8

type Settings = { postgres: PostgresSettings; failingPercent: number }

export function renderSimulation(simulated: Simulated[], settings: Settings): string {
  return [
    describeSettings(settings),
    renderCells([
      [
        'Made-up results, all else real',
        ...simulated.map(({ world }) => `${count(world.monitors)} monitors`),
      ],
      ...LINES.map(([name, cell]) => [name, ...simulated.map(cell)]),
    ]),
    ...simulated.flatMap((one) => [
      renderMinutes(one),
      renderWaits(one),
      ...describeWarnings(one),
      describeLimit(one),
    ]),
  ].join('\n\n')
}

function describeSettings({ postgres, failingPercent }: Settings): string {
  const differing = Object.entries(postgres).map(([name, value]) => `${name} = ${value}`)
  const server = differing.length === 0 ? 'with its own settings' : `with ${differing.join(', ')}`
  return `Four processes that check in one region and one for the rest; ${failingPercent} % of the monitors fail at any time, for three minutes each. The embedded PostgreSQL ${server}.`
}

const LINES: [name: string, cell: (simulated: Simulated) => string][] = [
  ...CHECK_LINES,
  ['… more than 1 s', ({ checks }) => count(checks.laterThan(LATE_MS))],
  ['CPU: four probes', (s) => `${inCores(s, ({ probesMicros }) => probesMicros)} cores`],
  ['CPU: api, scheduler, alerts', (s) => `${inCores(s, ({ mainMicros }) => mainMicros)} cores`],
  ['CPU: PostgreSQL', (s) => `${inCores(s, ({ databaseMicros }) => databaseMicros)} cores`],
  ['CPU a check: probes', (s) => microsOfCheck(s, ({ probesMicros }) => probesMicros)],
  ['CPU a check: PostgreSQL', (s) => microsOfCheck(s, ({ databaseMicros }) => databaseMicros)],
  [
    'Memory (PSS), most: each probe, mean',
    (s) => mib(mostOf(s, ({ probes }) => sum(probes) / probes.length)),
  ],
  ['Memory: api, scheduler, alerts', (s) => mib(mostOf(s, ({ main }) => main))],
  ['Memory: PostgreSQL', (s) => mib(mostOf(s, ({ database }) => database ?? 0))],
  ['WAL', (s) => perSecond(s, 'walBytes', MIB, ' MiB')],
  ['… full pages in it', (s) => perSecond(s, 'walFullPages', 1, '')],
  ['… a check', (s) => bytesOfCheck(s, 'walBytes')],
  ['Checkpoints, by the clock / requested', checkpoints],
  ['… pages written', (s) => count(grown(s, 'checkpointedPages'))],
  ['… waiting for the disk', (s) => `${(grown(s, 'checkpointSyncMs') / 1_000).toFixed(1)} s`],
  ['Transactions', (s) => perSecond(s, 'commits', 1, '')],
  ['Checks in a transaction, about', (s) => (s.checks.ran / grown(s, 'commits')).toFixed(0)],
  [
    'State rows updated in place (HOT)',
    (s) => percent(grown(s, 'stateHotUpdates') / grown(s, 'stateUpdates')),
  ],
  ['Database, after', ({ after }) => mib(after.database.databaseBytes)],
  ['… grown', (s) => mib(grown(s, 'databaseBytes'))],
  ['A check on the disk: row', (s) => bytesOfCheck(s, 'checksBytes')],
  ['A check on the disk: index', (s) => bytesOfCheck(s, 'checksIndexBytes')],
  [
    'Incidents opened / resolved',
    ({ incidents }) => `${count(incidents.opened)} / ${count(incidents.resolved)}`,
  ],
  ['Monitors written in', ({ world }) => `${world.seedSeconds.toFixed(0)} s`],
  ['Start to all slots held', ({ world }) => `${world.heldSeconds.toFixed(1)} s`],
  ['Start to each monitor checked', ({ world }) => `${world.checkedSeconds.toFixed(1)} s`],
  ['GET /monitors, p50 / p99', ({ answers }) => pair(answers.listMs)],
  ['Overview, p50 / p99', ({ answers }) => pair(answers.overviewMs)],
  ['Answers that failed', ({ answers }) => count(answers.failed)],
  ['Hours rolled up meanwhile', ({ upkeep }) => `${upkeep.hours} (${count(upkeep.rollUpRows)} rows)`],
  ['Partitions created meanwhile', ({ upkeep }) => count(upkeep.partitions.length)],
]

/** Whether it slows down, and when. */
function renderMinutes({ world, before, watched, checks }: Simulated): string {
  const headings = [
    `${count(world.monitors)} monitors, minute`,
    'Checks written',
    'of those due',
    'CPU: probes',
    'PostgreSQL',
    'Machine busy',
    'waiting for disks',
    'WAL',
    'Full pages',
    'Checkpoints (clock / requested)',
    'Findings waiting',
    'Checks under way',
    'Memory: probes',
    'PostgreSQL',
  ]
  const duePerSecond = checks.due / (watched.minutes.length * 60)
  const lines = watched.minutes.map(({ reading, memory, machine, backlog }, minute) => {
    const period = { before: watched.minutes[minute - 1]?.reading ?? before, after: reading }
    const written = grown(period, 'checksInserted')
    const coresOf = (cpu: CpuOf) => inCores(period, cpu)
    return [
      String(minute + 1),
      count(written),
      percent(written / (duePerSecond * seconds(period))),
      coresOf(({ probesMicros }) => probesMicros),
      coresOf(({ databaseMicros }) => databaseMicros),
      percent(machine.busy),
      percent(machine.waitingForDisks),
      perSecond(period, 'walBytes', MIB, ' MiB'),
      perSecond(period, 'walFullPages', 1, ''),
      checkpoints(period),
      count(backlog.waiting),
      count(backlog.underWay),
      mib(sum(memory.probes)),
      mib(memory.database ?? 0),
    ]
  })
  return renderCells([headings, ...lines])
}

/** The shares of what sessions were seen doing, the largest first. */
function renderWaits({ world, watched: { waits } }: Simulated): string {
  const all = sum([...waits.values()])
  const lines = [...waits]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, WAITS_SHOWN)
    .map(([doing, seen]) => [doing, percent(seen / all)])
  return renderCells([
    [`${count(world.monitors)} monitors: sessions with a statement under way`, 'Of their time'],
    ...lines,
  ])
}

function describeWarnings({ world, warnings }: Simulated): string[] {
  if (warnings.size === 0) return []
  const lines = [...warnings]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, WARNINGS_SHOWN)
    .map(([message, times]) => `- ${count(times)} × ${message}`)
  return [[`Logged with ${count(world.monitors)} monitors, from the start on:`, '', ...lines].join('\n')]
}

/** Says whether it kept up, and otherwise which part ran out first. */
function describeLimit(simulated: Simulated): string {
  const { world, checks, watched } = simulated
  const { missed, doubled } = checks
  const busiest = Math.max(...watched.minutes.map(({ machine }) => machine.busy))
  const mean = sum(watched.minutes.map(({ machine }) => machine.busy)) / watched.minutes.length
  const machine = `The machine was busy for ${percent(mean)} of the time, ${percent(busiest)} in its busiest minute`
  const name = `${count(world.monitors)} monitors`
  const isLate = (checks.lateness?.p99Ms ?? 0) > LATE_MS
  if (missed + doubled === 0 && !isLate) return `${name}: no check missed or doubled. ${machine}.`
  const judged =
    missed + doubled === 0
      ? `${name}: no check missed or doubled, but ${percent(checks.laterThan(LATE_MS) / checks.due)} late by more than a second`
      : `${name}: ${count(missed)} checks missed (${percent(missed / checks.due)}) and ${count(doubled)} doubled`
  return `${judged}: THIS MACHINE DOES NOT KEEP UP. ${machine}. ${limitOf(simulated, mean, busiest)}`
}

function limitOf({ watched: { minutes, waits } }: Simulated, mean: number, busiest: number): string {
  const all = Math.max(1, sum([...waits.values()]))
  const disks =
    sum([...waits].flatMap(([doing, seen]) => (/^IO: |WALWrite|WALSync/.test(doing) ? [seen] : []))) / all
  const waiting = Math.max(...minutes.map(({ backlog }) => backlog.waiting))
  const backlog = `at most ${count(waiting)} findings waited to be written`
  if (mean > BUSY_SHARE) return `The limit was the processors (${backlog}).`
  if (disks > DISK_SHARE)
    return `The limit was the disk: sessions waited for it for ${percent(disks)} of their time (${backlog}).`
  if (busiest > BUSY_SHARE) return `The processors ran out for some minutes (${backlog}).`
  return `Neither processors nor disk ran out for a whole minute: something shorter held it up (${backlog}; see the log above).`
}

function inCores(period: Period, cpuOf: CpuOf): string {
  const micros = spent(period, cpuOf)
  return micros === null ? UNREAD : (micros / seconds(period) / 1_000_000).toFixed(2)
}

function mostOf(
  { watched }: Simulated,
  bytesOf: (memory: Simulated['watched']['minutes'][number]['memory']) => number,
): number {
  return Math.max(...watched.minutes.map(({ memory }) => bytesOf(memory)))
}

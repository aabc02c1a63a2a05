import type { Reading } from '../capacity/capacity-readings.ts'
import type { PostgresSettings } from '../support/embedded-server.ts'
import { percentile } from '../support/statistics.ts'
import { renderCells } from '../support/table.ts'
import type { Simulated } from './simulation.ts'

const MIB = 2 ** 20
const UNREAD = '?'
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
  ['Checks due', ({ checks }) => count(checks.due)],
  ['… run', ({ checks }) => count(checks.ran)],
  ['… missed', ({ checks }) => count(checks.missed)],
  ['… doubled', ({ checks }) => count(checks.doubled)],
  ['Late, p50', ({ checks }) => `${checks.lateness?.p50Ms ?? UNREAD} ms`],
  ['Late, p99', ({ checks }) => `${checks.lateness?.p99Ms ?? UNREAD} ms`],
  ['Late, most', ({ checks }) => `${checks.lateness?.maxMs ?? UNREAD} ms`],
  ['… more than 1 s', ({ checks }) => count(checks.laterThan(LATE_MS))],
  ['CPU: four probes', (s) => cores(s, ({ probesMicros }) => probesMicros)],
  ['CPU: api, scheduler, alerts', (s) => cores(s, ({ mainMicros }) => mainMicros)],
  ['CPU: PostgreSQL', (s) => cores(s, ({ databaseMicros }) => databaseMicros)],
  ['CPU a check: probes', (s) => perCheck(s, ({ probesMicros }) => probesMicros)],
  ['CPU a check: PostgreSQL', (s) => perCheck(s, ({ databaseMicros }) => databaseMicros)],
  [
    'Memory (PSS), most: each probe, mean',
    (s) => mib(mostOf(s, ({ probes }) => sum(probes) / probes.length)),
  ],
  ['Memory: api, scheduler, alerts', (s) => mib(mostOf(s, ({ main }) => main))],
  ['Memory: PostgreSQL', (s) => mib(mostOf(s, ({ database }) => database ?? 0))],
  ['WAL', (s) => `${(grown(s, 'walBytes') / MIB / seconds(s)).toFixed(1)} MiB/s`],
  ['… full pages in it', (s) => `${(grown(s, 'walFullPages') / seconds(s)).toFixed(0)}/s`],
  ['… a check', (s) => `${(grown(s, 'walBytes') / s.checks.ran).toFixed(0)} B`],
  [
    'Checkpoints, by the clock / requested',
    ({ before, watched }) => checkpoints(before, lastOf(watched.minutes)),
  ],
  ['… pages written', (s) => count(grown(s, 'checkpointedPages'))],
  ['… waiting for the disk', (s) => `${(grown(s, 'checkpointSyncMs') / 1_000).toFixed(1)} s`],
  ['Transactions', (s) => `${(grown(s, 'commits') / seconds(s)).toFixed(0)}/s`],
  ['Checks in a transaction, about', (s) => (s.checks.ran / grown(s, 'commits')).toFixed(0)],
  [
    'State rows updated in place (HOT)',
    (s) => percent(grown(s, 'stateHotUpdates') / grown(s, 'stateUpdates')),
  ],
  ['Database, after', (s) => mib(lastOf(s.watched.minutes).database.databaseBytes)],
  ['… grown', (s) => mib(grown(s, 'databaseBytes'))],
  ['A check on the disk: row', (s) => `${(grown(s, 'checksBytes') / s.checks.ran).toFixed(0)} B`],
  ['A check on the disk: index', (s) => `${(grown(s, 'checksIndexBytes') / s.checks.ran).toFixed(0)} B`],
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
  const duePerMs = checks.due / (watched.minutes.length * 60_000)
  const lines = watched.minutes.map(({ reading, memory, machine, backlog }, minute) => {
    const last = watched.minutes[minute - 1]?.reading ?? before
    const ms = reading.atMs - last.atMs
    const grew = (name: 'checksInserted' | 'walBytes' | 'walFullPages') =>
      reading.database[name] - last.database[name]
    const coresOf = (cpu: (of: Reading) => number | null) =>
      ((Number(cpu(reading)) - Number(cpu(last))) / ms / 1_000).toFixed(2)
    return [
      String(minute + 1),
      count(grew('checksInserted')),
      percent(grew('checksInserted') / (duePerMs * ms)),
      coresOf(({ probesMicros }) => probesMicros),
      coresOf(({ databaseMicros }) => databaseMicros),
      percent(machine.busy),
      percent(machine.waitingForDisks),
      `${((grew('walBytes') / MIB / ms) * 1_000).toFixed(1)} MiB/s`,
      `${((grew('walFullPages') / ms) * 1_000).toFixed(0)}/s`,
      checkpoints(last, reading),
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

type Counter = keyof Reading['database']

function grown({ before, watched }: Simulated, counter: Counter): number {
  return lastOf(watched.minutes).database[counter] - before.database[counter]
}

function lastOf(minutes: Simulated['watched']['minutes']): Reading {
  return (minutes.at(-1) as (typeof minutes)[number]).reading
}

function seconds({ before, watched }: Simulated): number {
  return (lastOf(watched.minutes).atMs - before.atMs) / 1_000
}

function spent({ before, watched }: Simulated, cpuOf: (reading: Reading) => number | null): number | null {
  const [from, to] = [cpuOf(before), cpuOf(lastOf(watched.minutes))]
  return from === null || to === null ? null : to - from
}

function cores(simulated: Simulated, cpuOf: (reading: Reading) => number | null): string {
  const micros = spent(simulated, cpuOf)
  return micros === null ? UNREAD : `${(micros / seconds(simulated) / 1_000_000).toFixed(2)} cores`
}

function perCheck(simulated: Simulated, cpuOf: (reading: Reading) => number | null): string {
  const micros = spent(simulated, cpuOf)
  return micros === null ? UNREAD : `${(micros / simulated.checks.ran).toFixed(0)} µs`
}

function checkpoints(before: Reading, after: Reading): string {
  const timed = after.database.checkpointsTimed - before.database.checkpointsTimed
  return `${timed} / ${after.database.checkpoints - before.database.checkpoints - timed}`
}

function mostOf(
  { watched }: Simulated,
  bytesOf: (memory: Simulated['watched']['minutes'][number]['memory']) => number,
): number {
  return Math.max(...watched.minutes.map(({ memory }) => bytesOf(memory)))
}

function pair(tookMs: number[]): string {
  if (tookMs.length === 0) return UNREAD
  return `${[0.5, 0.99].map((p) => percentile(tookMs, p).toFixed(1)).join(' / ')} ms`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

import { renderCells } from '../support/table.ts'
import type { Measured } from './capacity.ts'
import {
  bytes,
  bytesOfCheck,
  CHECK_LINES,
  type CpuOf,
  checkpoints,
  count,
  grown,
  MIB,
  mib,
  microsOfCheck,
  pair,
  percent,
  perSecond,
  seconds,
  spent,
  sum,
  UNREAD,
} from './capacity-figures.ts'
import type { Loss } from './capacity-loss.ts'

/** The next column has it. */
const NOT_MEASURED = '–'

/** A column for each number of monitors: figures of the whole, then what one check comes to. */
export function renderSizes(sizes: Measured[], regions: string[]): string {
  const place = regions.length > 1 ? `over ${regions.length} regions` : 'in one region'
  const headings = [
    `Four processes that check, ${place}`,
    ...sizes.map(
      ({ world, hours }) => `${count(world.monitors)} monitors${hours > 0 ? `, after ${hours} h` : ''}`,
    ),
  ]
  const line = (name: string, cell: (measured: Measured) => string) => [name, ...sizes.map(cell)]
  return renderCells([headings, ...LINES.map(([name, cell]) => line(name, cell))])
}

const LINES: [name: string, cell: (measured: Measured) => string][] = [
  ...CHECK_LINES,
  ['CPU: api, scheduler, alerts', (m) => ofACore(m, ({ mainMicros }) => mainMicros)],
  ['CPU: four probes', (m) => ofACore(m, ({ probesMicros }) => probesMicros)],
  ['CPU: PostgreSQL', (m) => ofACore(m, ({ databaseMicros }) => databaseMicros)],
  ['CPU of the targets, not counted', (m) => ofACore(m, ({ targetMicros }) => targetMicros)],
  ['CPU a check: probes', (m) => microsOfCheck(m, ({ probesMicros }) => probesMicros)],
  ['CPU a check: PostgreSQL', (m) => microsOfCheck(m, ({ databaseMicros }) => databaseMicros)],
  ['Memory (PSS): api, scheduler, alerts', ({ memory }) => mib(memory.main)],
  ['Memory: each probe, mean', ({ memory }) => mib(sum(memory.probes) / memory.probes.length)],
  ['Memory: PostgreSQL', ({ memory }) => (memory.database === null ? UNREAD : mib(memory.database))],
  ['Connections of PostgreSQL', ({ after }) => count(after.database.connections)],
  ['Transactions', (m) => perSecond(m, 'commits', 1, '')],
  ['WAL', (m) => perSecond(m, 'walBytes', MIB, ' MiB')],
  ['WAL a check', (m) => bytesOfCheck(m, 'walBytes')],
  ['… full pages in it', (m) => perSecond(m, 'walFullPages', 1, '')],
  ['Checkpoints, by the clock / requested', checkpoints],
  ['… pages written', (m) => count(grown(m, 'checkpointedPages'))],
  ['… waiting for the disk', (m) => `${(grown(m, 'checkpointSyncMs') / 1_000).toFixed(1)} s`],
  ['Autovacuum and autoanalyse, tables', (m) => count(grown(m, 'autovacuums'))],
  [
    'State rows updated in place (HOT)',
    (m) => percent(grown(m, 'stateHotUpdates') / grown(m, 'stateUpdates')),
  ],
  ['Size of monitor states, after', ({ after }) => mib(after.database.stateBytes)],
  ['Database, after', ({ after }) => mib(after.database.databaseBytes)],
  ['… grown', (m) => mib(grown(m, 'databaseBytes'))],
  ['A check on the disk: row', (m) => bytesOfCheck(m, 'checksBytes')],
  ['A check on the disk: index', (m) => bytesOfCheck(m, 'checksIndexBytes')],
  ['Start to all slots held', ({ world }) => `${world.heldSeconds.toFixed(1)} s`],
  ['Start to each monitor checked', ({ world }) => `${world.checkedSeconds.toFixed(1)} s`],
  ['GET /monitors, p50 / p99', ({ answers }) => pair(answers.listMs)],
  ['Overview, p50 / p99', ({ answers }) => pair(answers.overviewMs)],
  ['An hour rolled up, in', ({ upkeep }) => (upkeep ? `${upkeep.seconds.toFixed(1)} s` : NOT_MEASURED)],
  ['… CPU a check: scheduler', (m) => extraMicros(m, 'mainMicros')],
  ['… CPU a check: PostgreSQL', (m) => extraMicros(m, 'databaseMicros')],
  [
    '… on the disk, a check',
    ({ upkeep }) => (upkeep ? bytes(grown(upkeep, 'rollUpBytes') / upkeep.checks) : NOT_MEASURED),
  ],
]

export function renderLosses(losses: Loss[]): string {
  return renderCells([
    [
      'One of four killed (SIGKILL): a minute',
      ...losses.map(({ monitors }) => `${count(monitors)} monitors`),
    ],
    ...LOSS_LINES.map(([name, cell]) => [name, ...losses.map(cell)]),
  ])
}

const LOSS_LINES: [name: string, cell: (loss: Loss) => string][] = [
  ['Until others had all it held', ({ heldSeconds }) => `${heldSeconds.toFixed(1)} s`],
  ['Checks due', ({ due }) => count(due)],
  ['… missed', ({ missed }) => count(missed)],
  ['… doubled', ({ doubled }) => count(doubled)],
  ['… begun more than 1 s late', ({ late }) => count(late)],
  ['… the latest', ({ latestSeconds }) => `${latestSeconds.toFixed(1)} s`],
  ['GET /monitors, p50 / p99', ({ answers }) => pair(answers.listMs)],
  ['Overview, p50 / p99', ({ answers }) => pair(answers.overviewMs)],
  ['Answers that failed', ({ answers }) => count(answers.failed)],
]

function ofACore(measured: Measured, cpuOf: CpuOf): string {
  const micros = spent(measured, cpuOf)
  return micros === null ? UNREAD : `${(micros / seconds(measured) / 10_000).toFixed(1)} % of a core`
}

/** The extra cost compared with an equally long time before the roll-up. */
function extraMicros(measured: Measured, part: 'mainMicros' | 'databaseMicros'): string {
  const { upkeep } = measured
  if (upkeep === null) return NOT_MEASURED
  const [usual, all] = [
    spent(measured, (reading) => reading[part]),
    spent(upkeep, (reading) => reading[part]),
  ]
  if (usual === null || all === null) return UNREAD
  const extra = all - (usual / seconds(measured)) * seconds(upkeep)
  return `${(extra / upkeep.checks).toFixed(2)} µs`
}

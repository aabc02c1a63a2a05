import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS, startOfHour } from '../../src/core/history/history-span.ts'
import { readProgress } from '../../src/store/history/history-progress.ts'
import type { Answers } from '../capacity/capacity-answers.ts'
import { type Reading, readFirst } from '../capacity/capacity-readings.ts'
import { startWorld, type World } from '../capacity/capacity-world.ts'
import { countTicks, type TickCounts } from '../capacity/tick-counts.ts'
import { INTERVAL_MS } from '../due-checks.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import { Scope } from '../support/scope.ts'
import { FAILING_SHARE } from './made-up-probes.ts'
import { renderSimulation } from './simulation-report.ts'
import { type Watched, watch } from './simulation-watch.ts'

const HAND_IN_PROBES = join(import.meta.dirname, 'hand-in-probes.ts')
/** The aftermath of starting (compiling, first checks, the collector) is over by then. */
const SETTLE_MS = 30_000
const ASK_EVERY_MS = 2_000
/** A check that is recorded later than this after its tick counts as missed; nobody hurries where all is late. */
const PATIENCE_MS = 10_000
const WARNING = /"level":"(?:warn|error|fatal)".*"msg":"((?:[^"\\]|\\.)*)"/g

/** The figures of one number of monitors. */
export type Simulated = {
  world: Pick<World, 'monitors' | 'seedSeconds' | 'heldSeconds' | 'checkedSeconds'>
  before: Reading
  after: Reading
  watched: Watched
  checks: TickCounts
  answers: Answers
  incidents: { opened: number; resolved: number }
  upkeep: { hours: number; rollUpRows: number; partitions: string[] }
  /** Warnings and errors of all processes, by how often they were logged. */
  warnings: Map<string, number>
}

/**
 * Many monitors with made-up results, and all the rest real: whether the database, the leader, the schedule, the threads
 * and the recorder keep up with them on this machine, and what is the limit where they do not.
 */
export async function benchSimulation(scope: Scope, options: Options): Promise<string> {
  const { sizes, postgres, failingPercent } = options.simulation
  const simulated: Simulated[] = []
  const report = () => renderSimulation(simulated, { postgres, failingPercent })
  for (const monitors of sizes) {
    // Each size has a database of its own, gone before the next one.
    const own = new Scope()
    scope.after(() => own.close())
    simulated.push(await simulate(own, monitors, options))
    if (options.out !== null) await writeFile(options.out, `${report()}\n`)
    progress('simulation: closing')
    await own.close()
  }
  if (simulated.some(({ checks }) => checks.missed + checks.doubled > 0)) process.exitCode = 1
  return report()
}

async function simulate(scope: Scope, monitors: number, { simulation }: Options): Promise<Simulated> {
  const name = `simulation of ${monitors.toLocaleString('en-US')}`
  const world = await startWorld(scope, {
    name,
    monitors,
    regions: simulation.regions,
    database: await startEmbeddedServer(scope, simulation.postgres),
    probe: {
      NODE_OPTIONS: `--import=${HAND_IN_PROBES}`,
      [FAILING_SHARE]: String(simulation.failingPercent / 100),
    },
    // The number in the URL decides the results; nothing is asked.
    startTargets: async () => ({ pid: null, urlOf: (number) => `http://127.0.0.2:9/${number}` }),
  })
  await delay(SETTLE_MS)
  const { main, probes } = world
  const [hoursBefore, partitionsBefore] = [await readHoursUntil(main), await readPartitions(main)]
  const before = await readFirst(world)
  const toMs = before.atMs + simulation.minutes * INTERVAL_MS
  const asking = world.dashboard(() => Date.now() > toMs, ASK_EVERY_MS)
  const watched = await watch(name, world, before.atMs, simulation.minutes)
  const answers = await asking
  await delay(PATIENCE_MS)
  progress(`${name}: counting checks`)
  const checks = await countTicks(main, before.atMs, toMs, PATIENCE_MS)
  const hours = Math.round(((await readHoursUntil(main)) - hoursBefore) / HOUR_MS)
  const { seedSeconds, heldSeconds, checkedSeconds } = world
  return {
    world: { monitors, seedSeconds, heldSeconds, checkedSeconds },
    before,
    after: (watched.minutes.at(-1) as Watched['minutes'][number]).reading,
    watched,
    checks,
    answers,
    incidents: await countIncidents(main, before.atMs),
    upkeep: {
      hours,
      rollUpRows: await countRollUps(main, hoursBefore),
      partitions: (await readPartitions(main)).filter((partition) => !partitionsBefore.includes(partition)),
    },
    warnings: warningsOf([main, ...probes].map((service) => service.output())),
  }
}

type Service = World['main']

/** Until when hours are rolled up, in milliseconds since 1970. */
async function readHoursUntil({ services }: Service): Promise<number> {
  const read = await readProgress(services.db.pool)
  return (read?.hoursUntil ?? startOfHour(new Date())).getTime()
}

async function countRollUps({ services }: Service, sinceMs: number): Promise<number> {
  const { rows } = await services.db.pool.query<{ count: number }>(
    'SELECT count(*)::float8 AS count FROM check_hours WHERE hour >= $1',
    [new Date(sinceMs)],
  )
  return rows[0]?.count ?? 0
}

async function readPartitions({ services }: Service): Promise<string[]> {
  const { rows } = await services.db.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relispartition AND c.relkind = 'r' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

async function countIncidents({ services }: Service, sinceMs: number): Promise<Simulated['incidents']> {
  const { rows } = await services.db.pool.query<Simulated['incidents']>(
    `SELECT count(*) FILTER (WHERE started_at >= $1)::int AS opened,
       count(*) FILTER (WHERE resolved_at >= $1)::int AS resolved FROM team_incidents WHERE kind = 'monitor'`,
    [new Date(sinceMs)],
  )
  return rows[0] as Simulated['incidents']
}

function warningsOf(outputs: string[]): Map<string, number> {
  const warnings = new Map<string, number>()
  for (const [, message = ''] of outputs.flatMap((output) => [...output.matchAll(WARNING)])) {
    warnings.set(message, (warnings.get(message) ?? 0) + 1)
  }
  return warnings
}

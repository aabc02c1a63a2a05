import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { INTERVAL_MS, PATIENCE_MS } from '../due-checks.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import { Scope } from '../support/scope.ts'
import type { Answers } from './capacity-answers.ts'
import { type Loss, loseProbe } from './capacity-loss.ts'
import { type Memory, type Reading, read, readFirst, readMemory } from './capacity-readings.ts'
import { renderLosses, renderSizes } from './capacity-report.ts'
import { rollUpOneHour, type Upkeep } from './capacity-upkeep.ts'
import { startWorld, type World } from './capacity-world.ts'
import { writePastHours } from './past-checks.ts'
import { countTicks, type TickCounts } from './tick-counts.ts'

/** The aftermath of starting (compiling, first checks, the collector) is over by then. */
const SETTLE_MS = 15_000
const ASKING_MS = 20_000

/** The resources that one number of monitors takes, after so many hours of checks. */
export type Measured = {
  world: Pick<World, 'monitors' | 'seedSeconds' | 'heldSeconds' | 'checkedSeconds'>
  hours: number
  before: Reading
  after: Reading
  memory: Memory
  checks: TickCounts
  answers: Answers
  /** Null where the same monitors are measured again after more hours, with their roll-up. */
  upkeep: Upkeep | null
}

/** The service at several sizes, each ten times the one before: what grows, by how much, and what is late or missed. */
export async function benchCapacity(scope: Scope, options: Options): Promise<string> {
  const { regions, capacity } = options
  const sizes: Measured[] = []
  const losses: Loss[] = []
  const report = () => [renderSizes(sizes, regions), renderLosses(losses)].join('\n\n')
  for (const [index, monitors] of options.sizes.entries()) {
    // Each size has a database of its own, gone before the next one.
    const own = new Scope()
    scope.after(() => own.close())
    const name = `capacity of ${monitors.toLocaleString('en-US')}`
    const database = await startEmbeddedServer(own, capacity.postgres)
    const world = await startWorld(own, { name, monitors, regions, database })
    const minutes = ofSize(capacity.minutes, index)
    const hours = ofSize(capacity.hours, index)
    const fresh = await measure(world, 0, minutes)
    sizes.push(fresh)
    if (hours === 0) fresh.upkeep = await rollUpOneHour(world, regions)
    else {
      const past = await writePastHours(world, regions, hours)
      const later = await measure(world, past.hours, minutes)
      sizes.push(later)
      later.upkeep = await rollUpOneHour(world, regions, past.newest)
    }
    losses.push(await loseProbe(world))
    progress(`${name}: closing`)
    await own.close()
    await save(options, report())
  }
  return report()
}

/** One value for each size; the last one also counts for the sizes after it. */
function ofSize(values: number[], index: number): number {
  return values[index] ?? (values.at(-1) as number)
}

async function measure(world: World, hours: number, minutes: number): Promise<Measured> {
  await delay(SETTLE_MS)
  const before = await readFirst(world)
  await watch(world, before.atMs, minutes)
  const after = await read(world)
  const memory = readMemory(world)
  await delay(PATIENCE_MS)
  progress('capacity: counting checks')
  const checks = await countTicks(world.main, before.atMs, after.atMs)
  progress('capacity: asking for pages')
  const untilMs = Date.now() + ASKING_MS
  const answers = await world.dashboard(() => Date.now() > untilMs)
  const { monitors, seedSeconds, heldSeconds, checkedSeconds } = world
  return {
    world: { monitors, seedSeconds, heldSeconds, checkedSeconds },
    hours,
    before,
    after,
    memory,
    checks,
    answers,
    upkeep: null,
  }
}

async function watch({ monitors }: World, fromMs: number, minutes: number): Promise<void> {
  for (let minute = 1; minute <= minutes; minute++) {
    progress(`capacity of ${monitors.toLocaleString('en-US')}: minute ${minute} of ${minutes}`)
    await delay(Math.max(0, fromMs + minute * INTERVAL_MS - Date.now()))
  }
}

/** Saved at once: an hour is not lost with the process. */
async function save({ out }: Options, text: string): Promise<void> {
  if (out !== null) await writeFile(out, `${text}\n`)
}

import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type DueChecks, INTERVAL_MS, PATIENCE_MS, readDueChecks } from '../due-checks.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import { Scope } from '../support/scope.ts'
import type { Answers } from './capacity-answers.ts'
import { type Loss, loseProbe } from './capacity-loss.ts'
import { type Memory, type Reading, read, readFirst, readMemory } from './capacity-readings.ts'
import { renderLoss, renderSizes } from './capacity-report.ts'
import { rollUpOneHour, type Upkeep } from './capacity-upkeep.ts'
import { startWorld, type World } from './capacity-world.ts'

/** The aftermath of starting (compiling, first checks, the collector) is over by then. */
const SETTLE_MS = 15_000
const ASKING_MS = 20_000

/** The resources that one number of monitors takes. */
export type Measured = {
  world: Pick<World, 'monitors' | 'seedSeconds' | 'heldSeconds' | 'checkedSeconds'>
  before: Reading
  after: Reading
  memory: Memory
  checks: DueChecks
  answers: Answers
  upkeep: Upkeep
}

/** The service at several sizes, each ten times the one before: what grows, by how much, and what is late or missed. */
export async function benchCapacity(scope: Scope, options: Options): Promise<string> {
  const sizes: Measured[] = []
  let loss: Loss | null = null
  for (const monitors of options.sizes) {
    // Each size has a database of its own, gone before the next one.
    const own = new Scope()
    scope.after(() => own.close())
    const world = await startWorld(own, monitors, options.regions)
    sizes.push(await measure(world, options))
    if (monitors === options.sizes.at(-1)) loss = await loseProbe(world)
    progress(`capacity of ${monitors}: closing`)
    await own.close()
    await save(options, report(sizes, loss, options))
  }
  return report(sizes, loss, options)
}

async function measure(world: World, options: Options): Promise<Measured> {
  await delay(SETTLE_MS)
  const before = await readFirst(world)
  await watch(world, before.atMs, options)
  const after = await read(world)
  const memory = readMemory(world)
  await delay(PATIENCE_MS)
  progress('capacity: counting checks')
  const checks = await readDueChecks(world.main, before.atMs, after.atMs)
  progress('capacity: asking for pages')
  const untilMs = Date.now() + ASKING_MS
  const answers = await world.dashboard(() => Date.now() > untilMs)
  const upkeep = await rollUpOneHour(world, options.regions)
  const { monitors, seedSeconds, heldSeconds, checkedSeconds } = world
  return {
    world: { monitors, seedSeconds, heldSeconds, checkedSeconds },
    before,
    after,
    memory,
    checks,
    answers,
    upkeep,
  }
}

async function watch({ monitors }: World, fromMs: number, { minutes }: Options): Promise<void> {
  for (let minute = 1; minute <= minutes; minute++) {
    progress(`capacity of ${monitors.toLocaleString('en-US')}: minute ${minute} of ${minutes}`)
    await delay(Math.max(0, fromMs + minute * INTERVAL_MS - Date.now()))
  }
}

function report(sizes: Measured[], loss: Loss | null, { regions }: Options): string {
  return [renderSizes(sizes, regions), ...(loss ? [renderLoss(loss)] : [])].join('\n\n')
}

/** So that an hour is not lost with the process. */
async function save({ out }: Options, text: string): Promise<void> {
  if (out !== null) await writeFile(out, `${text}\n`)
}

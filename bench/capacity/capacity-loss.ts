import { setTimeout as delay } from 'node:timers/promises'
import { INTERVAL_MS, PATIENCE_MS } from '../due-checks.ts'
import { progress } from '../support/progress.ts'
import type { Answers } from './capacity-answers.ts'
import { isHeld, PROBES, secondsSince, untilTrue, type World } from './capacity-world.ts'
import { countTicks } from './tick-counts.ts'

/** The cost of the sudden end of one of the probers. */
export type Loss = {
  monitors: number
  /** Until the others had all of its slots, or all of its turns. */
  heldSeconds: number
  due: number
  missed: number
  doubled: number
  /** Checks that began more than a second after their tick, and by how much at most. */
  late: number
  latestSeconds: number
  answers: Answers
}

const LATE_MS = 1_000

/** Kills one of them, and counts for an interval from that moment on. */
export async function loseProbe(world: World): Promise<Loss> {
  const { main, probes } = world
  const lost = probes.pop()
  if (!lost) throw new Error('nobody checks')
  const left = [...new Set(probes.map(({ env }) => env.REGION ?? ''))]
  let over = false
  const asking = world.dashboard(() => over)
  progress('capacity: killing one process of four')
  const killedMs = Date.now()
  const killedAt = performance.now()
  await lost.signal('SIGKILL')
  await untilTrue('capacity: waiting until others have what it held', () => isHeld(main, left, PROBES - 1))
  const heldSeconds = secondsSince(killedAt)
  progress('capacity: a minute without it')
  await delay(Math.max(0, killedMs + INTERVAL_MS + PATIENCE_MS - Date.now()))
  over = true
  const answers = await asking
  const counts = await countTicks(main, killedMs, killedMs + INTERVAL_MS)
  const { due, missed, doubled } = counts
  const latestSeconds = (counts.lateness?.maxMs ?? 0) / 1_000
  const late = counts.laterThan(LATE_MS)
  return { monitors: world.monitors, heldSeconds, due, missed, doubled, late, latestSeconds, answers }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Outage } from './logs.ts'

/** How long a target is well and how long it fails: at least and at most. */
export type Weather = { wellMs: readonly [number, number]; failingMs: readonly [number, number] }

/** Targets that fail and recover by chance, each by its number. */
export type Storms = {
  outages: Outage[]
  isFailing(number: number): boolean
  begin(numbers: number[], random: () => number): void
  /** All are well from now on. */
  calm(): Promise<void>
  /** One fails from now on; what it returns ends that. */
  fail(number: number): () => void
}

/** A failure lasts as much longer as it takes to be noticed. */
export function createStorms(
  weather: Weather,
  kind: Pick<Outage, 'condition' | 'noticedAfterMs'> = {},
): Storms {
  const failing = new Set<number>()
  const outages: Outage[] = []
  const stop = new AbortController()
  let storms: Promise<void>[] = []

  function fail(monitor: number) {
    const outage: Outage = { ...kind, monitor, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY }
    outages.push(outage)
    failing.add(monitor)
    return () => {
      failing.delete(monitor)
      outage.toMs = Date.now()
    }
  }

  async function failAndRecover(number: number, random: () => number) {
    const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
    const wait = (ms: number) => delay(ms, undefined, { signal: stop.signal }).catch(() => {})
    while (!stop.signal.aborted) {
      await wait(between(weather.wellMs))
      if (stop.signal.aborted) break
      const recover = fail(number)
      await wait(between(weather.failingMs) + (kind.noticedAfterMs ?? 0))
      recover()
    }
  }

  return {
    outages,
    fail,
    isFailing: (number) => failing.has(number),
    begin(numbers, random) {
      storms = numbers.map((number) => failAndRecover(number, random))
    },
    async calm() {
      stop.abort()
      await Promise.all(storms)
    },
  }
}

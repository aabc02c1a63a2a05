import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../support/scope.ts'
import { ask } from '../support/services/http.ts'
import type { Outage, Ping } from './logs.ts'
import type { Weather } from './weather.ts'

/** The service learns of a silence while a run lasts; a job may call 60 times a minute. */
export const JOB_INTERVAL_SECONDS = 6
const PING_EVERY_MS = 1_200

/** Jobs that fall silent or report failures by chance, and write down what they told the service. */
export type Jobs = {
  pings: Ping[]
  outages: Outage[]
  begin(addresses: Map<number, string>, random: () => number): void
  /** All are well from now on. */
  calm(): void
}

type Mood = 'well' | 'silent' | 'failing'

export function startJobs(scope: Scope, weather: Weather): Jobs {
  const stop = new AbortController()
  const running: Promise<void>[] = []
  let isCalm = false
  const jobs: Jobs = { pings: [], outages: [], begin, calm: () => (isCalm = true) }
  scope.after(async () => {
    stop.abort()
    await Promise.all(running)
  })

  async function ping(monitor: number, address: string, isFailure: boolean): Promise<boolean> {
    const sentMs = Date.now()
    const url = isFailure ? `${address}/fail` : address
    const isTaken = await ask(url, { method: 'POST' }).then(
      ({ status }) => status === 204,
      () => false,
    )
    jobs.pings.push({ monitor, sentMs, doneMs: Date.now(), isFailure, isTaken })
    return isTaken
  }

  async function work(monitor: number, address: string, random: () => number) {
    const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
    let mood: Mood = 'well'
    let untilMs = Date.now() + between(weather.wellMs)
    let outage: Outage | null = null
    while (!stop.signal.aborted) {
      if (Date.now() >= untilMs || (isCalm && mood !== 'well')) {
        mood = mood !== 'well' || isCalm ? 'well' : random() < 0.5 ? 'silent' : 'failing'
        // A silence is none before the interval of the job is over.
        const failingMs = JOB_INTERVAL_SECONDS * 1_000 + between(weather.failingMs)
        untilMs = Date.now() + (mood === 'well' ? between(weather.wellMs) : failingMs)
        if (mood !== 'well' && !outage) {
          const noticedAfterMs = JOB_INTERVAL_SECONDS * 1_000
          outage = { monitor, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY, noticedAfterMs }
          jobs.outages.push(outage)
        }
      }
      if (outage && mood === 'well') outage.mayEndMs ??= Date.now()
      const isTaken = mood !== 'silent' && (await ping(monitor, address, mood === 'failing'))
      // The service knows of its end once a ping has arrived.
      if (outage && mood === 'well' && isTaken) {
        outage.toMs = Date.now()
        outage = null
      }
      await delay(PING_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  function begin(addresses: Map<number, string>, random: () => number) {
    for (const [monitor, address] of addresses) running.push(work(monitor, address, random))
  }

  return jobs
}

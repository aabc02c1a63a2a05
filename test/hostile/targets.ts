import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../support/scope.ts'
import { listen } from '../support/servers/receivers.ts'
import type { Answer, Outage } from './logs.ts'

/** How long a target is well and how long it fails: at least and at most. */
export type Weather = { wellMs: readonly [number, number]; failingMs: readonly [number, number] }

/** Pages that fail and recover by chance, and write down what they answered to whom. */
export type Targets = {
  port: number
  /** Every answer and every outage so far; `monitor` is the number in the page's path. */
  answers: Answer[]
  outages: Outage[]
  /** Begins to fail and recover, as the seed has it. */
  begin(monitors: number[], random: () => number): void
  /** All are well from now on. */
  calm(): Promise<void>
}

export async function startTargets(scope: Scope, weather: Weather): Promise<Targets> {
  const failing = new Map<number, Outage>()
  const stop = new AbortController()
  let storms: Promise<void>[] = []
  const targets: Targets = { port: 0, answers: [], outages: [], begin, calm }

  async function fail(monitor: number, random: () => number) {
    const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
    const wait = (ms: number) => delay(ms, undefined, { signal: stop.signal }).catch(() => {})
    while (!stop.signal.aborted) {
      await wait(between(weather.wellMs))
      if (stop.signal.aborted) break
      const outage = { monitor, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY }
      targets.outages.push(outage)
      failing.set(monitor, outage)
      await wait(between(weather.failingMs))
      failing.delete(monitor)
      outage.toMs = Date.now()
    }
  }

  function begin(monitors: number[], random: () => number) {
    storms = monitors.map((monitor) => fail(monitor, random))
  }

  async function calm() {
    stop.abort()
    await Promise.all(storms)
  }

  const server = http.createServer((request, response) => {
    const monitor = Number((request.url ?? '').slice(1))
    const status = failing.has(monitor) ? 'down' : 'up'
    targets.answers.push({ monitor, atMs: Date.now(), status })
    response.writeHead(status === 'down' ? 503 : 200, { connection: 'close' }).end()
  })
  targets.port = await listen(server, '0.0.0.0')
  scope.after(async () => {
    await calm()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return targets
}

import http from 'node:http'
import type { Scope } from '../support/scope.ts'
import { listen } from '../support/servers/receivers.ts'
import type { Answer, Outage } from './logs.ts'
import { createStorms, type Weather } from './weather.ts'

const OWN_PATH = '/own'

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
  /** Resolves when they have answered a question of the run's own, as they answer to checks. */
  ask(): Promise<unknown>
}

export async function startTargets(scope: Scope, weather: Weather): Promise<Targets> {
  const storms = createStorms(weather)
  const answers: Answer[] = []
  const server = http.createServer((request, response) => {
    if (request.url === OWN_PATH) {
      response.writeHead(204, { connection: 'close' }).end()
      return
    }
    const monitor = Number((request.url ?? '').slice(1))
    const status = storms.isFailing(monitor) ? 'down' : 'up'
    answers.push({ monitor, atMs: Date.now(), status })
    response.writeHead(status === 'down' ? 503 : 200, { connection: 'close' }).end()
  })
  const port = await listen(server, '0.0.0.0')
  scope.after(async () => {
    await storms.calm()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { outages, begin, calm } = storms
  const ask = () => fetch(`http://127.0.0.1:${port}${OWN_PATH}`)
  return { port, answers, outages, begin, calm, ask }
}

import { Agent } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { AskedService } from '../support/services/asked-service.ts'
import { until } from '../support/until.ts'
import { exchange, type Outcome } from './exchange.ts'
import { type Living, livingRequests, type World } from './living.ts'
import { pick, randomFrom } from './mutate.ts'
import { mutated } from './mutate-request.ts'
import { appOf, unreached } from './routes.ts'

/** After so many requests another team is made: lists would grow, and what the requests break stays broken. */
const REQUESTS_PER_WORLD = 20_000
/** A team is left sooner when so many of its records cannot be made anew: a request may have deleted its owner. */
const MAX_LOST = 20
const AT_ONCE = 16
const DOCUMENTS_ONE_IN = 10
const MAX_TOLD = 50
/** Answers to a request as it was made that say: what it is about is gone, used up or out of reach. */
const USED_UP = [400, 401, 403, 404, 409, 422]

export type FuzzOrders = { requests: number; seed: number; note: (text: string) => void }

/** How many answers had each status. */
export type Statuses = Map<number, number>

export type FuzzReport = {
  /** To all requests, and to those that were sent as they were made. */
  statuses: Statuses
  plain: Statuses
  /** Answers of a service that was busy. Each request was sent again alone, until it got another answer. */
  busy: number
  /** Other answers from 500 on, requests that got none and routes that were not asked for, with what was sent. */
  troubles: string[]
  /** The names of requests that the service never took as they were made. */
  neverTaken: string[]
  slowestMs: number
  /** Bytes in use after a collection, after each world. */
  memory: { heap: number; outside: number; resident: number }[]
}

/** Sends requests like those that the service takes, with parts of them changed; `collect` is `gc`. */
export async function runFuzz(
  service: AskedService,
  { requests, seed, note }: FuzzOrders,
  collect: () => void,
): Promise<FuzzReport> {
  const random = randomFrom(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const app = await appOf(service)
  const [taken, refused] = [new Set<string>(), new Set<string>()]
  const report: FuzzReport = {
    ...{
      statuses: new Map(),
      plain: new Map(),
      troubles: [],
      neverTaken: [],
      slowestMs: 0,
      memory: [],
      busy: 0,
    },
  }
  let lost = 0
  const tell = (trouble: string) => {
    if (report.troubles.length < MAX_TOLD) report.troubles.push(trouble)
  }
  for (let sent = 0; sent < requests; ) {
    const world = await livingRequests(service, app)
    const last = Math.min(requests, sent + REQUESTS_PER_WORLD)
    for (const { method, path } of unreached(app, [...world.acts, ...world.documents]))
      tell(`no request reaches ${method} ${path}`)
    lost = 0
    const busy: Living[] = []
    const lane = async () => {
      while (sent < last && lost < MAX_LOST) {
        sent++
        await sendOneOf(world, busy)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    for (const request of busy) if (!(await isTakenUp(request))) break
    await forget(service)
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    report.memory.push({ heap: heapUsed, outside: external, resident: rss })
    const [heap, outside, resident] = [heapUsed, external, rss].map((bytes) => Math.round(bytes / 1e6))
    note(
      `${sent} of ${requests}, ${report.troubles.length} troubles, heap ${heap} MB, outside ${outside} MB, resident ${resident} MB`,
    )
  }
  agent.destroy()
  report.neverTaken = [...refused.difference(taken)].sort()
  return report

  /** Asks alone, since a fault that looks like a busy service stays when there is nothing else to do. */
  async function isTakenUp(request: Living): Promise<boolean> {
    const outcome = await until('an answer of a service that has nothing else to do', async () => {
      const { status, isBusy } = await exchange(service.url, agent, request)
      return isBusy ? null : { status }
    }).catch((error: Error) => error)
    judge(outcome, request)
    return !(outcome instanceof Error)
  }

  function judge(outcome: Pick<Outcome, 'status'> | Error, request: Living): void {
    if (outcome instanceof Error) tell(`${outcome.message}: ${shown(request)}`)
    else if (outcome.status >= 500) tell(`${outcome.status}: ${shown(request)}`)
  }

  async function sendOneOf({ acts, documents }: World, busy: Living[]): Promise<void> {
    const one = pick(random(DOCUMENTS_ONE_IN) === 0 ? documents : acts, random)
    const request = mutated(one.living, random)
    const isPlain = request === one.living
    const began = performance.now()
    const outcome = await exchange(service.url, agent, request).catch((error: Error) => error)
    report.slowestMs = Math.max(report.slowestMs, performance.now() - began)
    if (outcome instanceof Error) return judge(outcome, request)
    const { status, isBusy } = outcome
    count(report.statuses, status)
    if (isBusy) {
      report.busy++
      busy.push(request)
      return
    }
    judge(outcome, request)
    if (!isPlain) return
    count(report.plain, status)
    ;(status < 400 ? taken : refused).add(request.name)
    if (!USED_UP.includes(status)) return
    try {
      one.living = await one.renew()
    } catch {
      lost++
    }
  }
}

function count(statuses: Statuses, status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

function shown({ name, method, path, headers, body, bytes }: Living): string {
  const sent = bytes ? Buffer.from(bytes).toString() : (JSON.stringify(body) ?? '')
  return `${name}: ${method} ${path} ${JSON.stringify(headers)} ${sent.slice(0, 2_000)}`
}

/** Deletes the rest of the teams and accounts, as an operator would. */
async function forget({ services }: AskedService): Promise<void> {
  await services.db.pool.query('DELETE FROM teams')
  await services.db.pool.query('DELETE FROM users')
}

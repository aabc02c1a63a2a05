import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type Living, livingRequests } from './living.ts'
import { mutateBody, mutateText, pick, type Random, randomFrom } from './mutate.ts'

/** After so many requests another team is made: most of what the last one had is deleted by then. */
const REQUESTS_PER_WORLD = 5_000
const AT_ONCE = 16
const MAX_TOLD = 50
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
const ODD_HEADERS: readonly Record<string, string>[] = [
  ...[{ 'content-type': 'text/plain' }, { 'content-type': 'application/json; charset=utf-7' }],
  ...[{ 'content-encoding': 'gzip' }, { accept: 'image/png' }, { origin: 'https://elsewhere.example' }],
  ...[{ host: 'elsewhere.example' }, { authorization: 'Bearer x' }, { authorization: 'Basic Og==' }],
  ...[
    { cookie: 'a=%ff; =; ;;' },
    { 'if-none-match': '*' },
    { range: 'bytes=0-' },
    { 'accept-language': '*;q=9' },
  ],
  ...[{ 'x-forwarded-proto': 'gopher' }, { 'x-forwarded-for': 'unknown, "[::1]:1"' }, { expect: 'x' }],
]

export type FuzzOrders = { requests: number; seed: number; note: (text: string) => void }

export type FuzzReport = {
  /** How many answers had each status. */
  statuses: Map<number, number>
  /** Answers from 500 on, and requests that got none, with what was sent. */
  troubles: string[]
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
  const report: FuzzReport = { statuses: new Map(), troubles: [], slowestMs: 0, memory: [] }
  for (let sent = 0; sent < requests; ) {
    const living = await livingRequests(service)
    const until = Math.min(requests, sent + REQUESTS_PER_WORLD)
    const lane = async () => {
      while (sent < until) {
        sent++
        await sendOne(service.url, agent, mutated(pick(living, random), random), report)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    await forget(service)
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    report.memory.push({ heap: heapUsed, outside: external, resident: rss })
    note(`${sent} of ${requests}, ${report.troubles.length} troubles, ${Math.round(heapUsed / 1e6)} MB`)
  }
  agent.destroy()
  return report
}

/** Most requests have one part changed, so that what comes after the first refusal is reached as well. */
function mutated(living: Living, random: Random): Living {
  const part = random(10)
  const changed = { ...living, headers: { ...living.headers } }
  if (part < 5 && living.bytes)
    changed.bytes = Buffer.from(mutateText(Buffer.from(living.bytes).toString('latin1'), random), 'latin1')
  else if (part < 5 && living.body !== undefined) changed.bytes = Buffer.from(mutateBody(living.body, random))
  else if (part < 7) changed.path = mutatedPath(living.path, random)
  else if (part === 7) Object.assign(changed.headers, pick(ODD_HEADERS, random))
  else if (part === 8 && random(4) === 0) changed.method = pick(METHODS, random)
  return changed
}

/** Only what a line of HTTP may hold is sent. */
function mutatedPath(path: string, random: Random): string {
  const text =
    random(3) > 0
      ? mutateText(path, random)
      : path.replace(/\d+/, String(pick([0, -1, 1, 2 ** 31, 1e21, '1e3'], random)))
  return `/${encodeURI(text.toWellFormed()).replace(/^\/+/, '').replaceAll(' ', '%20')}`
}

async function sendOne(base: string, agent: Agent, sent: Living, report: FuzzReport): Promise<void> {
  const began = performance.now()
  const outcome = await exchange(base, agent, sent).catch((error: Error) => error)
  report.slowestMs = Math.max(report.slowestMs, performance.now() - began)
  const tell = (what: string) => {
    const shown = sent.bytes ? Buffer.from(sent.bytes).toString() : JSON.stringify(sent.body)
    if (report.troubles.length < MAX_TOLD)
      report.troubles.push(
        `${what}: ${sent.name}: ${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${String(shown).slice(0, 2_000)}`,
      )
  }
  if (outcome instanceof Error) return tell(outcome.message)
  report.statuses.set(outcome, (report.statuses.get(outcome) ?? 0) + 1)
  if (outcome >= 500) tell(String(outcome))
}

function exchange(
  base: string,
  agent: Agent,
  { method, path, headers, body, bytes }: Living,
): Promise<number> {
  const { port } = new URL(base)
  const payload = bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
  const isNamed = Object.keys(headers).some((name) => name === 'content-type')
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port, method, path, agent, timeout: HANG_GUARD_MS },
        headers: {
          'x-forwarded-for': addressOf(),
          ...(payload && !isNamed && { 'content-type': 'application/json' }),
          ...(payload && { 'content-length': payload.length }),
          ...headers,
        },
      },
      (answer) => {
        // A stream of events has no end.
        if (answer.headers['content-type']?.startsWith('text/event-stream') && method === 'GET') {
          answer.destroy()
          return resolve(answer.statusCode ?? 0)
        }
        answer
          .on('error', reject)
          .on('end', () => resolve(answer.statusCode ?? 0))
          .resume()
      },
    )
    asked.on('error', reject).on('timeout', () => asked.destroy(new Error('no answer')))
    asked.end(payload)
  })
}

let clients = 0

/** Another client each time: limits by address are none of this. */
function addressOf(): string {
  clients++
  return `198.${18 + ((clients >> 16) & 1)}.${(clients >> 8) & 255}.${clients & 255}`
}

/** What is left of the teams goes, as an operator would delete them. */
async function forget({ services }: AskedService): Promise<void> {
  await services.db.pool.query('DELETE FROM teams')
  await services.db.pool.query('DELETE FROM users')
}

import { setTimeout as delay } from 'node:timers/promises'
import { contract, type PublicOperationId } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import { isThisMachine } from '../../core/this-machine.ts'
import { API_PATH } from '../../operations/services.ts'
import { type Answer, type Client, NoAnswer, pathOf, type Question } from './client.ts'
import { type Pace, paceOf } from './pace.ts'

const REQUEST_TIMEOUT_MS = 30_000
/** After so many failures in a row a request is given up. */
const TRIES = 4
const FIRST_RETRY_MS = 500
/** So often a request waits for the rate limit, whose window is a minute. */
const RATE_LIMIT_WAITS = 10
const MAX_RATE_LIMIT_WAIT_S = 120
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** What proxies say while a service starts, and a service while its database does. */
const UNAVAILABLE = new Set([502, 503, 504])

/** Where a service is, and the token to ask it with. */
export type Connection = {
  /** Its public address without a slash at the end. */
  url: string
  token: string
  /** Whether the token may go over plain HTTP. */
  insecure: boolean
}

export class BadAddress extends Error {}

/** The address of a service as people give it: a slash or the API's own path at its end does no harm. */
export function readAddress(text: string, insecure: boolean): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new BadAddress(`${JSON.stringify(text)} is no address such as https://status.example.com`)
  }
  if (url.protocol === 'http:' && !insecure && !isThisMachine(url.hostname)) {
    throw new BadAddress(
      `${text} would send the token in the clear: use https, or allow it with --insecure in a network you trust`,
    )
  }
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  return address.endsWith(API_PATH) ? address.slice(0, -API_PATH.length) : address
}

/**
 * Asks over HTTP. Waits where the rate limit says so, and asks again after trouble with the connection what may be
 * asked twice; `report` is told of both. Throws a BadAddress.
 */
export function httpClient(connection: Connection, report: (line: string) => void): Client {
  const address = readAddress(connection.url, connection.insecure)
  let pace: Pace | null = null

  async function ask(id: PublicOperationId, question: Question = {}): Promise<Answer> {
    const { method }: Operation = contract[id]
    let waits = 0
    for (let tries = 1; ; tries++) {
      const answer = await send(id, question).catch((error: unknown) => {
        question.signal?.throwIfAborted()
        if (tries < TRIES && mayRepeat(method, error)) return error as NoAnswer
        throw error
      })
      const trouble = troubleOf(answer, method, address)
      if (tries < TRIES && trouble !== null) {
        const waitMs = FIRST_RETRY_MS * 2 ** (tries - 1)
        report(`${trouble}; trying again in ${waitMs / 1_000} s`)
        await delay(waitMs, undefined, { signal: question.signal })
        continue
      }
      if (answer instanceof NoAnswer) throw answer
      // What was removed by a request whose answer was lost is removed.
      if (answer.status === 404 && method === 'DELETE' && tries > 1) return { ...answer, status: 204 }
      if (answer.status !== 429 || ++waits > RATE_LIMIT_WAITS) return answer
      const seconds = retryAfter(answer)
      report(`the rate limit is used up; going on in ${seconds} s`)
      await delay(seconds * 1_000, undefined, { signal: question.signal })
      tries = 0
    }
  }

  async function send(id: PublicOperationId, question: Question): Promise<Answer> {
    const { method }: Operation = contract[id]
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const signal = question.signal ? AbortSignal.any([question.signal, timeout]) : timeout
    const url = `${address}${API_PATH}${pathOf(id, question)}`
    try {
      const response = await fetch(url, {
        method,
        signal,
        // The token is for this address alone.
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${connection.token}`,
          ...(question.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(question.body !== undefined && { body: JSON.stringify(question.body) }),
      })
      const headers = Object.fromEntries(response.headers)
      pace = paceOf(headers) ?? pace
      const body = await readBody(response, address)
      // Without an id of a record, what is not found is the API itself.
      if (response.status === 404 && !question.params) throw notTheApi(address, 404)
      return { status: response.status, headers, body }
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      const late = timeout.aborted ? `no answer within ${REQUEST_TIMEOUT_MS / 1_000} s` : messageOf(error)
      throw new NoAnswer(`${address} cannot be reached: ${late}`, { cause: error })
    }
  }

  return { place: address, ask, pace: () => pace }
}

/** What a second try may mend. */
function troubleOf(answer: Answer | NoAnswer, method: Operation['method'], address: string): string | null {
  if (answer instanceof NoAnswer) return answer.message
  const isPassing = UNAVAILABLE.has(answer.status) && method !== 'POST'
  return isPassing ? `${address} is unavailable (HTTP ${answer.status})` : null
}

/** A request that changes something is repeated only where it says what shall be, or was never received. */
function mayRepeat(method: Operation['method'], error: unknown): boolean {
  if (!(error instanceof NoAnswer)) return false
  return method !== 'POST' || codeOf(error.cause) === 'ECONNREFUSED'
}

function retryAfter({ headers }: Answer): number {
  const seconds = Number(headers['retry-after'])
  return seconds >= 1 ? Math.min(Math.ceil(seconds), MAX_RATE_LIMIT_WAIT_S) : 1
}

async function readBody(response: Response, address: string): Promise<unknown> {
  const { status } = response
  if (status >= 300 && status < 400) {
    await response.body?.cancel()
    const location = response.headers.get('location') ?? 'another address'
    throw new NoAnswer(`${address} redirects to ${location}: log in with the address that it leads to`)
  }
  const text = await readText(response)
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw notTheApi(address, status)
  }
}

function notTheApi(address: string, status: number): NoAnswer {
  return new NoAnswer(`${address} does not answer as the API does (HTTP ${status}): is the address right?`)
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) throw new NoAnswer('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function messageOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const code = codeOf(error)
  return (
    (cause instanceof Error && cause.message) || code || (error instanceof Error ? error.message : 'unknown')
  )
}

function codeOf(error: unknown): string | undefined {
  const { cause, code } = (error ?? {}) as { cause?: { code?: string }; code?: string }
  return cause?.code ?? code
}

import { setTimeout as delay } from 'node:timers/promises'
import { contract, type PublicOperationId } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import { isThisMachine } from '../../core/this-machine.ts'
import { API_PATH } from '../../operations/services.ts'
import { type ApiAnswer, type Client, NoAnswer, pathOf, type Question } from './client.ts'
import { type Pace, paceOf } from './pace.ts'

const REQUEST_TIMEOUT_MS = 30_000
/** How many times a request is tried in all. */
const MAX_TRIES = 4
const FIRST_RETRY_MS = 500
/** How often a request waits for the rate limit, whose window is a minute. */
const MAX_RATE_LIMIT_WAITS = 10
const MAX_RATE_LIMIT_WAIT_S = 120
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** Statuses of a proxy while a service starts, and of a service while its database does. */
const UNAVAILABLE = new Set([502, 503, 504])

/** The service's address and the token for it. */
export type ApiConnection = {
  /** The public address without a trailing slash. */
  url: string
  token: string
  /** Whether the token may be sent over plain HTTP. */
  insecure: boolean
}

export class BadAddress extends Error {}

/** Normalizes the address of a service: a trailing slash or the API's own path is fine. */
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
 * Sends requests over HTTP. Waits for the rate limit, and after connection failures retries requests that are safe to
 * repeat; `report` gets a line for both. Throws a BadAddress.
 */
export function httpClient(connection: ApiConnection, report: (line: string) => void): Client {
  const address = readAddress(connection.url, connection.insecure)
  let pace: Pace | null = null

  async function ask(id: PublicOperationId, question: Question = {}): Promise<ApiAnswer> {
    const { method }: Operation = contract[id]
    let waits = 0
    for (let tries = 1; ; tries++) {
      const answer = await send(id, question).catch((error: unknown) => {
        question.signal?.throwIfAborted()
        if (tries < MAX_TRIES && mayRepeat(method, error)) return error as NoAnswer
        throw error
      })
      const trouble = troubleOf(answer, method, address)
      if (tries < MAX_TRIES && trouble !== null) {
        const waitMs = FIRST_RETRY_MS * 2 ** (tries - 1)
        report(`${trouble}; trying again in ${waitMs / 1_000} s`)
        await delay(waitMs, undefined, { signal: question.signal })
        continue
      }
      if (answer instanceof NoAnswer) throw answer
      // An earlier try deleted the record, but its answer was lost.
      if (answer.status === 404 && method === 'DELETE' && tries > 1) return { ...answer, status: 204 }
      if (answer.status !== 429 || ++waits > MAX_RATE_LIMIT_WAITS) return answer
      const seconds = retryAfter(answer)
      // A bound of an hour or a day is the answer: nobody waits for it at a terminal.
      if (seconds > MAX_RATE_LIMIT_WAIT_S) return answer
      report(`the rate limit is used up; going on in ${seconds} s`)
      await delay(seconds * 1_000, undefined, { signal: question.signal })
      tries = 0
    }
  }

  async function send(id: PublicOperationId, question: Question): Promise<ApiAnswer> {
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
      // If no record's id was sent, it is the API itself that was not found.
      if (response.status === 404 && !question.params) throw notTheApi(address, 404)
      return { status: response.status, headers, body }
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      const late = timeout.aborted ? `no answer within ${REQUEST_TIMEOUT_MS / 1_000} s` : messageOf(error)
      throw new NoAnswer(`${address} cannot be reached: ${late}`, { cause: error })
    }
  }

  return { place: address, ask, pace: () => pace, internal: null }
}

/** Failures that another try may fix. */
function troubleOf(
  answer: ApiAnswer | NoAnswer,
  method: Operation['method'],
  address: string,
): string | null {
  if (answer instanceof NoAnswer) return answer.message
  const isPassing = UNAVAILABLE.has(answer.status) && method !== 'POST'
  return isPassing ? `${address} is unavailable (HTTP ${answer.status})` : null
}

/** A request that changes something is repeated only if it is idempotent or was never received. */
function mayRepeat(method: Operation['method'], error: unknown): boolean {
  if (!(error instanceof NoAnswer)) return false
  return method !== 'POST' || codeOf(error.cause) === 'ECONNREFUSED'
}

function retryAfter({ headers }: ApiAnswer): number {
  const seconds = Number(headers['retry-after'])
  return seconds >= 1 ? Math.ceil(seconds) : 1
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

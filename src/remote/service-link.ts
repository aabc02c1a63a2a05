import { setTimeout as delay } from 'node:timers/promises'
import {
  PROBE_PATH,
  type ProbeInput,
  type ProbeOutput,
  type ProbeQuestion,
  probeContract,
} from '../contract/remote-probes.ts'
import { ProbeRefusal, ProbeRefusalBody } from '../core/probing/remote-probe.ts'

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 5_000

/** The service was not reached, or something else answered in its place. */
export class Unreachable extends Error {}

/** Asks the service; throws a ProbeRefusal or Unreachable. */
export type Ask = <Q extends ProbeQuestion>(
  question: Q,
  input: ProbeInput<Q>,
  timeoutMs?: number,
) => Promise<ProbeOutput<Q>>

export type ServiceLink = {
  ask: Ask
  /** The last question was answered, even if by a refusal. */
  readonly reachable: boolean
}

/**
 * Sends requests to the service; calls `onChange` with the reason when it is out of reach, and with null when it is
 * back.
 */
export function createServiceLink(
  service: { url: string; token: string },
  onChange: (why: string | null) => void,
): ServiceLink {
  let reachable = true

  function note(isReached: boolean, why: string | null) {
    if (reachable === isReached) return
    reachable = isReached
    onChange(why)
  }

  const ask: Ask = async (question, input, timeoutMs = TIMEOUT_MS) => {
    try {
      const answer = await post(service, question, input, timeoutMs)
      note(true, null)
      return answer
    } catch (error) {
      if (error instanceof ProbeRefusal) note(true, null)
      else note(false, (error as Error).message)
      throw error
    }
  }
  return {
    ask,
    get reachable() {
      return reachable
    },
  }
}

/** The answer; while the service is out of reach, the value `alone`. */
export async function unlessUnreachable<T>(
  line: ServiceLink,
  answer: () => Promise<T>,
  alone: T,
): Promise<T> {
  if (!line.reachable) return alone
  return answer().catch((error) => {
    if (line.reachable) throw error
    return alone
  })
}

async function post<Q extends ProbeQuestion>(
  { url, token }: { url: string; token: string },
  question: Q,
  input: ProbeInput<Q>,
  timeoutMs: number,
): Promise<ProbeOutput<Q>> {
  const { path, output } = probeContract[question]
  const { status, text } = await exchange(
    `${url}${PROBE_PATH}${path}`,
    token,
    JSON.stringify(input),
    timeoutMs,
  )
  const body = readJson(text)
  if (status === 200) {
    const parsed = output.safeParse(body)
    if (parsed.success) return parsed.data as ProbeOutput<Q>
    throw new Unreachable(`${url} answers something else than a service of this release`)
  }
  const refusal = ProbeRefusalBody.safeParse(body)
  if (refusal.success) throw new ProbeRefusal(refusal.data.error, refusal.data.message)
  throw new Unreachable(`${url} answers HTTP ${status}`)
}

async function exchange(url: string, token: string, body: string, timeoutMs: number) {
  try {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    return { status: response.status, text: await readBounded(response) }
  } catch (error) {
    const { message, cause } = error as Error
    throw new Unreachable(cause instanceof Error ? cause.message || message : message)
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Waits longer after each failure in a row; probes that were cut off together do not come back together. */
export function createBackoff(random: () => number) {
  let failures = 0
  return {
    async wait(signal?: AbortSignal): Promise<void> {
      const longestMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++)
      await delay(longestMs * (0.5 + random() / 2), undefined, { signal }).catch(() => {})
    },
    reset() {
      failures = 0
    },
  }
}

import type { Said } from '../../src/core/language/said.ts'
import type { ImportKind } from '../../src/core/moving-in/kinds.ts'
import type { Faults } from '../../src/core/validation.ts'
import { t } from '../language/language.ts'
import { Problem, type SecondFactor } from './problem.ts'
import { signedInAgain } from './sign-in/session-end.ts'

const MAX_MS = 20_000

export type Sent = {
  method: string
  path: string
  query?: Record<string, unknown>
  body?: unknown
  /** Bytes in the place of a body. */
  bytes?: Blob
  /** For requests that may take longer than others. */
  maxMs?: number
}

/**
 * Sends a request to our own service. Resolves with the body of the answer, or null without one; throws a `Problem`. Where
 * the session has ended meanwhile, the request is sent again in the next one.
 */
export async function send(sent: Sent): Promise<unknown> {
  try {
    return await sendOnce(sent)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await signedInAgain(error, sent.method)
    return send(sent)
  }
}

/** The same, in the session that there is. */
export async function sendOnce({
  method,
  path,
  query = {},
  body,
  bytes,
  maxMs = MAX_MS,
}: Sent): Promise<unknown> {
  const answer = await fetch(path + searchOf(query), {
    method,
    credentials: 'same-origin',
    signal: AbortSignal.timeout(maxMs),
    ...(bytes && { headers: { 'content-type': 'application/octet-stream' }, body: bytes }),
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Problem(0, 'No response', t('Upbeat is not responding. Is it running, and are you online?'))
  })
  const content = await readJson(answer)
  if (answer.ok) return content
  const { title, detail, said, faults, second_factor, session_ended_at, looks_like } = (content ?? {}) as {
    title?: string
    detail?: string
    said?: Said | null
    faults?: Faults
    second_factor?: SecondFactor
    session_ended_at?: string | null
    looks_like?: ImportKind | null
  }
  throw new Problem(answer.status, title ?? `HTTP ${answer.status}`, detail, {
    said: said ?? null,
    faults: faults ?? {},
    secondFactor: second_factor ?? null,
    sessionEndedAt: session_ended_at,
    looksLike: looks_like ?? null,
  })
}

async function readJson(answer: Response): Promise<unknown> {
  if (!answer.headers.get('content-type')?.includes('json')) return null
  return answer.json().catch(() => null)
}

function searchOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return search && `?${search}`
}

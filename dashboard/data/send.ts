import type { Said } from '../../src/core/language/said.ts'
import type { Faults } from '../../src/core/validation.ts'
import { t } from '../language/language.ts'
import { Problem, type SecondFactor } from './problem.ts'

const MAX_MS = 20_000

export type Sent = { method: string; path: string; query?: Record<string, unknown>; body?: unknown }

/**
 * Sends a request to our own service. Resolves with the body of the answer, or null without one; throws a `Problem`.
 */
export async function send({ method, path, query = {}, body }: Sent): Promise<unknown> {
  const answer = await fetch(path + searchOf(query), {
    method,
    credentials: 'same-origin',
    signal: AbortSignal.timeout(MAX_MS),
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Problem(0, 'No response', t('Upbeat is not responding. Is it running, and are you online?'))
  })
  const content = await readJson(answer)
  if (answer.ok) return content
  const { title, detail, said, faults, second_factor } = (content ?? {}) as {
    title?: string
    detail?: string
    said?: Said | null
    faults?: Faults
    second_factor?: SecondFactor
  }
  throw new Problem(
    answer.status,
    title ?? `HTTP ${answer.status}`,
    detail,
    { said: said ?? null, faults: faults ?? {} },
    second_factor,
  )
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

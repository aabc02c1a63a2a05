import { contract, type PublicOperationId } from '../../contract/contract.ts'
import { fillPath, type Operation } from '../../contract/operation.ts'
import type { FieldErrors } from '../../core/validation.ts'
import type { Pace } from './pace.ts'

const MAX_PAGES = 1_000

export type Question = {
  params?: Record<string, number>
  query?: Record<string, string>
  body?: unknown
  /** Gives the question up, waiting for the rate limit included. */
  signal?: AbortSignal
}

export type Answer = { status: number; body: unknown; headers: Record<string, string> }

/** Asks a service what its API offers: over HTTP (http-client.ts), or on its own machine (local-client.ts). */
export type Client = {
  /** Whom it asks, as a person calls it. */
  place: string
  /** Refusals are answers, too. Throws a NoAnswer where there is none. */
  ask(id: PublicOperationId, question?: Question): Promise<Answer>
  /** By the last answer; null before the first, and where there is no limit. */
  pace(): Pace | null
}

/** The service was not reached, or what answered is none. */
export class NoAnswer extends Error {}

/** The service refused, and says why. */
export class Refused extends Error {
  readonly status: number
  /** By field, where the fault is in fields. */
  readonly errors: FieldErrors | null

  constructor({ status, body }: Answer) {
    const { title, detail, errors } = (body ?? {}) as {
      title?: string
      detail?: string
      errors?: FieldErrors
    }
    super(detail ?? HINTS[status] ?? title ?? `HTTP ${status}`)
    this.status = status
    this.errors = errors ?? null
  }
}

const HINTS: Record<number, string> = {
  401: 'the token is not valid: log in again with upbeat login',
  403: 'the token may not do this: its role only reads, or it has lost its team',
  404: 'there is no such record in the team',
}

/** The `data` of an answer; throws a Refused where it is a refusal. */
export async function askData<T>(client: Client, id: PublicOperationId, question?: Question): Promise<T> {
  const answer = await client.ask(id, question)
  if (answer.status >= 300) throw new Refused(answer)
  return (answer.body as { data?: T } | undefined)?.data as T
}

/** Everything a list holds, page by page where it has pages. */
export async function askAll<T>(
  client: Client,
  id: PublicOperationId,
  question: Question = {},
): Promise<T[]> {
  const found: T[] = []
  const hasPages = 'query' in contract[id]
  if (!hasPages) return await askData<T[]>(client, id, question)
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { per_page: '100', ...question.query, page: String(page) }
    const answer = await client.ask(id, { ...question, query })
    if (answer.status >= 300) throw new Refused(answer)
    const { data, links } = answer.body as { data: T[]; links: { next: string | null } }
    found.push(...data)
    if (links.next === null) return found
  }
  throw new NoAnswer(`the list has more than ${MAX_PAGES} pages`)
}

/** The path of an operation below the API's base, with its parameters filled in. */
export function pathOf(id: PublicOperationId, { params = {}, query = {} }: Question): string {
  const { path }: Operation = contract[id]
  const filled = fillPath(path, (parameter) => String(params[parameter]))
  const search = new URLSearchParams(query).toString()
  return search ? `${filled}?${search}` : filled
}

import { contract, type OperationId, type PublicOperationId } from '../../contract/contract.ts'
import { fillPath, type Operation } from '../../contract/operation.ts'
import type { FieldErrors } from '../../core/validation.ts'
import type { Pace } from './pace.ts'

const MAX_PAGES = 1_000

export type Question = {
  params?: Record<string, number>
  query?: Record<string, string>
  body?: unknown
  /** Cancels the question, including any wait for the rate limit. */
  signal?: AbortSignal
}

export type ApiAnswer = { status: number; body: unknown; headers: Record<string, string> }

type Asker<Id extends OperationId> = {
  /** Refusals are answers, too. Throws a NoAnswer when there is none. */
  ask(id: Id, question?: Question): Promise<ApiAnswer>
}

/** Calls the operations of a service's API: over HTTP (http-client.ts), or on its own machine (local-client.ts). */
export type Client = Asker<PublicOperationId> & {
  /** The service, as shown to people. */
  place: string
  /** According to the last answer; null before the first, and where there is no limit. */
  pace(): Pace | null
  /** Operations that the API does not have, such as those of maintenance windows; null over HTTP. */
  internal: Asker<OperationId> | null
}

/** The service was not reached, or the response did not come from its API. */
export class NoAnswer extends Error {}

/** The service refused, and says why. */
export class Refused extends Error {
  readonly status: number
  /** Errors by field, if it named any. */
  readonly errors: FieldErrors | null

  constructor({ status, body }: ApiAnswer) {
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

/** The `data` of an answer; throws a Refused if it is a refusal. */
export async function askData<T, Id extends OperationId = PublicOperationId>(
  client: Asker<Id>,
  id: Id,
  question?: Question,
): Promise<T> {
  const answer = await client.ask(id, question)
  if (answer.status >= 300) throw new Refused(answer)
  return (answer.body as { data?: T } | undefined)?.data as T
}

/** Everything in a list, through all its pages. */
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

import type * as z from 'zod'
import { type Contract, contract, type OperationId } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import type { Role } from '../core/access.ts'
import type { ContactRecord } from '../core/contact.ts'
import { problemOf, Refusal } from '../core/errors.ts'
import type { PlanName } from '../core/plan.ts'
import { type Parsed, parseFields } from '../core/validation.ts'
import { findContact } from '../store/contacts.ts'
import { findMonitor, type MonitorRecord } from '../store/monitors.ts'
import { authenticate } from './authenticate.ts'
import { handlers } from './handlers.ts'
import type { Services } from './services.ts'

/** Who asks: a member of a team, by a token. */
export type Actor = { userId: number; teamId: number; role: Role; plan: PlanName }

/** The record that the path identifies, by the name of the path's parameter. */
export type Records = { monitor: MonitorRecord; notificationContact: ContactRecord }

type ParameterOf<Path> = Path extends `${string}{${infer Name extends keyof Records}}${string}` ? Name : never
type RecordOf<Id extends OperationId> = Records[ParameterOf<Contract[Id]['path']>]
type QueryOf<Id extends OperationId> = Contract[Id] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined
type BodyOf<Id extends OperationId> = Contract[Id] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined

export type Asked<Record, Query, Body> = { actor: Actor; record: Record; query: Query; body: Body }

/** What an operation answers; without a body where there is none. */
export type Answer = { status: number; body?: unknown; headers: Record<string, string> }

export type Handlers = { [Id in OperationId]: HandlerOf<RecordOf<Id>, QueryOf<Id>, BodyOf<Id>> }
export type Handler<Id extends OperationId> = Handlers[Id]

type HandlerOf<Record, Query, Body> = {
  /** Where the schema alone cannot judge a body; otherwise the contract's schema does. */
  validate?: (services: Services, asked: Asked<Record, Query, undefined>, body: unknown) => Parsed<Body>
  perform: (services: Services, asked: Asked<Record, Query, Body>) => Promise<Partial<Answer>>
}

type AnyHandler = HandlerOf<unknown, unknown, unknown>

export type Request = {
  authorization: string | null | undefined
  params: Record<string, string>
  query: Record<string, string>
  /** Reads the body as JSON; throws the refusal of a body that is too large, of another type or malformed. */
  readBody: () => Promise<unknown>
}

/**
 * Does what was asked, or refuses in the one order there is (product, section 7): sunset, 401, 429, 403, 404,
 * 413/415, 422, 402. Never throws: refusals and bugs are answers, too.
 */
export async function run(services: Services, id: OperationId, request: Request): Promise<Answer> {
  const operation: Operation = contract[id]
  const headers: Record<string, string> = deprecationHeaders(operation, services.docsUrl)
  try {
    refuseAfterSunset(operation, services.now())
    const actor = await authenticate(services, operation.access, request.authorization, headers)
    const record = await findRecord(services, actor, operation.path, request.params)
    const query = operation.query && parseOrRefuse(parseFields(operation.query, request.query))
    const asked = { actor, record, query, body: undefined }
    // One entry of a map of handlers is looked up by a union of ids; what fits the id fits the handler.
    const handler = handlers[id] as AnyHandler
    const body = operation.body && (await readBody(services, operation, handler, asked, request))
    const answer = await handler.perform(services, { ...asked, body })
    return {
      status: answer.status ?? operation.status,
      body: answer.body,
      headers: { ...headers, ...answer.headers },
    }
  } catch (error) {
    return refusalAnswer(services, error, headers)
  }
}

/** The answer to a refusal; anything else that was thrown is a bug, told to us and not to the client. */
export function refusalAnswer(
  services: Pick<Services, 'docsUrl' | 'onBug'>,
  error: unknown,
  headers: Record<string, string> = {},
): Answer {
  const refusal = error instanceof Refusal ? error : new Refusal('internal')
  if (refusal !== error) services.onBug(error)
  const body = problemOf(refusal.code, refusal.members, services.docsUrl)
  return {
    status: body.status,
    body,
    headers: { ...headers, ...refusal.headers, 'content-type': 'application/problem+json' },
  }
}

function deprecationHeaders({ deprecated }: Operation, docsUrl: string): Record<string, string> {
  if (!deprecated) return {}
  return {
    deprecation: `@${deprecated.since.getTime() / 1_000}`,
    sunset: deprecated.sunset.toUTCString(),
    link: `<${docsUrl}/changelog>; rel="deprecation"; type="text/html"`,
  }
}

function refuseAfterSunset({ deprecated, method }: Operation, now: Date): void {
  if (!deprecated || now < deprecated.sunset) return
  const detail = `${method} stopped working on ${deprecated.sunset.toISOString().slice(0, 10)}: use PATCH.`
  throw new Refusal('gone', { detail })
}

async function findRecord(
  services: Services,
  actor: Actor,
  path: string,
  params: Record<string, string>,
): Promise<Records[keyof Records] | undefined> {
  const parameter = /\{(\w+)\}/.exec(path)?.[1] as keyof Records | undefined
  if (!parameter) return undefined
  const id = params[parameter] ?? ''
  // Ids are 32-bit; anything else identifies nothing.
  const found =
    /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647
      ? await FINDERS[parameter](services, actor.teamId, Number(id))
      : null
  if (!found) throw new Refusal('notFound')
  return found
}

const FINDERS = {
  monitor: ({ db, vault }, teamId, id) => findMonitor(db.query, vault, teamId, id),
  notificationContact: ({ db, vault }, teamId, id) => findContact(db.query, vault, teamId, id),
} satisfies {
  [Name in keyof Records]: (services: Services, teamId: number, id: number) => Promise<Records[Name] | null>
}

async function readBody(
  services: Services,
  operation: Operation,
  handler: AnyHandler,
  asked: Asked<unknown, unknown, undefined>,
  request: Request,
): Promise<unknown> {
  const body = await request.readBody()
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw Refusal.invalid({ body: ['body must be a JSON object'] })
  }
  const parsed = handler.validate
    ? handler.validate(services, asked, body)
    : parseFields(operation.body as z.ZodType, body)
  return parseOrRefuse(parsed)
}

export function parseOrRefuse<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw Refusal.invalid(parsed.errors)
  return parsed.value
}

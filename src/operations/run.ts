import type * as z from 'zod'
import { allOperations, type OperationId } from '../contract/contract.ts'
import { deprecationHeaders, type Operation, parametersOf } from '../contract/operation.ts'
import { Refusal } from '../core/errors.ts'
import { restorableSince } from '../core/history/history-span.ts'
import { shownTexts } from '../core/language/hidden-characters.ts'
import { inWords, said } from '../core/language/said.ts'
import { MAX_RECORD_ID } from '../core/record-id.ts'
import { createTurnstile } from '../core/sharing/share.ts'
import { parseFields } from '../core/validation.ts'
import { findContact } from '../store/alerting/contacts.ts'
import { findDelivery } from '../store/alerting/delivery-log.ts'
import { findDeleted } from '../store/history/subjects.ts'
import { findIncidentOf } from '../store/incidents/incident-rows.ts'
import { findWindow } from '../store/maintenance/windows.ts'
import { findDeletedMonitor } from '../store/monitors/deleted-monitors.ts'
import { findIncident } from '../store/monitors/incidents.ts'
import { findMonitor } from '../store/monitors/monitors.ts'
import { findDrill } from '../store/on-call/drills.ts'
import { findOverride } from '../store/on-call/overrides.ts'
import { findPolicy } from '../store/on-call/policies.ts'
import { findSchedule } from '../store/on-call/schedules.ts'
import { findRecipient } from '../store/reports/recipients.ts'
import { findReport } from '../store/reports/saved-reports.ts'
import { findServer } from '../store/servers/servers.ts'
import { findFinding } from '../store/sites/findings.ts'
import { findSite } from '../store/sites/sites.ts'
import { findPage } from '../store/status-pages/pages.ts'
import { findPost } from '../store/status-pages/posts.ts'
import { findSubscriber } from '../store/status-pages/subscriber-list.ts'
import { findTemplate } from '../store/status-pages/templates.ts'
import { findUpdate } from '../store/status-pages/updates.ts'
import { findInvitation } from '../store/teams/invitations.ts'
import { findMember } from '../store/teams/members.ts'
import { findTeamToken } from '../store/teams/tokens.ts'
import type { Actor, Answer, ImplementationOf, OperationInput, Records, Upload } from './implementation.ts'
import { implementations } from './implementations.ts'
import { parseOrRefuse, refusalAnswer } from './refusal.ts'
import type { Services } from './services.ts'
import { admit, authenticate, type TokenDoor } from './sign-in/authenticate.ts'
import { isAudited, recordAudit, shownBefore } from './teams/audit-trail.ts'

/** More of one team are refused: they would wait for half a minute. */
const MOST_WAITING = 200
const RETRY_SECONDS = 5

const answering = createTurnstile('requests', { maxWaiting: MOST_WAITING })

type AnyImplementation = ImplementationOf<unknown, unknown, unknown>

export type OperationRequest = {
  authorization?: string | null | undefined
  /** The interface that the token came through; defaults to the API. */
  door?: TokenDoor
  /** The caller, if a session identified them; otherwise `authorization` holds a token. */
  actor?: Actor
  params: Record<string, string>
  query: Record<string, string>
  /** Reads the body as JSON; throws a refusal if it is too large, of the wrong type or malformed. */
  readBody: () => Promise<unknown>
  /** For an operation that takes files. */
  upload?: Upload
}

/**
 * Performs an operation, or refuses in the one fixed order (product, section 7): sunset, 401, 429, 403, 404, 413/415,
 * 422, 402. Never throws: refusals and bugs become answers, too.
 */
export async function run(services: Services, id: OperationId, request: OperationRequest): Promise<Answer> {
  const operation: Operation = allOperations[id]
  const { deprecated } = operation
  const headers: Record<string, string> = deprecated ? deprecationHeaders(deprecated, services.docsUrl) : {}
  try {
    refuseAfterSunset(operation, services.now())
    const actor = request.actor
      ? admit(request.actor, operation.access)
      : await authenticate(services, operation.access, request.authorization, headers, request.door)
    const record = await findRecord(services, actor, NAMED_RECORDS.get(operation.path), request.params)
    const query = operation.query && parseOrRefuse(parseFields(operation.query, request.query))
    const input = { actor, record, query, body: undefined, upload: request.upload }
    // One entry of the map is looked up by a union of ids; what fits the id fits its implementation.
    const implementation = implementations[id] as AnyImplementation
    const sent = operation.body && (await readObject(request))
    const body = operation.body && judge(services, operation.body, implementation, input, sent)
    const before = isAudited(operation) ? await readBefore(services, id, input, sent) : undefined
    const perform = () => implementation.perform(services, { ...input, body })
    // Only now: a body may come slowly, and files come while they are read.
    const answer = await (operation.takesFiles ? perform() : inTurn(actor, perform))
    if (isAudited(operation)) {
      await recordAudit(services, actor, id, { record, before, sent, body, answer: answer.body })
    }
    return {
      status: answer.status ?? operation.status,
      // Names from before the rule, and what machines and sites send, turn and hide nothing wherever they are shown.
      body: shownTexts(answer.body),
      ...(answer.note !== undefined && { note: shownTexts(answer.note) }),
      headers: { ...headers, ...answer.headers },
    }
  } catch (error) {
    return refusalAnswer(services, error, headers)
  }
}

/** The values that the audit log compares a change with: of the record in the path, or what is shown at the same path. */
async function readBefore(
  services: Services,
  id: OperationId,
  input: OperationInput<unknown, unknown, undefined>,
  sent: object | undefined,
): Promise<unknown> {
  const shown = shownBefore(id, input.record, sent)
  if (shown === null) return input.record
  const { perform } = implementations[shown] as AnyImplementation
  const { body } = await perform(services, { ...input, query: undefined })
  return (body as { data?: unknown } | undefined)?.data
}

/** Requests of one team, however many and long, leave room to those of others. */
async function inTurn<T>({ teamId }: Actor, work: () => Promise<T>): Promise<T> {
  if (!(await answering.enter(teamId))) {
    const sentence = said(
      'Too many requests of this team are being answered at once: try again in {seconds} s.',
      {
        seconds: RETRY_SECONDS,
      },
    )
    throw Refusal.forNow('unavailable', RETRY_SECONDS, sentence)
  }
  try {
    return await work()
  } finally {
    answering.leave(teamId)
  }
}

function refuseAfterSunset({ deprecated, method }: Operation, now: Date): void {
  if (!deprecated || now < deprecated.sunset) return
  const detail = inWords(
    `${method} stopped working on ${deprecated.sunset.toISOString().slice(0, 10)}: use PATCH.`,
  )
  throw new Refusal('gone', { detail })
}

async function findRecord(
  services: Services,
  actor: Actor,
  parameter: keyof Records | undefined,
  params: Record<string, string>,
): Promise<Records[keyof Records] | undefined> {
  if (!parameter) return undefined
  const id = params[parameter] ?? ''
  // A malformed id identifies no record.
  const found =
    /^[1-9]\d{0,15}$/.test(id) && Number(id) <= MAX_ID[parameter]
      ? await FINDERS[parameter](services, actor.teamId, Number(id))
      : null
  if (!found) throw new Refusal('notFound')
  return found
}

/** The record that a path names, by the path. */
const NAMED_RECORDS = new Map<string, keyof Records | undefined>(
  Object.values(allOperations).map(({ path }) => [path, parametersOf(path)[0] as keyof Records]),
)

const MAX_ID: Record<keyof Records, number> = {
  monitor: MAX_RECORD_ID,
  deletedMonitor: MAX_RECORD_ID,
  notificationContact: MAX_RECORD_ID,
  incident: Number.MAX_SAFE_INTEGER,
  serverIncident: Number.MAX_SAFE_INTEGER,
  siteIncident: Number.MAX_SAFE_INTEGER,
  delivery: Number.MAX_SAFE_INTEGER,
  member: MAX_RECORD_ID,
  invitation: MAX_RECORD_ID,
  apiToken: MAX_RECORD_ID,
  maintenanceWindow: MAX_RECORD_ID,
  statusPage: MAX_RECORD_ID,
  statusPost: MAX_RECORD_ID,
  statusUpdate: MAX_RECORD_ID,
  statusTemplate: MAX_RECORD_ID,
  statusSubscriber: MAX_RECORD_ID,
  server: MAX_RECORD_ID,
  deletedServer: MAX_RECORD_ID,
  site: MAX_RECORD_ID,
  deletedSite: MAX_RECORD_ID,
  siteFinding: Number.MAX_SAFE_INTEGER,
  report: MAX_RECORD_ID,
  reportRecipient: MAX_RECORD_ID,
  schedule: MAX_RECORD_ID,
  scheduleOverride: MAX_RECORD_ID,
  escalationPolicy: MAX_RECORD_ID,
  drill: Number.MAX_SAFE_INTEGER,
}

const FINDERS = {
  monitor: ({ db, vault }, teamId, id) => findMonitor(db.shared, vault, teamId, id),
  deletedMonitor: ({ db, vault }, teamId, id) => findDeletedMonitor(db.query, vault, teamId, id),
  notificationContact: ({ db, vault }, teamId, id) => findContact(db.query, vault, teamId, id),
  incident: ({ db, vault }, teamId, id) => findIncident(db.query, vault, teamId, id),
  serverIncident: ({ db }, teamId, id) => findIncidentOf(db.query, teamId, 'server', id),
  siteIncident: ({ db }, teamId, id) => findIncidentOf(db.query, teamId, 'site', id),
  delivery: ({ db }, teamId, id) => findDelivery(db.query, teamId, id),
  member: ({ db }, teamId, id) => findMember(db.query, teamId, id),
  invitation: ({ db, now }, teamId, id) => findInvitation(db.query, teamId, id, now()),
  apiToken: ({ db }, teamId, id) => findTeamToken(db.query, teamId, id),
  maintenanceWindow: ({ db }, teamId, id) => findWindow(db.query, teamId, id),
  statusPage: ({ db }, teamId, id) => findPage(db.query, teamId, id),
  statusPost: ({ db }, teamId, id) => findPost(db.query, teamId, id),
  statusUpdate: ({ db }, teamId, id) => findUpdate(db.query, teamId, id),
  statusTemplate: ({ db }, teamId, id) => findTemplate(db.query, teamId, id),
  statusSubscriber: ({ db, vault }, teamId, id) => findSubscriber(db.query, vault, teamId, id),
  server: ({ db }, teamId, id) => findServer(db.query, teamId, id),
  deletedServer: ({ db, databaseNow }, teamId, id) =>
    findDeleted(db.query, 'servers', teamId, id, restorableSince(databaseNow())),
  site: ({ db }, teamId, id) => findSite(db.query, teamId, id),
  deletedSite: ({ db, databaseNow }, teamId, id) =>
    findDeleted(db.query, 'sites', teamId, id, restorableSince(databaseNow())),
  siteFinding: ({ db }, teamId, id) => findFinding(db.query, teamId, id),
  report: ({ db }, teamId, id) => findReport(db.query, teamId, id),
  reportRecipient: ({ db, vault }, teamId, id) => findRecipient(db.query, vault, teamId, id),
  schedule: ({ db }, teamId, id) => findSchedule(db.query, teamId, id),
  scheduleOverride: ({ db }, teamId, id) => findOverride(db.query, teamId, id),
  escalationPolicy: ({ db }, teamId, id) => findPolicy(db.query, teamId, id),
  drill: ({ db }, teamId, id) => findDrill(db.query, teamId, id),
} satisfies {
  [Name in keyof Records]: (services: Services, teamId: number, id: number) => Promise<Records[Name] | null>
}

async function readObject({ readBody }: OperationRequest): Promise<object> {
  const body = await readBody()
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw Refusal.invalid({ body: [said('must be a JSON object')] })
}

function judge(
  services: Services,
  schema: z.ZodType,
  implementation: AnyImplementation,
  input: OperationInput<unknown, unknown, undefined>,
  body: unknown,
): unknown {
  const parsed = implementation.validate
    ? implementation.validate(services, input, body)
    : parseFields(schema, body)
  return parseOrRefuse(parsed)
}

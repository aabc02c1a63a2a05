import { allOperations, type OperationId } from '../../contract/contract.ts'
import { type Operation, parametersOf } from '../../contract/operation.ts'
import { changesOf, loggedFields } from '../../core/teams/audit-values.ts'
import type { Query } from '../../postgres/database.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Every change is audited, and so are the reads that the contract marks. */
export function isAudited({ access, method, audited }: Operation): boolean {
  return audited === true || (access !== 'read' && method !== 'GET')
}

/** `before`: what the change is compared with, if there was anything. */
type Done = { record: unknown; before: unknown; sent: unknown; body: unknown; answer: unknown }

/**
 * Logs who did what. Runs after the change rather than within it: operations have their own transactions, and here
 * simultaneous requests share one statement and one commit. The entry is durable before the answer. A crash between the
 * two loses the entry, never the change; so does a database failure, after which the change is still answered as done
 * and the error is logged.
 */
export async function recordAudit(
  { writeAudit, now, onBug }: Services,
  actor: Actor,
  id: OperationId,
  done: Done,
): Promise<void> {
  const { id: subjectId, name: subject } = subjectOf(done.record) ?? subjectOf(dataOf(done.answer)) ?? NOTHING
  try {
    await writeAudit({
      teamId: actor.teamId,
      at: now(),
      userId: actor.userId,
      door: actor.door,
      action: id,
      subject,
      subjectId,
      ...contentOf(id, done),
    })
  } catch (error) {
    onBug(error)
  }
}

/** Logs what somebody did by a secret address, as `recordAudit` logs what a member did. */
export async function recordAddressAudit(
  { writeAudit, now, onBug }: Services,
  teamId: number,
  action: OperationId,
  subject: { id: number; name: string },
  fields: string[],
): Promise<void> {
  const { id: subjectId, name } = subject
  const entry = {
    teamId,
    at: now(),
    userId: null,
    door: 'address' as const,
    action,
    subject: name,
    subjectId,
  }
  try {
    await writeAudit({ ...entry, fields })
  } catch (error) {
    onBug(error)
  }
}

/** Adds an operator's entry in the transaction of the change. */
export async function recordOperatorAudit(
  query: Query,
  { now }: Services,
  teamId: number,
  action: string,
  subject: { id: number; name: string } | null,
  fields: string[] = [],
): Promise<void> {
  await insertAudit(query, {
    teamId,
    at: now(),
    userId: null,
    door: 'cli',
    action,
    subject: subject?.name ?? null,
    subjectId: subject?.id ?? null,
    fields,
  })
}

const NOTHING = { id: null, name: null }

/** The id and name only; nothing else is stored, above all no secret that an answer shows once. */
function subjectOf(value: unknown): { id: number; name: string } | null {
  const { id, name, email, title, subjectName, monitor } = (value ?? {}) as Record<string, unknown>
  // An incident has the name of what it is about.
  const called = name ?? email ?? title ?? subjectName ?? (monitor as { name?: unknown } | undefined)?.name
  return typeof id === 'number' && typeof called === 'string' ? { id, name: called } : null
}

function dataOf(answer: unknown): unknown {
  return (answer as { data?: unknown } | undefined)?.data
}

/** The names of the fields that were sent, and the values before and after of those that are no secret. */
function contentOf(id: OperationId, { before, sent, body, answer }: Done) {
  const fields = fieldsOf(sent, body)
  // An operation without a body changes what its name says; its answer has it as it is now.
  const changes =
    sent === undefined
      ? changesOf(loggedAs(id), before ?? null, dataOf(answer))
      : changesOf(loggedAs(id), before ?? null, body, fields)
  return { fields, changes }
}

const ALL = Object.entries(allOperations) as [OperationId, Operation][]
/** The name of a record by the path of the list that it is in: `monitor` for `/monitors`. */
const LISTED = new Map(
  ALL.flatMap(([, { path }]) => {
    const [, list, name] = /^([^{}]*)\/\{(\w+)\}$/.exec(path) ?? []
    return list && name ? [[list, name] as const] : []
  }),
)
/** The operation that shows the thing at a path. */
const SHOWN = new Map(
  ALL.flatMap(([id, { method, path, query, output }]) =>
    method === 'GET' && !query && output ? [[path, id] as const] : [],
  ),
)

const LOGGED_AS = new Map(ALL.map(([id, { path }]) => [id, parametersOf(path)[0] ?? LISTED.get(path) ?? id]))

/** The key of an operation in `LOGGED_VALUES`. */
export function loggedAs(id: OperationId): string {
  return LOGGED_AS.get(id) ?? id
}

/** The operation that shows values which this one changes, and which its record does not have; null where it has them all. */
export function shownBefore(id: OperationId, record: unknown, sent: unknown): OperationId | null {
  // A list shows nothing of a record that is created in it.
  if (typeof sent !== 'object' || sent === null || LISTED.has(allOperations[id].path)) return null
  const known = (record ?? {}) as object
  const fields = loggedFields(loggedAs(id)).filter((field) => Object.hasOwn(sent, field))
  if (fields.every((field) => Object.hasOwn(known, field))) return null
  return SHOWN.get(allOperations[id].path) ?? null
}

/** Known fields that the client sent: neither schema defaults nor unknown fields. */
function fieldsOf(sent: unknown, body: unknown): string[] {
  if (typeof sent !== 'object' || sent === null || typeof body !== 'object' || body === null) return []
  return Object.keys(sent).filter((field) => Object.hasOwn(body, field))
}

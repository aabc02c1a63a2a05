import { allOperations, type OperationId } from '../../contract/contract.ts'
import { type Operation, parametersOf } from '../../contract/operation.ts'
import { pick } from '../../core/shape.ts'
import { changesOf } from '../../core/teams/audit-values.ts'
import type { Query } from '../../postgres/database.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Every change is audited, and so are the reads that the contract marks. */
export function isAudited({ access, method, audited }: Operation): boolean {
  return audited === true || (access !== 'read' && method !== 'GET')
}

type Done = { record: unknown; sent: unknown; body: unknown; answer: unknown }

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
function contentOf(id: OperationId, { record, sent, body, answer }: Done) {
  const fields = fieldsOf(sent, body)
  const [kind = ''] = parametersOf(allOperations[id].path)
  // An operation without a body changes what its name says; its answer has it as it is now.
  const after = sent === undefined ? dataOf(answer) : pick(body as Record<string, unknown>, fields)
  return { fields, changes: changesOf(kind, record, after) }
}

/** Known fields that the client sent: neither schema defaults nor unknown fields. */
function fieldsOf(sent: unknown, body: unknown): string[] {
  if (typeof sent !== 'object' || sent === null || typeof body !== 'object' || body === null) return []
  return Object.keys(sent).filter((field) => Object.hasOwn(body, field))
}

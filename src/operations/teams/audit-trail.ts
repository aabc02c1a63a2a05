import type { OperationId } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Query } from '../../postgres/database.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Changes are audited, and so is what the contract says besides. */
export function isAudited({ access, method, audited }: Operation): boolean {
  return audited === true || (access !== 'read' && method !== 'GET')
}

/**
 * Writes down who did what. This follows the change instead of being part of it: operations have transactions of
 * their own, and here requests that come together share one statement and one commit. It is durable before the
 * answer; a crash just between the two loses an entry, and never a change. So does a database in trouble: what was
 * done is answered as done, and the trouble is in the log.
 */
export async function leaveTrace(
  { keepAudit, now, onBug }: Services,
  actor: Actor,
  id: OperationId,
  done: { record: unknown; sent: unknown; body: unknown; answer: unknown },
): Promise<void> {
  const { id: subjectId, name: subject } = subjectOf(done.record) ?? subjectOf(dataOf(done.answer)) ?? NOTHING
  try {
    await keepAudit({
      teamId: actor.teamId,
      at: now(),
      userId: actor.userId,
      door: actor.door,
      action: id,
      subject,
      subjectId,
      fields: fieldsOf(done.sent, done.body),
    })
  } catch (error) {
    onBug(error)
  }
}

/** The operator's entry, in the transaction of what it tells of. */
export async function leaveOperatorsTrace(
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

/** What something is called; nothing else of it is kept, least of all a secret that an answer shows once. */
function subjectOf(value: unknown): { id: number; name: string } | null {
  const { id, name, email } = (value ?? {}) as Record<string, unknown>
  const called = name ?? email
  return typeof id === 'number' && typeof called === 'string' ? { id, name: called } : null
}

function dataOf(answer: unknown): unknown {
  return (answer as { data?: unknown } | undefined)?.data
}

/** Fields that were sent and are known: not those that a schema adds, nor what somebody made up. */
function fieldsOf(sent: unknown, body: unknown): string[] {
  if (typeof sent !== 'object' || sent === null || typeof body !== 'object' || body === null) return []
  return Object.keys(sent).filter((field) => Object.hasOwn(body, field))
}

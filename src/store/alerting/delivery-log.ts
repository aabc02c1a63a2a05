import { sql } from 'kysely'
import type { AlertEscalation, AlertEvent } from '../../core/alerting/alert.ts'
import type { ContactType } from '../../core/alerting/contact.ts'
import type { DeliveryAttempt } from '../../core/alerting/delivery-log.ts'
import type { DeliveryState } from '../../core/alerting/delivery-state.ts'
import type { DELIVERY_LIST } from '../../core/lists/delivery-list.ts'
import type { FilterValues } from '../../core/lists/list.ts'
import {
  ofEachField,
  ofEachKind,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../../core/maintenance/subject-kind.ts'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { removeUpTo } from '../../postgres/remove-some.ts'
import { type FilterConditions, isAmong, matching } from '../lists/conditions.ts'
import { attachedTo } from './attachments.ts'
import { lockContactWithDeliveries } from './contacts.ts'

/** One alert to one contact, with all attempts. */
export type DeliveryRecord = {
  id: number
  event: AlertEvent
  /** As in the table; see `ACKNOWLEDGED_STEP`. */
  step: number
  escalation: AlertEscalation | null
  /** The policy of a drill. */
  drill: string | null
  state: DeliveryState
  createdAt: Date
  finishedAt: Date | null
  nextAttemptAt: Date
  heldUntil: Date | null
  contactId: number | null
  contactName: string
  contactType: ContactType
  /** Null for a test of a contact, and for a drill. */
  kind: SubjectKind | null
  subjectId: number | null
  subjectName: string | null
  incidentId: number | null
  attempts: AttemptRecord[]
}

export type AttemptRecord = {
  deliveryId: number
  attempt: number
  attemptedAt: Date
  durationMs: number
  outcome: DeliveryAttempt['outcome']
  statusCode: number | null
  detail: string
}

export type DeliveryFilter = FilterValues<typeof DELIVERY_LIST>

const CONDITIONS: FilterConditions<typeof DELIVERY_LIST> = {
  contact: (id) => sql`d.contact_id = ${id}`,
  state: (state) => sql`d.state = ${state}`,
  ...ofEachKind((kind) => (id: number) => sql`d.kind = ${sql.lit(kind)} AND d.subject_id = ${id}`),
  from: (at) => sql`d.created_at >= ${at}`,
  to: (at) => sql`d.created_at < ${at}`,
  ...ofEachField(
    '_incident',
    (kind) => (id: number) => sql`d.kind = ${sql.lit(kind)} AND d.team_incident_id = ${id}`,
  ),
  ids: (ids) => isAmong('d.id', ids),
}

export async function countDeliveries(query: Query, teamId: number, filter: DeliveryFilter): Promise<number> {
  const row = await selectMatching(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** One page, newest first. */
export async function listDeliveries(
  query: Query,
  teamId: number,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<DeliveryRecord[]> {
  const ids = selectMatching(query, teamId, filter)
    .select('d.id')
    .orderBy('d.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  const rows = await selectRows(query, teamId).where('d.id', 'in', ids).orderBy('d.id', 'desc').execute()
  return withAttempts(query, teamId, rows)
}

export async function findDelivery(
  query: Query,
  teamId: number,
  deliveryId: number,
): Promise<DeliveryRecord | null> {
  const rows = await selectRows(query, teamId).where('d.id', '=', deliveryId).execute()
  return (await withAttempts(query, teamId, rows))[0] ?? null
}

/** Oldest first. */
export async function deliveriesOfIncident(
  query: Query,
  teamId: number,
  { kind, id }: { kind: IncidentKind; id: number },
  limit: number,
): Promise<DeliveryRecord[]> {
  const rows = await selectRows(query, teamId)
    .where('d.kind', '=', kind)
    .where('d.team_incident_id', '=', id)
    .orderBy('d.id')
    .limit(limit)
    .execute()
  return withAttempts(query, teamId, rows)
}

function selectMatching(query: Query, teamId: number, filter: DeliveryFilter) {
  return query
    .selectFrom('deliveries as d')
    .where('d.team_id', '=', teamId)
    .where(matching(CONDITIONS, filter))
}

function selectRows(query: Query, teamId: number) {
  return query
    .selectFrom('deliveries as d')
    .leftJoin('subjects as s', (join) =>
      join.onRef('s.kind', '=', 'd.kind').onRef('s.id', '=', 'd.subject_id'),
    )
    .where('d.team_id', '=', teamId)
    .select([
      'd.id',
      'd.event',
      'd.state',
      'd.created_at as createdAt',
      'd.finished_at as finishedAt',
      'd.next_attempt_at as nextAttemptAt',
      'd.held_until as heldUntil',
      'd.contact_id as contactId',
      'd.contact_name as contactName',
      'd.contact_type as contactType',
      'd.kind',
      'd.subject_id as subjectId',
      's.name as subjectName',
      'd.team_incident_id as incidentId',
      'd.step',
      sql<AlertEscalation | null>`d.alert -> 'escalation'`.as('escalation'),
      sql<string | null>`d.alert -> 'drill' ->> 'policy'`.as('drill'),
    ])
}

/** Attempts need no limit: backoff keeps them to about thirty per delivery. */
async function withAttempts(
  query: Query,
  teamId: number,
  rows: Omit<DeliveryRecord, 'attempts'>[],
): Promise<DeliveryRecord[]> {
  if (rows.length === 0) return []
  const attempts: AttemptRecord[] = await query
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .select([
      'a.delivery_id as deliveryId',
      'a.attempt',
      'a.attempted_at as attemptedAt',
      'a.duration_ms as durationMs',
      'a.outcome',
      'a.status_code as statusCode',
      'a.detail',
    ])
    .where('d.team_id', '=', teamId)
    .where(
      'a.delivery_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('a.delivery_id')
    .orderBy('a.attempt')
    .execute()
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return rows.map((row) => ({ ...row, attempts: byDelivery.get(row.id) ?? [] }))
}

export type SummaryRecord = {
  id: number
  /** How many subjects of each kind have it in their lists. */
  attached: Record<SubjectKind, number>
  /** Whether the address has not agreed yet, and when it was asked. */
  isUnagreed: boolean
  askedAt: Date | null
  lastDelivery: Pick<
    DeliveryRecord,
    'id' | 'event' | 'state' | 'createdAt' | 'nextAttemptAt' | 'heldUntil'
  > | null
}

/** All contacts ordered by name, each with the number of its subjects and its newest alert. */
export async function summarizeContacts(query: Query, teamId: number): Promise<SummaryRecord[]> {
  const rows = await query
    .selectFrom('contacts as c')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('deliveries as d')
          .select(['d.id', 'd.event', 'd.state', 'd.created_at', 'd.next_attempt_at', 'd.held_until'])
          .whereRef('d.contact_id', '=', 'c.id')
          .where('d.team_id', '=', teamId)
          .orderBy('d.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .leftJoin('agreements as a', (join) =>
      join.onRef('a.team_id', '=', 'c.team_id').onRef('a.address_hash', '=', 'c.unagreed_hash'),
    )
    .where('c.team_id', '=', teamId)
    .select([
      'c.id',
      'c.unagreed_hash as unagreedHash',
      'a.asked_at as askedAt',
      'last.id as lastId',
      'last.event',
      'last.state',
      'last.created_at as createdAt',
      'last.next_attempt_at as nextAttemptAt',
      'last.held_until as heldUntil',
    ])
    .select(SUBJECT_KINDS.map((kind) => attachedTo(kind).as(`${kind}s` as const)))
    .orderBy(sql`lower(c.name) COLLATE "C"`)
    .orderBy('c.id')
    .execute()
  return rows.map(
    ({
      id,
      unagreedHash,
      askedAt,
      lastId,
      event,
      state,
      createdAt,
      nextAttemptAt,
      heldUntil,
      ...counts
    }) => ({
      id,
      attached: ofEachKind((kind) => counts[`${kind}s`] ?? 0),
      isUnagreed: unagreedHash !== null,
      askedAt,
      lastDelivery:
        lastId === null || event === null || state === null || createdAt === null || nextAttemptAt === null
          ? null
          : { id: lastId, event, state, createdAt, nextAttemptAt, heldUntil },
    }),
  )
}

/** Deletes some of the deliveries that ended before `cutoff`, oldest first; true if there may be more. */
export async function removeSomeDeliveries(db: Database, cutoff: Date): Promise<boolean> {
  const removed = await removeUpTo(db, {
    ...{ table: 'deliveries', key: ['id'], oldestOnly: true },
    where: 'finished_at < $1',
    values: [cutoff],
  })
  return removed > 0
}

/** Anonymizes past deliveries of a deleted contact, because its name may be a person's. */
export async function forgetContactName(query: Query, teamId: number, contactId: number): Promise<void> {
  await lockContactWithDeliveries(query, teamId, contactId)
  await query
    .updateTable('deliveries')
    .set({ contact_name: 'Deleted contact' })
    .where('team_id', '=', teamId)
    .where('contact_id', '=', contactId)
    .execute()
}

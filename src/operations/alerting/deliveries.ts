import { adviceOf } from '../../core/alerting/advised.ts'
import { testAlert } from '../../core/alerting/alert.ts'
import type { ContactType } from '../../core/alerting/contact-types.ts'
import type {
  ContactSummary,
  Delivery,
  DeliveryAttempt,
  DeliveryOrigin,
} from '../../core/alerting/delivery-log.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { ofEachField, ofEachKind, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { countListed, type Listed, listAttachments } from '../../store/alerting/attachments.ts'
import { insertTestDelivery } from '../../store/alerting/deliveries.ts'
import {
  type AttemptRecord,
  countDeliveries,
  type DeliveryRecord,
  findDelivery,
  listDeliveries as readPage,
  type SummaryRecord,
  summarizeContacts,
} from '../../store/alerting/delivery-log.ts'
import { ACKNOWLEDGED_STEP } from '../../store/on-call/acknowledged-deliveries.ts'
import { findTeam } from '../../store/teams/teams.ts'
import { answerPage } from '../answer-page.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'
import { throttle } from '../sign-in/throttle.ts'

export const listContactSummaries: Implementation<'listContactSummaries'> = {
  async perform({ db, opensSignUp }, { actor }) {
    const [summaries, listed] = await Promise.all([
      summarizeContacts(db.query, actor.teamId),
      countListed(db.query, actor.teamId),
    ])
    return { body: { data: summaries.map((summary) => presentSummary(summary, listed, opensSignUp)) } }
  },
}

export const listContactAttachments: Implementation<'listContactAttachments'> = {
  async perform({ db }, { actor, record }) {
    return { body: { data: await listAttachments(db.query, actor.teamId, record.id) } }
  },
}

/** Only writes the delivery: the loop that sends all alerts sends it, and its log shows the outcome. */
export const testContact: Implementation<'testContact'> = {
  async perform({ db, limits, now }, { actor, record }) {
    await throttle(limits.perTestedTeam, String(actor.teamId))
    const team = await findTeam(db.query, actor.teamId)
    if (!team) throw new Refusal('notFound')
    const alert = testAlert(team, formatInstant(now()))
    const id = await insertTestDelivery(db, actor.teamId, record.id, alert)
    const delivery = id && (await findDelivery(db.query, actor.teamId, id))
    if (!delivery) throw new Refusal('notFound')
    return { body: { data: presentDelivery(delivery) } }
  },
}

export const listDeliveries: Implementation<'listDeliveries'> = {
  async perform(services, { actor: { teamId }, query }) {
    const { db } = services
    const total = await countDeliveries(db.query, teamId, query)
    return answerPage(
      `${dashboardUrl(services, teamId)}/deliveries`,
      query,
      total,
      (place) => readPage(db.query, teamId, query, place),
      presentDelivery,
    )
  },
}

export const getDelivery: Implementation<'getDelivery'> = {
  async perform(_services, { record }) {
    return { body: { data: presentDelivery(record) } }
  },
}

export function presentDelivery(record: DeliveryRecord): Delivery {
  const of = <Value>(kind: SubjectKind, value: Value) => (record.kind === kind ? value : null)
  return {
    id: record.id,
    event: record.event,
    origin: originOf(record),
    state: record.state,
    created_at: formatInstant(record.createdAt),
    finished_at: formatInstantOrNull(record.finishedAt),
    next_attempt_at: nextAttemptOf(record),
    held_until: formatInstantOrNull(record.heldUntil),
    contact_id: record.contactId,
    contact_name: record.contactName,
    contact_type: record.contactType,
    ...ofEachField('_id', (kind) => of(kind, record.subjectId)),
    ...ofEachField('_name', (kind) => of(kind, record.subjectName)),
    incident_id: of('monitor', record.incidentId),
    attempts: record.attempts.map((attempt) => presentAttempt(attempt, record.contactType)),
  }
}

function originOf({ step, escalation, drill }: DeliveryRecord): DeliveryOrigin | null {
  if (step === ACKNOWLEDGED_STEP) return { kind: 'acknowledgement' }
  if (!escalation) return null
  const { kind, number, round, policy } = escalation
  if (drill !== null) return { kind: 'drill', number, policy: drill }
  return kind === 'reminder' ? { kind } : { kind, number, round, policy }
}

function nextAttemptOf({ state, nextAttemptAt }: Pick<DeliveryRecord, 'state' | 'nextAttemptAt'>) {
  return state === 'pending' ? formatInstant(nextAttemptAt) : null
}

function presentAttempt(record: AttemptRecord, type: ContactType): DeliveryAttempt {
  const shown = {
    attempt: record.attempt,
    attempted_at: formatInstant(record.attemptedAt),
    duration_ms: record.durationMs,
    outcome: record.outcome,
    status_code: record.statusCode,
    detail: record.detail,
  }
  return { ...shown, advice: adviceOf(type, shown) }
}

function presentSummary(
  { id, attached, isUnagreed, askedAt, lastDelivery }: SummaryRecord,
  listed: Listed[],
  opensSignUp: boolean,
): ContactSummary {
  const alertedBy = (kind: SubjectKind) => {
    const { all, unlisted } = listed.find((one) => one.kind === kind) ?? { all: 0, unlisted: 0 }
    const count = attached[kind] + unlisted
    return count >= all ? null : count
  }
  return {
    id,
    ...ofEachField('s_count', (kind) => attached[kind]),
    alerted_by: ofEachKind(alertedBy),
    awaits_agreement: opensSignUp && isUnagreed ? { asked_at: formatInstantOrNull(askedAt) } : null,
    last_delivery: lastDelivery && {
      id: lastDelivery.id,
      event: lastDelivery.event,
      state: lastDelivery.state,
      created_at: formatInstant(lastDelivery.createdAt),
      next_attempt_at: nextAttemptOf(lastDelivery),
      held_until: formatInstantOrNull(lastDelivery.heldUntil),
    },
  }
}

import { windowStart } from '../../core/history/history-span.ts'
import { formatInstant } from '../../core/instant.ts'
import type { KeptAnswer } from '../../core/probing/failing-answer.ts'
import { type AnswerRecord, findAnswer, findAnswersOfIncident } from '../../store/monitors/failing-answers.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Limited to the plan's window, as checks are. */
export const getFailingAnswer: Implementation<'getFailingAnswer'> = {
  async perform(services, { actor, record, query: { at } }) {
    const since = sinceOf(services, actor)
    const wish = { teamId: actor.teamId, monitorId: record.id, at, since }
    const found = await findAnswer(services.db.query, wish)
    return { body: { data: found && presentAnswer(found) } }
  },
}

export const getIncidentAnswers: Implementation<'getIncidentAnswers'> = {
  async perform(services, { actor, record }) {
    const found = await findAnswersOfIncident(services.db.query, {
      teamId: actor.teamId,
      id: record.id,
      monitorId: record.monitor.id,
      from: record.startedAt,
      until: record.resolvedAt,
      since: sinceOf(services, actor),
    })
    return { body: { data: found.map(presentAnswer) } }
  },
}

function sinceOf({ plans, now }: Services, { plan }: Actor): Date | null {
  return windowStart(plans[plan].check_history_days, now())
}

function presentAnswer({ checkedAt, httpStatusCode, answer }: AnswerRecord): KeptAnswer {
  return { checked_at: formatInstant(checkedAt), http_status_code: httpStatusCode, answer }
}

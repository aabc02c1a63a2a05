import { ANSWER_PAUSE_MS, answerLength, MAX_BATCH_ANSWER_LENGTH } from '../../core/probing/failing-answer.ts'
import { type AnswerRow, hashSkeleton, type NewestAnswer } from '../../store/monitors/failing-answers.ts'

/**
 * The answers of a batch that are worth a row: those of checks that opened an incident, and those that differ from the
 * newest one kept of their monitor. A monitor that goes on failing in the same way costs no row besides its checks. In mass
 * trouble those of incidents come first, and what exceeds the bound is not kept.
 */
export function answersToWrite(found: AnswerRow[], newest: Map<number, NewestAnswer>): AnswerRow[] {
  const opening = found.filter(({ incidentId }) => incidentId !== null)
  const opened = new Set(opening.map(({ monitorId }) => monitorId))
  const last = new Map<number, AnswerRow>()
  for (const row of found) {
    if (opened.has(row.monitorId) || !isNews(row, newest.get(row.monitorId))) continue
    const known = last.get(row.monitorId)
    if (!known || known.checkedAt < row.checkedAt) last.set(row.monitorId, row)
  }
  let room = MAX_BATCH_ANSWER_LENGTH
  return [...opening, ...last.values()].filter(({ answer }) => {
    room -= answerLength(answer)
    return room >= 0
  })
}

function isNews({ checkedAt, httpStatusCode, answer }: AnswerRow, newest: NewestAnswer | undefined): boolean {
  if (!newest) return true
  if (checkedAt <= newest.checkedAt) return false
  if (httpStatusCode !== newest.httpStatusCode) return true
  const isLate = checkedAt.getTime() - newest.checkedAt.getTime() >= ANSWER_PAUSE_MS
  return isLate && !hashSkeleton(answer).equals(newest.skeleton)
}

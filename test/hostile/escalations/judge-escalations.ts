import { maintenanceOf } from '../judge-windows.ts'
import { at, type Evidence } from '../logs.ts'
import { longestFree, widen } from '../spans.ts'
import { type EscalatedIncident, STEP_MINUTES, type StepRow } from './truth.ts'

/** Clocks agree to this: that of the database rules both times. */
const EARLY_MS = 10

/** Every step of an incident that lasted to its second alerted its contact once, and no other did. */
export function wrongSteps(evidence: Evidence): string[] {
  const { escalations, incidents } = evidence
  if (!escalations.isOn) return []
  const known = new Set(escalations.incidents.map(({ incident }) => incident))
  const without = incidents.filter(({ id, condition }) => condition === undefined && !known.has(id))
  return [
    ...without.map(({ id }) => `incident ${id} has no steps`),
    ...escalations.incidents.flatMap((incident) => [
      ...faultsOfRows(incident),
      ...incident.steps.flatMap((step) => faultsOf(evidence, incident, step)),
      ...faultsOfRecovery(incident),
    ]),
    ...wrongStepMessages(evidence),
  ]
}

function faultsOfRows({ incident, steps, resolvedMs }: EscalatedIncident): string[] {
  const numbers = steps.map(({ number }) => number).join(' ')
  const expected = STEP_MINUTES.map((_, index) => index + 1).join(' ')
  return [
    ...(numbers === expected ? [] : [`incident ${incident} has the steps ${numbers}`]),
    ...(resolvedMs !== null && steps.some(({ state }) => state === 'waiting')
      ? [`incident ${incident} is over, and steps wait`]
      : []),
  ]
}

function faultsOf(
  evidence: Evidence,
  { incident, monitor, resolvedMs }: EscalatedIncident,
  step: StepRow,
): string[] {
  const { slackMs, escalations } = evidence
  const { number, state, dueMs, doneMs, sent } = step
  const name = `step ${number} of incident ${incident}`
  if (state === 'done') {
    return [
      ...(sent.length === 1 && sent[0]?.event === 'monitor.down'
        ? []
        : [`${name} sent ${sent.length} alerts`]),
      ...(doneMs !== null && doneMs < dueMs - EARLY_MS
        ? [`${name} came early, at ${at(evidence, doneMs)}`]
        : []),
    ]
  }
  if (sent.length > 0) return [`${name} is ${state} and sent an alert`]
  if (resolvedMs === null) return []
  const { cover, unsettled } = maintenanceOf(evidence)(monitor)
  const excused = [...escalations.unable, ...cover, ...unsettled].map((span) => widen(span, 0, slackMs))
  const missedMs = longestFree({ fromMs: dueMs, toMs: Math.max(dueMs, resolvedMs) }, excused)
  return missedMs > slackMs ? [`${name} was due ${at(evidence, dueMs)} and never came`] : []
}

/** Those whom steps alerted are told of the recovery, once each. */
function faultsOfRecovery({ incident, steps, recoveries, resolvedMs }: EscalatedIncident): string[] {
  const alerted = steps.flatMap(({ sent }) => sent.map(({ contact }) => contact)).toSorted((a, b) => a - b)
  const told = recoveries.map(({ contact }) => contact).toSorted((a, b) => a - b)
  const expected = resolvedMs === null ? [] : alerted
  return told.join() === expected.join()
    ? []
    : [`the recovery of incident ${incident} was told to ${told}, not ${expected}`]
}

/** Messages that are marked as sent arrived under their ids, and no others did. */
function wrongStepMessages({ escalations: { incidents, received } }: Evidence): string[] {
  const all = incidents.flatMap(({ steps, recoveries }) => [
    ...steps.flatMap(({ sent }) => sent),
    ...recoveries,
  ])
  const known = new Map(all.map((sent) => [sent.messageId, sent]))
  const arrived = new Set(received.map(({ messageId }) => messageId))
  return [
    ...received
      .filter(({ messageId, event }) => known.get(messageId)?.event !== event)
      .map(({ messageId }) => `no step meant to send ${messageId}`),
    ...all
      .filter(({ messageId, state }) => state === 'sent' && !arrived.has(messageId))
      .map(({ messageId }) => `${messageId} of a step is marked as sent and never arrived`),
  ]
}

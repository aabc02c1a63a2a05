import { Refusal } from '../../core/errors.ts'
import type { KeptWindow } from '../../core/maintenance/kept-window.ts'
import { callOff, endNow, prolong, start, type TurnDecision } from '../../core/maintenance/turn.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { changeWindow, keepAll } from './change-window.ts'
import { readDetail } from './present-window.ts'

export const startMaintenance: Implementation<'startMaintenance'> = {
  perform: (services, { actor, record, body }) =>
    turn(services, actor, record.id, (whole, now) => start(whole, now, body.minutes)),
}

export const endMaintenance: Implementation<'endMaintenance'> = {
  perform: (services, { actor, record }) =>
    turn(services, actor, record.id, (whole, now) => endNow(whole, now, 'person')),
}

export const prolongMaintenance: Implementation<'prolongMaintenance'> = {
  perform: (services, { actor, record, body }) =>
    turn(services, actor, record.id, (whole, now) => prolong(whole, now, body.minutes)),
}

export const callOffMaintenance: Implementation<'callOffMaintenance'> = {
  perform: (services, { actor, record, body }) =>
    turn(services, actor, record.id, (whole, now) => callOff(whole, now, body.starts_at)),
}

async function turn(
  services: Services,
  actor: Actor,
  windowId: number,
  decide: (whole: KeptWindow, now: Date) => TurnDecision,
) {
  await changeWindow(services, actor.teamId, windowId, async (query, whole, now) => {
    await keepAll(query, actor.teamId, keptBy(decide(whole, now)))
    return true
  })
  return { body: { data: await readDetail(services, actor, windowId) } }
}

export function keptBy(decision: TurnDecision) {
  if ('keep' in decision) return decision.keep
  const { field, message } = decision.fault
  throw Refusal.invalid({ [field]: [message] })
}

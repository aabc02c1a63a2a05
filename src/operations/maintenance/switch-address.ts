import * as z from 'zod'
import { integerParameter } from '../../core/lists/parameter.ts'
import { endNow, start } from '../../core/maintenance/turn.ts'
import { MAX_SWITCH_MINUTES, MIN_WINDOW_MINUTES } from '../../core/maintenance/window.ts'
import { isUuid } from '../../core/text.ts'
import { parseFields } from '../../core/validation.ts'
import { findBySecret } from '../../store/sealing/secret-addresses.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { foundBySecret, throttle } from '../sign-in/throttle.ts'
import { recordAddressAudit } from '../teams/audit-trail.ts'
import { changeWindow, keepAll } from './change-window.ts'
import { keptBy } from './turns.ts'

export type SwitchTurn = 'start' | 'stop'

/** A request to the secret address of a switch. */
export type AskedTurn = { token: string; address: string; turn: SwitchTurn; query: Record<string, string> }

const TurnQuery = z.object({ minutes: integerParameter(MIN_WINDOW_MINUTES, MAX_SWITCH_MINUTES).optional() })

/** Turns a switch on or off; resolves once that is durable. Refuses with 404, 429 and 422. */
export async function turnByAddress(services: Services, asked: AskedTurn): Promise<void> {
  const { db, limits } = services
  const found = isUuid(asked.token) ? await findBySecret(db.query, 'switch', asked.token) : null
  const { teamId, id: windowId } = await foundBySecret(services, 'ping', asked.address, found)
  await throttle(limits.perSwitch, windowId)
  const isStart = asked.turn === 'start'
  const { minutes } = parseOrRefuse(parseFields(TurnQuery, isStart ? asked.query : {}))
  let turned: string | null = null
  await changeWindow(services, teamId, windowId, async (query, whole, now) => {
    const decision = isStart ? start(whole, now, minutes) : endNow(whole, now, 'address')
    // A script that ends what has ended by itself did nothing wrong.
    if (!isStart && 'fault' in decision) return false
    await keepAll(query, teamId, keptBy(decision))
    turned = whole.window.name
    return true
  })
  if (turned === null) return
  const action = isStart ? 'startMaintenance' : 'endMaintenance'
  const fields = minutes === undefined ? [] : ['minutes']
  await recordAddressAudit(services, teamId, action, { id: windowId, name: turned }, fields)
}

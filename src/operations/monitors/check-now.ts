import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import { resultOfWord } from '../../core/monitors/heartbeats/manual-state.ts'
import { isGroup, isSetByHand } from '../../core/monitors/monitor-types.ts'
import { announceMonitors, requestCheck } from '../../store/probing/schedule.ts'
import type { Implementation } from '../implementation.ts'

/** Requests in quicker succession count as one. */
const PAUSE_MS = 2_000

/** Stores the request and wakes the scheduler, which checks the monitor like any other. */
export const checkMonitorNow: Implementation<'checkMonitorNow'> = {
  async perform({ db, now }, { actor, record }) {
    if (record.type === 'heartbeat') {
      throw Refusal.invalid({ type: [said('is heartbeat: its job calls, and there is nothing to check')] })
    }
    if (isGroup(record.type)) {
      throw Refusal.invalid({
        type: [said('is group: its state follows from those of its members, and there is nothing to check')],
      })
    }
    if (isSetByHand(record.type)) {
      throw Refusal.invalid({
        type: [said('is manual: people and scripts set its status, and there is nothing to check')],
      })
    }
    if (!record.is_active) {
      throw Refusal.invalid({
        is_active: [said('is false: a paused monitor is checked once it is resumed')],
      })
    }
    const requestedAt = await db.query.transaction().execute(async (query) => {
      const requested = await requestCheck(query, actor.teamId, record.id, now(), PAUSE_MS)
      if (!requested) throw new Refusal('notFound')
      await announceMonitors(query, [record.id])
      return requested
    })
    const newerThan = before(requestedAt, record.last_checked_at)
    return {
      body: {
        data: { requested_at: formatInstant(requestedAt), newer_than: formatInstantOrNull(newerThan) },
      },
    }
  },
}

/** Records what a person says of a manual monitor, as what a program says. */
export const switchMonitor: Implementation<'switchMonitor'> = {
  async perform({ recordWord, databaseNow }, { record, body }) {
    const { id, type, is_active } = record
    if (!isSetByHand(type))
      throw Refusal.invalid({
        type: [said('is {type}: only a manual monitor is switched by hand', { type })],
      })
    if (!is_active)
      throw Refusal.invalid({
        is_active: [said('is false: a paused monitor is switched once it is resumed')],
      })
    const result = resultOfWord(body.state, body.message)
    if ((await recordWord(id, databaseNow(), result)) === 'stale') throw new Refusal('notFound')
    return {}
  },
}

/** A check already under way counts, and so does one that an earlier request led to. */
function before(requestedAt: Date, lastCheckedAt: Date | null): Date | null {
  return lastCheckedAt && new Date(Math.min(lastCheckedAt.getTime(), requestedAt.getTime() - 1))
}

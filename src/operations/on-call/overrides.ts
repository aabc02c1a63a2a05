import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { MAX_OVERRIDES, Override, overrideFaults } from '../../core/on-call/schedule.ts'
import { parseFields } from '../../core/validation.ts'
import { insertOverride, removeOverridesBefore } from '../../store/on-call/overrides.ts'
import { lockSchedule } from '../../store/on-call/schedules.ts'
import { deletionFrom } from '../delete-record.ts'
import type { Implementation } from '../implementation.ts'
import { readDetail } from './present-schedule.ts'

/** How long an override that is over stays in the picture of past months. */
const KEPT_MS = 366 * 86_400_000

export const addScheduleOverride: Implementation<'addScheduleOverride'> = {
  validate({ databaseNow }, { record }, body) {
    return parseFields(Override, body, (override) =>
      overrideFaults(override, record.participants, databaseNow()),
    )
  },

  async perform(services, { actor: { teamId }, record, body }) {
    const { db, databaseNow } = services
    await db.query.transaction().execute(async (query) => {
      const schedule = await lockSchedule(query, teamId, record.id)
      if (!schedule) throw new Refusal('notFound')
      const longAgo = new Date(databaseNow().getTime() - KEPT_MS)
      await removeOverridesBefore(query, teamId, record.id, longAgo)
      if (schedule.overrides.filter(({ endsAt }) => endsAt >= longAgo).length >= MAX_OVERRIDES) {
        throw Refusal.invalid({
          participant: [
            said('must wait: the schedule has {count} overrides, the most; remove one first', {
              count: MAX_OVERRIDES,
            }),
          ],
        })
      }
      // Its participant may have left the schedule since it was read.
      if (!schedule.participants.some(({ key }) => key === body.participant)) throw new Refusal('notFound')
      await insertOverride(query, teamId, record.id, body)
    })
    return { body: { data: await readDetail(services, teamId, record.id) } }
  },
}

export const removeScheduleOverride: Implementation<'removeScheduleOverride'> =
  deletionFrom('schedule_overrides')

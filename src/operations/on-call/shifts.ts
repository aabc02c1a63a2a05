import { Refusal } from '../../core/errors.ts'
import { previewFaults, rangeFaults, SchedulePreviewRequest } from '../../core/on-call/shown-schedule.ts'
import { shiftsTouching } from '../../core/on-call/who.ts'
import { parseFields } from '../../core/validation.ts'
import type { Implementation } from '../implementation.ts'
import { presentShift } from './present-schedule.ts'

export const listScheduleShifts: Implementation<'listScheduleShifts'> = {
  async perform(_services, { record, query: { from, until } }) {
    const [fault] = rangeFaults({ from, until })
    if (fault) throw Refusal.invalid({ [fault.field]: [fault.message] })
    return { body: { data: shiftsTouching(record, from, until).map(presentShift) } }
  },
}

export const previewSchedule: Implementation<'previewSchedule'> = {
  validate(_services, _asked, body) {
    return parseFields(SchedulePreviewRequest, body, previewFaults)
  },

  async perform(_services, { body }) {
    const { from, until, ...schedule } = body
    return { body: { data: shiftsTouching({ ...schedule, overrides: [] }, from, until).map(presentShift) } }
  },
}

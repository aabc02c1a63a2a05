import * as z from 'zod'
import { instantParameter } from '../../core/lists/parameter.ts'
import { Override, Schedule } from '../../core/on-call/schedule.ts'
import {
  SCHEDULE_ROWS,
  ScheduleDetail,
  SchedulePreviewRequest,
  SHOWN_SHIFTS,
} from '../../core/on-call/shown-schedule.ts'
import { calendarAddress } from '../calendar-address.ts'
import { one } from '../envelope.ts'
import type { Operation } from '../operation.ts'

const PATH = '/schedules'
const ONE = `${PATH}/{schedule}`
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const
const CALENDAR = calendarAddress(`${ONE}/calendar`, 'a schedule’s calendar', ['notFound'])

/** At most MAX_SHOWN_DAYS apart. */
const ShiftsQuery = z.object({ from: instantParameter(), until: instantParameter() })

export const scheduleOperations = {
  listSchedules: {
    internal: true,
    method: 'GET',
    path: PATH,
    summary: 'List on-call schedules by name, with who is on call now and who comes next',
    access: 'read',
    status: 200,
    output: z.object({ data: SCHEDULE_ROWS }),
    errors: [],
  },
  createSchedule: {
    internal: true,
    method: 'POST',
    path: PATH,
    summary: 'Create an on-call schedule',
    access: 'write',
    body: Schedule,
    status: 201,
    output: one(ScheduleDetail),
    errors: [...BODY_ERRORS],
  },
  previewSchedule: {
    internal: true,
    method: 'POST',
    path: `${PATH}/preview`,
    summary: 'Show the shifts that a schedule would have, without creating it',
    access: 'read',
    body: SchedulePreviewRequest,
    status: 200,
    output: z.object({ data: SHOWN_SHIFTS }),
    errors: [...BODY_ERRORS],
  },
  getSchedule: {
    internal: true,
    method: 'GET',
    path: ONE,
    summary: 'Show an on-call schedule',
    access: 'read',
    status: 200,
    output: one(ScheduleDetail),
    errors: ['notFound'],
  },
  /** The body is the whole schedule. Participants that are missing go, with their overrides. */
  updateSchedule: {
    internal: true,
    method: 'PATCH',
    path: ONE,
    summary: 'Change an on-call schedule',
    access: 'write',
    body: Schedule,
    status: 200,
    output: one(ScheduleDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteSchedule: {
    internal: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete an on-call schedule',
    access: 'write',
    status: 204,
    errors: ['notFound', 'validationFailed'],
  },
  listScheduleShifts: {
    internal: true,
    method: 'GET',
    path: `${ONE}/shifts`,
    summary: 'List the shifts and gaps of a schedule within a range of time',
    access: 'read',
    query: ShiftsQuery,
    status: 200,
    output: z.object({ data: SHOWN_SHIFTS }),
    errors: ['notFound', 'validationFailed'],
  },
  addScheduleOverride: {
    internal: true,
    method: 'POST',
    path: `${ONE}/overrides`,
    summary: 'Put a participant on call for some time, whatever the layers say',
    access: 'write',
    body: Override,
    status: 201,
    output: one(ScheduleDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  removeScheduleOverride: {
    internal: true,
    method: 'DELETE',
    path: '/schedule-overrides/{scheduleOverride}',
    summary: 'Remove an override: the layers count again',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  showScheduleCalendar: CALENDAR.show,
  createScheduleCalendar: CALENDAR.create,
  deleteScheduleCalendar: CALENDAR.remove,
} as const satisfies Record<string, Operation & { internal: true }>

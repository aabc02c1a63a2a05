import * as z from 'zod'
import { instantParameter, integerParameter } from '../core/lists/parameter.ts'
import {
  MAX_OCCURRENCES,
  MAX_PROLONG_MINUTES,
  OccurrenceRow,
  PreviewRequest,
  SubjectMaintenance,
  WINDOW_ROWS,
  WindowDetail,
  WindowPreview,
  WindowReader,
} from '../core/maintenance/shown-window.ts'
import { ofEachField } from '../core/maintenance/subject-kind.ts'
import {
  chosenField,
  MAX_SWITCH_MINUTES,
  MaintenanceWindow,
  MIN_WINDOW_MINUTES,
  OneOffWindow,
} from '../core/maintenance/window.ts'
import { calendarAddress } from './calendar-address.ts'
import { many, one } from './envelope.ts'
import type { Operation } from './operation.ts'
import { onEach, SUBJECTS } from './subjects.ts'

const PATH = '/maintenance-windows'
const ONE = `${PATH}/{maintenanceWindow}`
const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const
const CALENDAR = calendarAddress('/maintenance-calendar', 'the calendar', [])

/** At most MAX_OCCURRENCE_DAYS apart. */
const OccurrencesQuery = z.object({
  from: instantParameter(),
  to: instantParameter(),
  /** Those of one window alone, for its page. */
  window: integerParameter(1).optional(),
})

const shows = {
  internal: true,
  method: 'GET',
  access: 'read',
  status: 200,
  output: one(SubjectMaintenance),
  errors: ['notFound'],
} as const

const minutes = z.int().min(MIN_WINDOW_MINUTES)
const { name } = OneOffWindow.shape

/** At least one subject. */
const MaintenanceNow = z.object({
  ...ofEachField('_ids', (kind) => OneOffWindow.shape[chosenField(kind)]),
  minutes: minutes.max(MAX_SWITCH_MINUTES).default(60),
  /** In the language of the person. */
  name: name.optional(),
})

export const maintenanceOperations = {
  listMaintenanceWindows: {
    internal: true,
    method: 'GET',
    path: PATH,
    summary: 'List maintenance windows, ordered by name',
    access: 'read',
    /** The sentences are in them. */
    query: WindowReader,
    status: 200,
    output: z.object({ data: WINDOW_ROWS }),
    errors: ['validationFailed'],
  },
  listMaintenanceOccurrences: {
    internal: true,
    method: 'GET',
    path: '/maintenance-occurrences',
    summary: 'List what happens within a range of time, oldest first',
    access: 'read',
    query: OccurrencesQuery,
    status: 200,
    output: many(OccurrenceRow, MAX_OCCURRENCES),
    errors: ['validationFailed'],
  },
  previewMaintenanceWindow: {
    internal: true,
    method: 'POST',
    path: `${PATH}/preview`,
    summary: 'Show what a window would do, without creating it',
    access: 'read',
    body: PreviewRequest,
    status: 200,
    output: one(WindowPreview),
    errors: [...BODY_ERRORS],
  },
  createMaintenanceWindow: {
    internal: true,
    method: 'POST',
    path: PATH,
    summary: 'Create a maintenance window',
    access: 'write',
    body: MaintenanceWindow,
    status: 201,
    output: one(WindowDetail),
    errors: [...BODY_ERRORS],
  },
  /** Two clicks: a one-off window that begins now. */
  maintainMonitors: {
    internal: true,
    method: 'POST',
    path: `${PATH}/now`,
    summary: 'Put monitors, servers and sites under maintenance now',
    access: 'write',
    body: MaintenanceNow,
    status: 201,
    output: one(WindowDetail),
    errors: [...BODY_ERRORS],
  },
  getMaintenanceWindow: {
    internal: true,
    method: 'GET',
    path: ONE,
    summary: 'Show a maintenance window',
    access: 'read',
    /** The preview and the sentence are in them. */
    query: WindowReader,
    status: 200,
    output: one(WindowDetail),
    errors: ['notFound', 'validationFailed'],
  },
  /** The body is the whole window; its kind cannot change. */
  updateMaintenanceWindow: {
    internal: true,
    method: 'PATCH',
    path: ONE,
    summary: 'Change a maintenance window',
    access: 'write',
    body: MaintenanceWindow,
    status: 200,
    output: one(WindowDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  deleteMaintenanceWindow: {
    internal: true,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a maintenance window; a running occurrence ends',
    access: 'write',
    status: 204,
    errors: ['notFound'],
  },
  startMaintenance: {
    internal: true,
    method: 'POST',
    path: `${ONE}/start`,
    summary: 'Turn a switch on',
    access: 'write',
    /** Up to the longest time of the switch, which it is without it. Once more moves its end. */
    body: z.object({ minutes: minutes.max(MAX_SWITCH_MINUTES).optional() }),
    status: 200,
    output: one(WindowDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  endMaintenance: {
    internal: true,
    method: 'POST',
    path: `${ONE}/end`,
    summary: 'End the running occurrence of a window now',
    access: 'write',
    status: 200,
    output: one(WindowDetail),
    errors: ['notFound', 'validationFailed'],
  },
  prolongMaintenance: {
    internal: true,
    method: 'POST',
    path: `${ONE}/prolong`,
    summary: 'Let the running occurrence of a window end later',
    access: 'write',
    body: z.object({ minutes: minutes.max(MAX_PROLONG_MINUTES).default(30) }),
    status: 200,
    output: one(WindowDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  /** One that is to come; to end the running one is `endMaintenance`. */
  callOffMaintenance: {
    internal: true,
    method: 'POST',
    path: `${ONE}/call-off`,
    summary: 'Call off one occurrence of a window',
    access: 'write',
    body: z.object({ starts_at: z.iso.datetime({ offset: true }).transform((value) => new Date(value)) }),
    status: 200,
    output: one(WindowDetail),
    errors: ['notFound', ...BODY_ERRORS],
  },
  rotateMaintenanceAddress: {
    internal: true,
    method: 'POST',
    path: `${ONE}/address`,
    summary: 'Replace the secret address of a switch',
    access: 'write',
    status: 200,
    output: one(WindowDetail),
    errors: ['notFound', 'validationFailed'],
  },
  ...onEach(
    SUBJECTS,
    'get*Maintenance',
    '/maintenance',
    (words) => `Show the maintenance of ${words}, now and next`,
    shows,
  ),
  showMaintenanceCalendar: CALENDAR.show,
  createMaintenanceCalendar: CALENDAR.create,
  deleteMaintenanceCalendar: CALENDAR.remove,
} as const satisfies Record<string, Operation & { internal: true }>

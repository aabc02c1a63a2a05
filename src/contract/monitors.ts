import * as z from 'zod'
import { CheckStatus } from '../core/check.ts'
import { Monitor, MonitorCreate, MonitorPatch, MonitorType } from '../core/monitor.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../core/pagination.ts'
import { one, page } from './envelope.ts'
import { type Operation, PUT_DEPRECATION } from './operation.ts'
import { integerParameter } from './query.ts'

export const MonitorQuery = z.object({
  page: integerParameter(1).default(1),
  // Without a default here: one that was sent is carried over in every link, one that was not is not.
  per_page: integerParameter(1, MAX_PER_PAGE).optional().meta({ default: DEFAULT_PER_PAGE }),
  status: CheckStatus.optional(),
  type: MonitorType.optional(),
})

const PATH = '/monitors/{monitor}'

const update = {
  path: PATH,
  access: 'write',
  body: MonitorPatch,
  status: 200,
  output: one(Monitor),
  errors: ['notFound', 'contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
} as const satisfies Partial<Operation>

export const monitorOperations = {
  listMonitors: {
    method: 'GET',
    path: '/monitors',
    summary: 'List monitors in name order',
    access: 'read',
    query: MonitorQuery,
    status: 200,
    output: page(Monitor),
    errors: ['validationFailed'],
    tool: 'list-monitors',
  },
  createMonitor: {
    method: 'POST',
    path: '/monitors',
    summary: 'Create a monitor',
    access: 'write',
    body: MonitorCreate,
    status: 201,
    output: one(Monitor),
    errors: ['monitorLimitReached', 'contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
    tool: 'create-monitor',
  },
  getMonitor: {
    method: 'GET',
    path: PATH,
    summary: 'Show a monitor',
    access: 'read',
    status: 200,
    output: one(Monitor),
    errors: ['notFound'],
    tool: 'get-monitor',
  },
  updateMonitor: {
    ...update,
    method: 'PATCH',
    summary: 'Change the fields that are sent',
    tool: 'update-monitor',
  },
  replaceMonitor: {
    ...update,
    method: 'PUT',
    summary: 'Change the fields that are sent, as PATCH does',
    deprecated: PUT_DEPRECATION,
  },
  deleteMonitor: {
    method: 'DELETE',
    path: PATH,
    summary: 'Stop checking and remove the monitor from the team',
    access: 'write',
    status: 204,
    errors: ['notFound'],
    tool: 'delete-monitor',
  },
  toggleMonitor: {
    method: 'POST',
    path: `${PATH}/toggle`,
    summary: 'Pause an active monitor, resume a paused one',
    access: 'write',
    status: 200,
    output: one(Monitor),
    errors: ['notFound'],
    tool: 'toggle-monitor',
  },
} as const satisfies Record<string, Operation>

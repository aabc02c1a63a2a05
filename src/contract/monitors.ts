import * as z from 'zod'
import { CheckStatus } from '../core/monitors/check.ts'
import { Monitor, MonitorCreate, MonitorPatch, MonitorType } from '../core/monitors/monitor.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../core/pagination.ts'
import { one, page } from './envelope.ts'
import { examples } from './openapi/examples.ts'
import { PUT_DEPRECATION, PUT_IS_PATCH, type PublicOperation } from './operation.ts'
import { integerParameter } from './query.ts'

export const MonitorQuery = z.object({
  page: integerParameter(1).default(1).describe('Which page of the list.'),
  // Without a default here: one that was sent is carried over in every link, one that was not is not.
  per_page: integerParameter(1, MAX_PER_PAGE)
    .optional()
    .meta({ default: DEFAULT_PER_PAGE, description: 'How many records a page holds.' }),
  status: CheckStatus.optional().describe('Only monitors with this status.'),
  type: MonitorType.optional().describe('Only monitors of this type.'),
})

const PATH = '/monitors/{monitor}'

const UPDATE =
  'Changes the fields that are sent; the others keep their values, and null clears an optional one. `check_interval_minutes` clears `check_interval_seconds` unless that is sent, too. `notification_contact_ids` replaces the whole set. The type cannot change.'

const update = {
  tag: 'Monitors',
  examples: { bodies: examples.monitorPatches, data: examples.monitor },
  path: PATH,
  access: 'write',
  body: MonitorPatch,
  status: 200,
  output: one(Monitor),
  errors: ['notFound', 'contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
} as const satisfies Partial<PublicOperation>

export const monitorOperations = {
  listMonitors: {
    method: 'GET',
    path: '/monitors',
    summary: 'List monitors in name order',
    tag: 'Monitors',
    description:
      'A page of monitors, each with its open incident and its contacts. Follow `links.next` until it is null; filters carry over.',
    examples: { data: [examples.monitor] },
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
    tag: 'Monitors',
    description:
      'The new monitor is `pending` and checked within a second. Each type needs its fields: `url` (all but `heartbeat`), `expected_keyword` (`keyword`), `port` (`tcp`). A heartbeat monitor gets a `heartbeat_url` for its job to request. Ask for `can_add_monitor` of the team first: over the limit of the plan the answer is 402.',
    examples: { bodies: examples.monitorBodies, data: examples.newMonitor },
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
    tag: 'Monitors',
    description: "With its open incident and its contacts. A viewer's token sees secrets masked.",
    examples: { data: examples.monitor },
    access: 'read',
    status: 200,
    output: one(Monitor),
    errors: ['notFound'],
    tool: 'get-monitor',
  },
  updateMonitor: {
    ...update,
    method: 'PATCH',
    summary: 'Change a monitor',
    description: UPDATE,
    tool: 'update-monitor',
  },
  replaceMonitor: {
    ...update,
    method: 'PUT',
    summary: 'Change a monitor, as PATCH does',
    description: `${PUT_IS_PATCH} ${UPDATE}`,
    deprecated: PUT_DEPRECATION,
  },
  deleteMonitor: {
    method: 'DELETE',
    path: PATH,
    summary: 'Delete a monitor',
    tag: 'Monitors',
    description:
      'Checking stops and the monitor leaves the team. Its history is kept, and an administrator can bring it back. The ping URL of a heartbeat monitor stops working.',
    access: 'write',
    status: 204,
    errors: ['notFound'],
    tool: 'delete-monitor',
  },
  toggleMonitor: {
    method: 'POST',
    path: `${PATH}/toggle`,
    summary: 'Pause an active monitor, resume a paused one',
    tag: 'Monitors',
    description:
      'Flips `is_active`; a body is ignored. A pause stops checks, resolves the open incident without an alert and leaves `status` as it was. A resumed monitor is `pending` until its next check.',
    examples: { data: examples.monitor },
    access: 'write',
    status: 200,
    output: one(Monitor),
    errors: ['notFound'],
    tool: 'toggle-monitor',
  },
} as const satisfies Record<string, PublicOperation>

import * as z from 'zod'
import { integerParameter } from '../core/lists/parameter.ts'
import { CheckStatus } from '../core/monitors/check.ts'
import { Monitor, MonitorCreate, MonitorPatch, MonitorType } from '../core/monitors/monitor.ts'
import { neededSettings, TYPES_BY_PLACE } from '../core/monitors/monitor-types.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../core/pagination.ts'
import { one, page } from './envelope.ts'
import { examples } from './openapi/examples.ts'
import { type PublicOperation, patchAndPut } from './operation.ts'

export const MonitorQuery = z.object({
  page: integerParameter(1).default(1).describe('Page number.'),
  // No default here: links repeat `per_page` only if the request had it.
  per_page: integerParameter(1, MAX_PER_PAGE)
    .optional()
    .meta({ default: DEFAULT_PER_PAGE, description: 'Records per page.' }),
  status: CheckStatus.optional().describe(
    'Only monitors with this status; `maintenance` means failing inside a maintenance window.',
  ),
  type: MonitorType.optional().describe('Only monitors of this type.'),
})

const PATH = '/monitors/{monitor}'

const update = patchAndPut(
  'a monitor',
  'Changes the fields that are sent; all others keep their values. Null clears an optional field. `check_interval_minutes` clears `check_interval_seconds` unless both are sent. `notification_contact_ids` replaces the whole set. The type cannot be changed.',
  {
    tag: 'Monitors',
    examples: { bodies: examples.monitorPatches, data: examples.monitor },
    path: PATH,
    body: MonitorPatch,
    output: one(Monitor),
  } as const,
)

export const monitorOperations = {
  listMonitors: {
    method: 'GET',
    path: '/monitors',
    summary: 'List monitors, ordered by name',
    tag: 'Monitors',
    description:
      'Each monitor comes with its open incident and its contacts. Follow `links.next` until it is null; links keep the filters.',
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
    description: `The new monitor is \`pending\` and is checked within a second. Required fields depend on the type: ${neededInWords()}. Contacts alerted are those of \`notification_contact_ids\`, or every contact of the team without any. For a website send its full \`https://\` URL, the type \`http\` and \`check_interval_minutes\` 5. A heartbeat monitor gets a \`heartbeat_url\` for its job to request. Beyond the limit of the plan the answer is 402; \`can_add_monitor\` of the team tells beforehand.`,
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
    description: "Includes the open incident and the contacts. Secrets are masked for a viewer's token.",
    examples: { data: examples.monitor },
    access: 'read',
    status: 200,
    output: one(Monitor),
    errors: ['notFound'],
    tool: 'get-monitor',
  },
  updateMonitor: { ...update.patch, tool: 'update-monitor' },
  replaceMonitor: update.put,
  deleteMonitor: {
    method: 'DELETE',
    path: PATH,
    summary: 'Delete a monitor',
    tag: 'Monitors',
    description:
      'Checks stop and the monitor disappears from the team. Its history is kept, and an administrator can restore it. The ping URL of a heartbeat monitor stops working.',
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
      'Flips `is_active`; a body is ignored. Pausing stops checks, resolves the open incident without an alert and leaves `status` unchanged. A resumed monitor is `pending` until its next check.',
    examples: { data: examples.monitor },
    access: 'write',
    status: 200,
    output: one(Monitor),
    errors: ['notFound'],
    tool: 'toggle-monitor',
  },
} as const satisfies Record<string, PublicOperation>

/** The settings that checks require, each with the types that require it, as a sentence for the documents. */
function neededInWords(): string {
  const code = (word: string) => `\`${word}\``
  const settings = [...new Set(TYPES_BY_PLACE.flatMap(neededSettings))]
  const said = settings.map((setting) => {
    const types = TYPES_BY_PLACE.filter((type) => neededSettings(type).includes(setting))
    const others = TYPES_BY_PLACE.filter((type) => !types.includes(type))
    const isCommon = others.length < types.length
    const named = (isCommon ? others : types).map(code).join(', ')
    return `${code(setting)} (${isCommon ? 'all but ' : ''}${named})`
  })
  return said.join(', ')
}

import { MAX_CAUSE_LENGTH } from '../../core/monitors/cause.ts'
import { ManualState } from '../../core/monitors/heartbeats/manual-state.ts'
import { KEPT_BODY_BYTES } from '../../core/monitors/ping.ts'
import { RATE_LIMITS, WRONG_SECRETS } from '../../core/request-limits.ts'
import type { JsonSchema } from './json-schema.ts'
import { openOperation, openProblems, uuidInPath } from './public.ts'

const SIGNAL = '^(start|fail|log|[0-9]{1,3})$'
const SIGNALS =
  '`start` and `log` are only recorded. `fail` and an exit status from 1 to 255 are a failed check at once; 0 is a success. Options of the monitor may give `start` and exit statuses another meaning.'
const METHODS = { get: ['ByGet', ' by GET'], head: ['ByHead', ' by HEAD'], post: ['', ''] } as const

const STATES = { up: 'up', down: 'down, with the message as the cause' } as const

/** The endpoint that switches manual monitors, served below the site's address. */
export function manualPaths(docsUrl: string): Record<string, JsonSchema> {
  const token = uuidInPath('token', 'The `heartbeat_token` of the monitor.')
  const responses = {
    204: { description: 'Recorded. There is no body.' },
    ...openProblems(
      ['notFound', 'tooManyRequests', 'internal', 'unavailable'],
      docsUrl,
      'No active manual monitor has this token.',
    ),
  }
  const msg = {
    name: 'msg',
    in: 'query',
    description: `Why. The first ${MAX_CAUSE_LENGTH} characters are kept.`,
    schema: { type: 'string', maxLength: 2_048 },
  }
  return Object.fromEntries(
    ManualState.options.map((state) => [
      `/manual/{token}/${state}`,
      {
        post: {
          ...openOperation(
            'Manual monitors',
            `switch${state === 'up' ? 'Up' : 'Down'}`,
            `Say that a manual monitor is ${state}`,
            `The monitor is ${STATES[state]}. Answered once it is stored durably. ${RATE_LIMITS.perHeartbeat} requests per minute and token, ${RATE_LIMITS.pingsPerAddress} per IP address; wrong tokens count apart, ${WRONG_SECRETS.ping} per minute and client network.`,
          ),
          parameters: [token, msg],
          responses,
        },
      },
    ]),
  )
}

/** The ping endpoints for jobs, served below the site's address. */
export function pingPaths(docsUrl: string): Record<string, JsonSchema> {
  const token = uuidInPath('token', 'The `heartbeat_token` of the monitor.')
  const signal = {
    name: 'signal',
    in: 'path',
    required: true,
    description: SIGNALS,
    schema: { type: 'string', maxLength: 5, pattern: SIGNAL },
    example: 'start',
  }
  const ran = 'Records that the job ran.'
  return {
    '/ping/{token}': ping(['pingHeartbeat', 'Report that a job ran', ran], [token], docsUrl),
    '/ping/{token}/{signal}': ping(
      ['signalHeartbeat', 'Report the state of a job', SIGNALS],
      [token, signal],
      docsUrl,
    ),
  }
}

function ping(
  [id, summary, what]: [string, string, string],
  path: JsonSchema[],
  docsUrl: string,
): JsonSchema {
  const description = `${what} Answered once it is stored durably. GET, HEAD and POST do the same. The first ${KEPT_BODY_BYTES / 1_000} kB of the body are stored with the ping; the rest is ignored. ${RATE_LIMITS.perHeartbeat} requests per minute and token, ${RATE_LIMITS.pingsPerAddress} per IP address; wrong tokens count apart, ${WRONG_SECRETS.ping} per minute and client network.`
  const run = {
    name: 'rid',
    in: 'query',
    description: 'Matches the start and the end of one run. Anything but a UUID is ignored.',
    schema: { type: 'string', maxLength: 2_048 },
  }
  const missing = 'No active heartbeat monitor has this token.'
  const responses = {
    204: { description: 'Recorded. There is no body.' },
    ...openProblems(['notFound', 'tooManyRequests', 'internal', 'unavailable'], docsUrl, missing),
  }
  return Object.fromEntries(
    Object.entries(METHODS).map(([method, [suffix, words]]) => [
      method,
      {
        ...openOperation('Heartbeats', id + suffix, summary + words, description),
        parameters: [...path, run],
        responses,
      },
    ]),
  )
}

import { KEPT_BODY_BYTES } from '../../core/monitors/ping.ts'
import { RATE_LIMITS } from '../../core/request-limits.ts'
import type { JsonSchema } from './json-schema.ts'
import { openOperation, openProblems, uuidInPath } from './public.ts'

const SIGNAL = '^(start|fail|log|[0-9]{1,3})$'
const SIGNALS =
  '`start` and `log` only leave a note. `fail`, and an exit status from 1 to 255, are a failed check at once; 0 is a success.'
const METHODS = { get: ['ByGet', ' by GET'], head: ['ByHead', ' by HEAD'], post: ['', ''] } as const

/** What jobs request, below the address of the site. */
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
    '/ping/{token}': ping(['pingHeartbeat', 'Tell that a job ran', ran], [token], docsUrl),
    '/ping/{token}/{signal}': ping(
      ['signalHeartbeat', 'Tell how a job does', SIGNALS],
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
  const description = `${what} Answered once that is durable. GET, HEAD and POST do the same. The first ${KEPT_BODY_BYTES / 1_000} kB of a body are kept with the ping, the rest is ignored. ${RATE_LIMITS.perHeartbeat} requests a minute for each token, ${RATE_LIMITS.pingsPerAddress} for each IP address.`
  const run = {
    name: 'rid',
    in: 'query',
    description: 'Joins the start and the end of one run. Anything but a UUID is ignored.',
    schema: { type: 'string', maxLength: 2_048 },
  }
  const missing = 'No active heartbeat monitor has this token.'
  const responses = {
    204: { description: 'Recorded. There is no body.' },
    ...openProblems(['notFound', 'tooManyRequests', 'internal'], docsUrl, missing),
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

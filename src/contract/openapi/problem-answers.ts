import { PROBLEMS, type ProblemCode, problemOf } from '../../core/errors.ts'
import { MAX_INT32 } from '../../core/record-id.ts'
import { MAX_BODY_BYTES } from '../../core/request-limits.ts'
import { PlanName } from '../../core/teams/plan.ts'
import { type AnswerHeader, headerRefs } from '../answer-headers.ts'
import { schemaRef } from './components.ts'
import type { JsonSchema } from './json-schema.ts'

/** When each refusal is met (specification, section 7). */
export const WHEN = {
  unauthorized: 'No token, or one that is invalid, revoked or expired.',
  monitorLimitReached: 'The team has as many monitors as its plan allows.',
  forbidden:
    "A viewer's token cannot write; a token whose creator has left the team, or that has no team, can nothing.",
  notFound: 'No such record in this team, or no ID at all.',
  methodNotAllowed: 'The path exists, the method does not.',
  gone: 'The operation has reached its sunset.',
  contentTooLarge: `The body is larger than ${MAX_BODY_BYTES / 1_024} KiB.`,
  unsupportedMediaType: 'The body is not sent as `application/json`.',
  validationFailed: 'Fields of the body or of the query are invalid; `errors` names each.',
  tooManyRequests: 'The rate limit is used up; `Retry-After` says how long to wait.',
  internal: 'A fault of the service.',
  unavailable: 'A part of the service does not work.',
} as const satisfies Record<ProblemCode, string>

/** Members beyond `type`, `title` and `status`, as an example shows them. */
const MEMBERS: { [code in ProblemCode]?: Record<string, unknown> } = {
  monitorLimitReached: {
    detail: 'The team has 10 monitors, as many as the free plan allows.',
    plan: 'free',
    max_monitors: 10,
  },
  gone: { detail: 'PUT stopped working on 2027-04-07: use PATCH.' },
  unsupportedMediaType: { detail: 'Send the body as Content-Type: application/json, not text/plain.' },
  validationFailed: {
    detail: 'url is required unless the type is heartbeat.',
    errors: { url: ['url is required unless the type is heartbeat'] },
  },
}

const OWN_HEADERS: { [code in ProblemCode]?: readonly AnswerHeader[] } = {
  unauthorized: ['WWW-Authenticate'],
  tooManyRequests: ['Retry-After'],
}

const SCHEMAS: { [code in ProblemCode]?: string } = {
  monitorLimitReached: 'MonitorLimitProblem',
  validationFailed: 'ValidationProblem',
}

/** It may quote the name of a field, which may be as long as a body. */
const SENTENCE = { type: 'string', maxLength: MAX_BODY_BYTES + 1_000 }

/** The schemas of problem documents (RFC 9457). */
export function problemSchemas(): Record<string, JsonSchema> {
  const members = {
    type: {
      type: 'string',
      format: 'uri-reference',
      maxLength: 2_048,
      description:
        'What kind of problem it is; `about:blank` where the status says it all. Compare it by its path.',
    },
    title: { type: 'string', maxLength: 100, description: 'The kind of problem in words.' },
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    detail: { ...SENTENCE, description: 'What is wrong with this request.' },
  }
  const required = ['type', 'title', 'status']
  const special = (code: ProblemCode, own: Record<string, JsonSchema>) => ({
    type: 'object',
    description: WHEN[code],
    required: [...required, 'detail', ...Object.keys(own)],
    properties: {
      ...members,
      title: { ...members.title, const: PROBLEMS[code].title },
      status: { ...members.status, const: PROBLEMS[code].status },
      ...own,
    },
  })
  return {
    Problem: {
      type: 'object',
      description: 'Why a request was refused (RFC 9457).',
      required,
      properties: members,
    },
    MonitorLimitProblem: special('monitorLimitReached', {
      plan: { type: 'string', enum: PlanName.options, description: 'The plan of the team.' },
      max_monitors: {
        type: 'integer',
        format: 'int32',
        minimum: 0,
        maximum: MAX_INT32,
        description: 'How many monitors it allows.',
      },
    }),
    ValidationProblem: special('validationFailed', {
      errors: {
        type: 'object',
        description: 'For each field, by its path with dots (`config.url`), what is wrong with it.',
        additionalProperties: { type: 'array', minItems: 1, maxItems: 1_000, items: SENTENCE },
      },
    }),
  }
}

/** The answer to a refusal; `headers` are those that come with it besides its own. */
export function problemAnswer(
  code: ProblemCode,
  docsUrl: string,
  headers: readonly AnswerHeader[],
  description: string = WHEN[code],
): JsonSchema {
  const all = [...(OWN_HEADERS[code] ?? []), ...headers]
  return {
    description,
    ...(all.length > 0 && { headers: headerRefs(all) }),
    content: {
      'application/problem+json': {
        schema: schemaRef(SCHEMAS[code] ?? 'Problem'),
        example: problemOf(code, MEMBERS[code] ?? {}, docsUrl),
      },
    },
  }
}

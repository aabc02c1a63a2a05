import { PROBLEMS, type ProblemCode, problemOf } from '../../core/errors.ts'
import { MAX_INT32 } from '../../core/record-id.ts'
import { MAX_BODY_BYTES } from '../../core/request-limits.ts'
import { PlanName } from '../../core/teams/plan.ts'
import { type AnswerHeader, headerRefs } from '../answer-headers.ts'
import { schemaRef } from './components.ts'
import type { JsonSchema } from './json-schema.ts'

/** The condition of each refusal. */
export const PROBLEM_CONDITIONS = {
  unauthorized: 'No token, or one that is invalid, revoked or expired.',
  monitorLimitReached: 'The team has as many monitors as its plan allows.',
  planLimitReached: 'The team has as many status pages, own domains, servers or sites as its plan allows.',
  forbidden:
    "A viewer's token cannot write; a token whose creator has left the team, or that has no team, cannot do anything.",
  notFound: 'No such record in this team, or not an ID.',
  methodNotAllowed: 'The path does not support this method.',
  conflict: 'Another machine reports with the same token.',
  gone: 'The operation has reached its sunset.',
  contentTooLarge: `The body is larger than ${MAX_BODY_BYTES / 1_024} KiB.`,
  unsupportedMediaType: 'The body is not sent as `application/json`.',
  validationFailed: 'Fields of the body or of the query are invalid; `errors` names each.',
  tooManyRequests: 'The rate limit is exceeded; `Retry-After` tells how long to wait.',
  internal: 'An error of the service.',
  unavailable: 'Part of the service is not working; `Retry-After` tells how long to wait.',
} as const satisfies Record<ProblemCode, string>

/** Example members beyond `type`, `title` and `status`. */
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
  unavailable: { detail: 'It cannot be recorded at present: send it again in 10 s.' },
}

const OWN_HEADERS: { [code in ProblemCode]?: readonly AnswerHeader[] } = {
  unauthorized: ['WWW-Authenticate'],
  tooManyRequests: ['Retry-After'],
  unavailable: ['Retry-After'],
}

const SCHEMAS: { [code in ProblemCode]?: string } = {
  monitorLimitReached: 'MonitorLimitProblem',
  validationFailed: 'ValidationProblem',
}

/** A message may quote a field name, which can be as long as the body. */
const SENTENCE = { type: 'string', maxLength: MAX_BODY_BYTES + 1_000 }

/** The schemas of problem documents (RFC 9457). */
export function problemSchemas(): Record<string, JsonSchema> {
  const members = {
    type: {
      type: 'string',
      format: 'uri-reference',
      maxLength: 2_048,
      description: 'The kind of problem; `about:blank` if the status says it all. Compare it by its path.',
    },
    title: { type: 'string', maxLength: 100, description: 'A short name of the kind of problem.' },
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    detail: { ...SENTENCE, description: 'Explains what is wrong with this request.' },
  }
  const required = ['type', 'title', 'status']
  const special = (code: ProblemCode, own: Record<string, JsonSchema>) => ({
    type: 'object',
    description: PROBLEM_CONDITIONS[code],
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
      description: 'The reason for a refusal (RFC 9457).',
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
        description: 'Number of monitors it allows.',
      },
    }),
    ValidationProblem: special('validationFailed', {
      errors: {
        type: 'object',
        description: 'Messages by field; nested fields have dotted paths (`config.url`).',
        additionalProperties: { type: 'array', minItems: 1, maxItems: 1_000, items: SENTENCE },
      },
    }),
  }
}

/** The answer for a refusal; `headers` are added to those of its code. */
export function problemAnswer(
  code: ProblemCode,
  docsUrl: string,
  headers: readonly AnswerHeader[],
  description: string = PROBLEM_CONDITIONS[code],
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

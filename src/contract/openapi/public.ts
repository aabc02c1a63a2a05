import { PROBLEMS, type ProblemCode } from '../../core/errors.ts'
import type { AnswerHeader } from '../answer-headers.ts'
import type { JsonSchema } from './json-schema.ts'
import { problemAnswer } from './problem-answers.ts'
import type { Tag } from './tags.ts'

/** The members shared by all operations that require no token. */
export function openOperation(tag: Tag, operationId: string, summary: string, description: string) {
  return { operationId, tags: [tag], summary, description, security: [] }
}

/** The UUID in the path of an operation without a token: a credential or a public id. */
export function uuidInPath(name: string, description: string): JsonSchema {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', format: 'uuid', maxLength: 36 },
    example: '3f1b0c9e-7a52-4b0e-9c3e-2f6d8a4b5c6d',
  }
}

/** Refusals of an operation without a token, by status; `missing` describes its 404. */
export function openProblems(
  codes: readonly ProblemCode[],
  docsUrl: string,
  missing: string,
  headers: readonly AnswerHeader[] = [],
): JsonSchema {
  return Object.fromEntries(
    codes.map((code) => {
      const description = code === 'notFound' ? missing : undefined
      return [PROBLEMS[code].status, problemAnswer(code, docsUrl, headers, description)]
    }),
  )
}

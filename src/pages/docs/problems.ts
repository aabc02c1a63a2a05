import { PROBLEM_CONDITIONS } from '../../contract/openapi/problem-answers.ts'
import { PROBLEMS, type ProblemCode } from '../../core/errors.ts'
import type { DocsFacts } from './facts.ts'

/** Advice to clients for each refusal. */
const REMEDY: Record<ProblemCode, string> = {
  unauthorized: 'Send a valid token: create one in the dashboard, or with `upbeat token create`.',
  monitorLimitReached: 'Delete a monitor or change the plan. Read `can_add_monitor` of `GET /team` first.',
  planLimitReached: 'Delete a status page or server, remove an own domain, or change the plan.',
  forbidden: 'Use a token of an owner or an admin.',
  notFound:
    'Look the id up in a list. Records of other teams look the same, and so does a ping whose monitor is paused or deleted.',
  methodNotAllowed: 'Send one of the methods that the answer names in `Allow`.',
  conflict: 'Create a server for each machine, and install the address of its own there.',
  gone: 'Read the `Link` header of its earlier answers, or the [changelog](../CHANGELOG.md).',
  contentTooLarge: 'Send less.',
  unsupportedMediaType: 'Send `Content-Type: application/json`.',
  validationFailed: 'Correct the fields and send it again.',
  tooManyRequests:
    'Wait for the number of seconds in `Retry-After`. Where `detail` names a limit of [mail](mail.md), that may be up to a day.',
  internal: 'Try again later; reading, `PATCH` and `DELETE` may be sent again without harm.',
  unavailable: 'Try again in a moment. The API itself does not answer it; pages of the dashboard may.',
}

/** The page of all statuses, generated from the table that the service responds with. */
export function statusesText({ docsUrl }: DocsFacts): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[]
  const rows = codes.map((code) => {
    const problem = PROBLEMS[code]
    const name = 'page' in problem ? `[${problem.title}](${problem.page.slice(1)}.md)` : problem.title
    return `| ${problem.status} | ${name} | ${PROBLEM_CONDITIONS[code]} | ${REMEDY[code]} |`
  })
  const types = codes.flatMap((code) => {
    const problem = PROBLEMS[code]
    return 'page' in problem ? [`- [${docsUrl}${problem.page}](${problem.page.slice(1)}.md)`] : []
  })
  return `# Errors

Every refusal is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) of the type
\`application/problem+json\`, with \`type\`, \`title\` and \`status\`. Read \`status\`, and \`type\` where it is not
\`about:blank\`. Other members may come at any time.

## Statuses

| Status | Title | When | What to do |
|---|---|---|---|
${rows.join('\n')}

When several apply, the first of these is given: 404 or 405 for the path, 401, 429, 403, 404 for the record, 413 or
415, 422, 402.

## Types

Each type is the address of a page that explains it. Addresses follow the service's own: compare the path only.

${types.join('\n')}
`
}

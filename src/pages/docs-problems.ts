import { PROBLEMS, type ProblemCode } from '../core/errors.ts'
import type { DocsFacts } from './docs-contents.ts'

/** When each refusal is given, and what a client does about it. */
const MEANING: Record<ProblemCode, { when: string; remedy: string }> = {
  unauthorized: {
    when: 'No token, or one that is wrong, revoked or expired. The answer has `WWW-Authenticate: Bearer`.',
    remedy: 'Make another token in the dashboard, or by `upbeat token create`.',
  },
  monitorLimitReached: {
    when: 'The team has as many monitors as its plan allows.',
    remedy: 'Delete one or change the plan; ask `can_add_monitor` of `GET /team` first.',
  },
  forbidden: {
    when: 'A viewer writes, or the creator of the token has left its team. Given whatever the body holds.',
    remedy: 'Use a token of an owner or an admin.',
  },
  notFound: {
    when: 'There is no such path or no such record in this team, or the id is malformed. A ping whose token is unknown, or whose monitor is paused or deleted.',
    remedy: 'Look the id up in a list. Records of other teams look the same, so that nobody learns of them.',
  },
  methodNotAllowed: {
    when: 'The path exists, the method does not. The answer names those that do in `Allow`.',
    remedy: 'Send one of them.',
  },
  gone: {
    when: 'A deprecated operation after its last day.',
    remedy: 'Read the `Link` header of its earlier answers, or the [changelog](../CHANGELOG.md).',
  },
  contentTooLarge: { when: 'A body of more than 256 KiB.', remedy: 'Send less.' },
  unsupportedMediaType: {
    when: 'A body that does not say that it is JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  validationFailed: {
    when: 'The body or the query does not fit. `errors` names each field.',
    remedy: 'Correct the fields and send it again.',
  },
  tooManyRequests: {
    when: 'A limit is used up: 60 requests a minute for each user of the API, or those of pings and badges.',
    remedy: 'Wait for as many seconds as `Retry-After` says.',
  },
  internal: {
    when: 'A fault of the service. It is in its log.',
    remedy: 'Try again later; reading, `PATCH` and `DELETE` may be sent again without harm.',
  },
  unavailable: {
    when: 'In the browser only: too many live streams, or the provider that people sign in by is out of reach. `detail` says which.',
    remedy: 'Try again in a moment.',
  },
}

/** The page of every status, made of the table the service answers from. */
export function statusesText({ docsUrl }: DocsFacts): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[]
  const rows = codes.map((code) => {
    const problem = PROBLEMS[code]
    const name = 'page' in problem ? `[${problem.title}](${problem.page.slice(1)}.md)` : problem.title
    return `| ${problem.status} | ${name} | ${MEANING[code].when} | ${MEANING[code].remedy} |`
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

import assert from 'node:assert/strict'
import { printed } from '../../../src/core/validation.ts'
import type { Answer } from './service.ts'

/** Titles and pages as the specification lists them (section 7), and the HTTP phrases of the others. */
const KNOWN: Record<number, { title: string; page?: string }> = {
  401: { title: 'Unauthorized' },
  402: { title: 'Monitor limit reached', page: '/problems/monitor-limit-reached' },
  403: { title: 'Forbidden' },
  404: { title: 'Not Found' },
  405: { title: 'Method Not Allowed' },
  410: { title: 'Gone' },
  413: { title: 'Content Too Large' },
  415: { title: 'Unsupported Media Type' },
  422: { title: 'Validation failed', page: '/problems/validation-failed' },
  429: { title: 'Too Many Requests' },
}

/** A refusal is a problem document with `type`, `title` and `status` first, in that order. */
export function assertProblem(answer: Answer, status: number, docsUrl?: string): void {
  const { body, headers } = answer
  assert.equal(answer.status, status, `expected ${status}, got ${answer.status} ${JSON.stringify(body)}`)
  assert.equal(headers.get('content-type'), 'application/problem+json')
  assert.deepEqual(Object.keys(body).slice(0, 3), ['type', 'title', 'status'])
  const known = KNOWN[status]
  assert.equal(body.title, known?.title)
  assert.equal(body.status, status)
  if (!known?.page) assert.equal(body.type, 'about:blank')
  else if (docsUrl) assert.equal(body.type, `${docsUrl}${known.page}`)
  else assert.ok(body.type.endsWith(known.page), body.type)
  assert.equal('message' in body, false)
}

/** A 422 whose `errors` name exactly these fields, each with sentences that begin with the field. */
export function assertInvalid(answer: Answer, fields: string[]): void {
  assertProblem(answer, 422)
  const { said, faults, ...document } = answer.body
  assert.deepEqual(Object.keys(document), ['type', 'title', 'status', 'detail', 'errors'])
  // The dashboard gets the sentences as data, too.
  if (faults !== undefined) assert.deepEqual([said, printed(faults)], [null, document.errors])
  assert.equal(typeof answer.body.detail, 'string')
  const errors: Record<string, string[]> = answer.body.errors
  assert.deepEqual(Object.keys(errors).sort(), [...fields].sort(), JSON.stringify(errors))
  for (const [field, messages] of Object.entries(errors)) {
    assert.ok(Array.isArray(messages) && messages.length > 0)
    for (const message of messages) {
      assert.ok(message.startsWith(`${field} `), message)
      assert.match(message.slice(field.length + 1), /^(is|must|cannot) \S/, message)
    }
  }
}

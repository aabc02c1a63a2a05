import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'

const OK = { source: 'json', property: '$.status', comparison: 'equals', target: 'ok' }
const IN_LIST = { source: 'status_code', comparison: 'one_of', target: [200, 204], severity: 'degraded' }

const at = (field: string) => `options.assertions.0.${field}`

describe('the assertions of a monitor', () => {
  let service: AskedService
  let team: TestTeam

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
  })

  const call = (method: string, path: string, body?: unknown) => service.call(team.admin, method, path, body)

  it('are answered as they were sent, with their severity, and go by null', async () => {
    const created = await call('POST', '/monitors', {
      ...MONITORS.http,
      options: { assertions: [OK, IN_LIST] },
    })
    const { id, options } = created.body.data
    assert.deepEqual(options, { assertions: [{ ...OK, severity: 'down' }, IN_LIST] })
    // The members, too, come in the order of the documents.
    assert.equal(
      JSON.stringify((await call('GET', `/monitors/${id}`)).body.data.options),
      JSON.stringify({ assertions: [{ ...OK, severity: 'down' }, IN_LIST] }),
    )
    const patched = await call('PATCH', `/monitors/${id}`, {
      options: { assertions: [IN_LIST], attempts: 2 },
    })
    assert.deepEqual(patched.body.data.options, { assertions: [IN_LIST], attempts: 2 })
    const removed = await call('PATCH', `/monitors/${id}`, { options: { assertions: null } })
    assert.deepEqual(removed.body.data.options, { attempts: 2 })
  })

  it('are refused at their place, whatever is wrong with them', async () => {
    for (const [assertion, field, message] of [
      [{ ...OK, property: '$.a[' }, at('property'), /must be a JSONPath of RFC 9535 \(/],
      [
        { source: 'body', comparison: 'matches', target: '(?=a)' },
        at('target'),
        /must be a pattern of RE2 \(/,
      ],
      [
        { source: 'answer', comparison: 'exists' },
        at('source'),
        /is nothing that a monitor of type http has/,
      ],
      [{ source: 'status_code', comparison: 'contains', target: '2' }, at('comparison'), /must be one that/],
      [{ ...OK, target: undefined }, at('target'), /must be a text, a number, true, false or null/],
      [{ ...OK, extra: 1 }, at('extra'), /is not known here/],
    ] as const) {
      const answer = await call('POST', '/monitors', {
        ...MONITORS.http,
        options: { assertions: [assertion] },
      })
      assertInvalid(answer, [field])
      assert.match(answer.body.errors[field][0], message)
    }
  })

  it('are at most 20, and only of types whose checks read an answer', async () => {
    const many = { assertions: Array.from({ length: 21 }, () => OK) }
    assertInvalid(await call('POST', '/monitors', { ...MONITORS.http, options: many }), [
      'options.assertions',
    ])
    for (const type of ['icmp', 'ssl', 'heartbeat'] as const)
      assertInvalid(await call('POST', '/monitors', { ...MONITORS[type], options: { assertions: [OK] } }), [
        'options.assertions',
      ])
  })
})

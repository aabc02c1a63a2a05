import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations, contract, type PublicOperationId } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { Contact } from '../../src/core/alerting/contact.ts'
import { PROBLEMS } from '../../src/core/errors.ts'
import { Check } from '../../src/core/monitors/check.ts'
import { Incident } from '../../src/core/monitors/incident.ts'
import { Monitor } from '../../src/core/monitors/monitor.ts'
import { Team } from '../../src/core/teams/team.ts'
import { implementations } from '../../src/operations/implementations.ts'
import {
  CHECK_FIELDS,
  CONTACT_FIELDS,
  INCIDENT_FIELDS,
  MONITOR_FIELDS,
  TEAM_FIELDS,
} from '../support/services/api-bodies.ts'

/** The endpoints of the specification, section 4: method, path, who may, what success is. */
const ENDPOINTS = [
  'GET /monitors read 200',
  'POST /monitors write 201',
  'GET /monitors/{monitor} read 200',
  'PATCH /monitors/{monitor} write 200',
  'PUT /monitors/{monitor} write 200',
  'DELETE /monitors/{monitor} write 204',
  'POST /monitors/{monitor}/toggle write 200',
  'GET /monitors/{monitor}/checks read 200',
  'GET /monitors/{monitor}/incidents read 200',
  'GET /incidents read 200',
  'GET /notification-contacts read 200',
  'POST /notification-contacts write 201',
  'GET /notification-contacts/{notificationContact} read 200',
  'PATCH /notification-contacts/{notificationContact} write 200',
  'PUT /notification-contacts/{notificationContact} write 200',
  'DELETE /notification-contacts/{notificationContact} write 204',
  'GET /team read 200',
]

/** The tools of the MCP server (product, section 9). */
const TOOLS = [
  'list-monitors',
  'get-monitor',
  'create-monitor',
  'update-monitor',
  'delete-monitor',
  'toggle-monitor',
  'list-monitor-checks',
  'list-incidents',
  'list-notification-contacts',
  'create-notification-contact',
  'get-team',
]

const operations = Object.entries(contract) as [PublicOperationId, Operation][]

describe('the contract', () => {
  it('has exactly the endpoints of the specification', () => {
    const listed = operations.map(
      ([, { method, path, access, status }]) => `${method} ${path} ${access} ${status}`,
    )
    assert.deepEqual(listed.sort(), [...ENDPOINTS].sort())
  })

  it('has one implementation per operation, and the deprecated one is the very one it stands for', () => {
    assert.deepEqual(Object.keys(implementations).sort(), Object.keys(allOperations).sort())
    assert.equal(implementations.replaceMonitor, implementations.updateMonitor)
    assert.equal(implementations.replaceContact, implementations.updateContact)
  })

  it('asks of PUT exactly what it asks of PATCH', () => {
    for (const [put, patch] of [
      [contract.replaceMonitor, contract.updateMonitor],
      [contract.replaceContact, contract.updateContact],
    ] as const) {
      for (const key of ['path', 'access', 'body', 'status', 'output', 'errors'] as const) {
        assert.equal(put[key], patch[key], key)
      }
    }
  })

  it('deprecates PUT and nothing else, from 2026-04-07 until 2027-04-07', () => {
    for (const [id, { method, deprecated }] of operations) {
      const expected =
        method === 'PUT'
          ? { since: new Date('2026-04-07T00:00:00Z'), sunset: new Date('2027-04-07T00:00:00Z') }
          : undefined
      assert.deepEqual(deprecated, expected, id)
    }
  })

  it('offers the eleven tools of the MCP server', () => {
    const named = operations.flatMap(([, { tool }]) => tool ?? [])
    assert.deepEqual([...new Set(named)].sort(), [...TOOLS].sort())
  })

  it('puts operations into one tool only when they differ by nothing but the record that they want', () => {
    for (const name of TOOLS) {
      const [first, ...others] = operations.filter(([, { tool }]) => tool === name)
      assert.ok(first, name)
      const { method, access, query, body, path } = first[1]
      for (const [id, other] of others) {
        assert.deepEqual(
          [other.method, other.access, other.query, other.body],
          [method, access, query, body],
          id,
        )
        assert.notEqual(other.path.includes('{'), path.includes('{'), id)
      }
    }
  })

  it('describes an answer wherever there is one, and only there', () => {
    for (const [id, { status, output }] of operations) assert.equal(output === undefined, status === 204, id)
  })

  it('takes a body where the specification gives one, and only there', () => {
    const taking = operations.filter(([, { body }]) => body).map(([id]) => id)
    const expected = [
      'createMonitor',
      'updateMonitor',
      'replaceMonitor',
      'createContact',
      'updateContact',
      'replaceContact',
    ]
    assert.deepEqual(taking.sort(), expected.sort())
  })

  it('knows a refusal for what each operation reads: 404 for an id, 413, 415 and 422 for a body', () => {
    for (const [id, { path, query, body, errors }] of operations) {
      const expected = new Set([
        ...(path.includes('{') ? ['notFound'] : []),
        ...(body ? ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] : []),
        ...(query ? ['validationFailed'] : []),
        ...(id === 'createMonitor' ? ['monitorLimitReached'] : []),
      ])
      assert.deepEqual(new Set(errors), expected, id)
    }
  })

  it('shows each record with the fields and in the order of the specification', () => {
    for (const [record, fields] of [
      [Monitor, MONITOR_FIELDS],
      [Contact, CONTACT_FIELDS],
      [Incident, INCIDENT_FIELDS],
      // Only checks of several requests have the last one.
      [Check, [...CHECK_FIELDS, 'steps']],
      [Team, TEAM_FIELDS],
    ] as const) {
      assert.deepEqual(Object.keys(record.shape), fields)
    }
  })

  it('gives each problem of the specification its title, status and page', () => {
    const listed = Object.values(PROBLEMS).map((problem) => [
      problem.status,
      problem.title,
      'page' in problem ? problem.page : 'about:blank',
    ])
    for (const expected of [
      [401, 'Unauthorized', 'about:blank'],
      [402, 'Monitor limit reached', '/problems/monitor-limit-reached'],
      [403, 'Forbidden', 'about:blank'],
      [404, 'Not Found', 'about:blank'],
      [422, 'Validation failed', '/problems/validation-failed'],
      [429, 'Too Many Requests', 'about:blank'],
      [500, 'Internal Server Error', 'about:blank'],
    ]) {
      assert.deepEqual(
        listed.find(([status]) => status === expected[0]),
        expected,
      )
    }
  })
})

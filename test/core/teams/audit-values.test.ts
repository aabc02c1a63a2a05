import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations } from '../../../src/contract/contract.ts'
import { parametersOf } from '../../../src/contract/operation.ts'
import { SECRET_SETTINGS } from '../../../src/core/monitors/secret-settings.ts'
import { changesOf, LOGGED_VALUES } from '../../../src/core/teams/audit-values.ts'

/** Names of fields that hold secrets, or may hold some. */
const SECRET = new RegExp(
  `url|config|password|token|secret|header|address|phone|${Object.keys(SECRET_SETTINGS).join('|')}`,
)

describe('the values that the audit log keeps', () => {
  it('are of fields that operations take, and of none that may hold a secret', () => {
    const taken = Map.groupBy(Object.values(allOperations), ({ path }) => parametersOf(path)[0] ?? '')
    for (const [record, fields] of Object.entries(LOGGED_VALUES)) {
      const schemas = JSON.stringify(
        (taken.get(record) ?? []).map((operation) => ('body' in operation ? keysIn(operation.body) : [])),
      )
      for (const field of fields) {
        assert.ok(schemas.includes(`"${field}"`), `${record}.${field} is taken by no operation`)
        assert.doesNotMatch(field, SECRET, `${record}.${field}`)
      }
    }
  })

  /** The names of fields in a schema, those of each choice where it has some. */
  function keysIn(schema: unknown): string[] {
    const { shape, options, def } = schema as Record<string, unknown> & { def?: Record<string, unknown> }
    if (shape) return Object.keys(shape as object)
    const inner = [...((options ?? []) as unknown[]), def?.innerType, def?.in, def?.left, def?.right]
    return inner.filter(Boolean).flatMap(keysIn)
  }

  it('are those that differ, part by part', () => {
    const before = {
      name: 'shop',
      is_active: true,
      port: null,
      url: 'https://a.example/?key=1',
      password: 'x',
    }
    const after = {
      name: 'store',
      is_active: true,
      port: 443,
      url: 'https://b.example/?key=2',
      password: 'y',
    }
    assert.deepEqual(changesOf('monitor', before, after), [
      { field: 'name', before: 'shop', after: 'store' },
      { field: 'port', before: null, after: '443' },
    ])
    assert.deepEqual(
      changesOf(
        'server',
        { thresholds: { cpu: { fail: 90 }, disk: { fail: 95 } }, contact_ids: [2, 1] },
        { thresholds: { cpu: { fail: 80 }, disk: { fail: 95 } }, contact_ids: [1, 2] },
      ),
      [{ field: 'thresholds cpu fail', before: '90', after: '80' }],
    )
    assert.deepEqual(changesOf('notificationContact', { name: 'Ada' }, { name: 'Ada L.' }), [])
    assert.deepEqual(changesOf('monitor', undefined, after), [])
    const [long] = changesOf('monitor', { name: '' }, { name: 'x'.repeat(300) })
    assert.equal(long?.after?.length, 201)
  })
})

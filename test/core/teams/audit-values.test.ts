import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations, type OperationId } from '../../../src/contract/contract.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { SECRET_SETTINGS } from '../../../src/core/monitors/secret-settings.ts'
import { changesOf, LOGGED_VALUES } from '../../../src/core/teams/audit-values.ts'
import { isAudited, loggedAs } from '../../../src/operations/teams/audit-trail.ts'
import { encryptedColumns } from '../../support/postgres/encrypted-columns.ts'

/** Names of fields that hold secrets, or may hold some. */
const SECRET = new RegExp(
  `url|config|password|token|secret|header|address|phone|${Object.keys(SECRET_SETTINGS).join('|')}`,
)

/** The names of fields in a schema, those of each choice where it has some. */
function keysIn(schema: unknown): string[] {
  const { shape, options, def } = schema as Record<string, unknown> & { def?: Record<string, unknown> }
  if (shape) return Object.keys(shape as object)
  const inner = [...((options ?? []) as unknown[]), def?.innerType, def?.in, def?.left, def?.right]
  return inner.filter(Boolean).flatMap(keysIn)
}

/** The decisions of each record. */
const DECIDED: Record<string, Record<string, boolean>> = LOGGED_VALUES

/** The fields that audited operations take, by the record that they are about. */
function takenFields(): Record<string, string[]> {
  const bodies = (Object.entries(allOperations) as [OperationId, Operation][]).flatMap(([id, operation]) =>
    operation.body && isAudited(operation)
      ? keysIn(operation.body).map((field) => [loggedAs(id), field] as const)
      : [],
  )
  const byRecord = Object.entries(Object.groupBy(bodies, ([record]) => record))
  return Object.fromEntries(
    byRecord.map(([record, fields = []]) => [record, [...new Set(fields.map(([, field]) => field))].sort()]),
  )
}

describe('the values that the audit log keeps', () => {
  it('are decided for each field that an operation takes, and for no other', () => {
    const decided = Object.entries(DECIDED).map(([record, fields]) => [record, Object.keys(fields).sort()])
    assert.deepEqual(Object.fromEntries(decided), takenFields())
  })

  it('are of no field that may hold a secret', async () => {
    const sealed = new Set((await encryptedColumns()).map((column) => column.split('.').at(-1)))
    assert.ok(sealed.has('password') && sealed.has('config'))
    for (const [record, fields] of Object.entries(DECIDED)) {
      for (const [field, isKept] of Object.entries(fields)) {
        if (!isKept) continue
        assert.doesNotMatch(field, SECRET, `${record}.${field}`)
        assert.ok(!sealed.has(field), `${record}.${field} is sealed where it is stored`)
      }
    }
  })

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
    assert.deepEqual(changesOf('monitor', null, { port: 443, password: 'y' }), [
      { field: 'port', before: null, after: '443' },
    ])
    const [long] = changesOf('monitor', { name: '' }, { name: 'x'.repeat(300) })
    assert.equal(long?.after?.length, 201)
  })
})

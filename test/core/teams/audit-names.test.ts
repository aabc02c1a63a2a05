import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { idsIn, withNames } from '../../../src/core/teams/audit-names.ts'

const CHANGE = { field: 'monitor_ids', before: '3, 5', after: '3, 5, 12' }

describe('ids in the audit log', () => {
  it('are those of the fields that hold ids, by their table', () => {
    const changes = [CHANGE, { field: 'check_interval_minutes', before: '7', after: '8' }]
    assert.deepEqual([...idsIn(changes)], [['monitors', new Set([3, 5, 12])]])
    assert.deepEqual(
      [...idsIn([{ field: 'policy_id', before: null, after: '4' }])],
      [['escalation_policies', new Set([4])]],
    )
  })

  it('get the names that are known, and stay where there is none', () => {
    const names = new Map([
      [
        'monitors',
        new Map([
          [3, 'Shop, new'],
          [12, '5'],
        ]),
      ] as const,
    ])
    assert.deepEqual(withNames([CHANGE], names), [
      { field: 'monitor_ids', before: 'Shop, new (3), 5', after: 'Shop, new (3), 5, 5 (12)' },
    ])
  })

  it('of a value that was cut leave out the last, which may lack digits', () => {
    const cut = { field: 'monitor_ids', before: null, after: '3, 12…' }
    assert.deepEqual(idsIn([cut]).get('monitors'), new Set([3]))
    const names = new Map([
      [
        'monitors',
        new Map([
          [3, 'Shop'],
          [12, 'not this one'],
        ]),
      ] as const,
    ])
    assert.equal(withNames([cut], names)[0]?.after, 'Shop (3), 12…')
  })

  it('of a change of tags are of the kind beside them', () => {
    const ids = { field: 'ids', before: null, after: '8' }
    assert.deepEqual(
      [...idsIn([{ field: 'kind', before: null, after: 'site' }, ids])],
      [['sites', new Set([8])]],
    )
    assert.deepEqual([...idsIn([ids])], [])
  })

  it('are none where the value is words', () => {
    const members = { field: 'options members', before: '{"tags":["a"]}', after: '3' }
    assert.deepEqual(idsIn([members]).get('monitors'), new Set([3]))
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CheckStatus } from '../../../../src/core/monitors/check.ts'
import {
  type GroupRule,
  groupResult,
  type MemberState,
  NOBODY_COUNTS,
} from '../../../../src/core/monitors/groups/group-state.ts'

const member = (name: string, status: CheckStatus, isActive = true): MemberState => ({
  name,
  status,
  isActive,
})
const [shop, search, login] = ['Shop', 'Search', 'Login'] as const
const UP = member('Blog', 'up')

const anyRule: fc.Arbitrary<GroupRule> = fc.oneof(
  fc.constantFrom<GroupRule>('all', 'any'),
  fc.integer({ min: 1, max: 12 }).map((n) => ({ at_least: n })),
  fc.integer({ min: 1, max: 100 }).map((p) => ({ percent: p })),
)
const anyMembers = fc.array(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 8 }),
    status: fc.constantFrom(...CheckStatus.options),
    isActive: fc.boolean(),
  }),
  { maxLength: 12 },
)

/** Tried one by one: the least number of members that must be up is the first that the rule is content with. */
function isUpByHand(rule: GroupRule, up: number, all: number): boolean {
  if (rule === 'all') return up === all
  if (rule === 'any') return up > 0
  if ('at_least' in rule) return up === all || up >= rule.at_least
  return (up / all) * 100 >= rule.percent - 1e-9
}

describe('the state of a group', () => {
  it('is that of its rule over the members that count, whatever they are', () => {
    fc.assert(
      fc.property(anyRule, anyMembers, (rule, members) => {
        const counted = members.filter(
          ({ status, isActive }) => isActive && ['up', 'degraded', 'down'].includes(status),
        )
        const up = counted.filter(({ status }) => status !== 'down').length
        const { status, errorMessage, note } = groupResult(rule, members)
        if (counted.length === 0) return status === 'pending' && errorMessage === NOBODY_COUNTS
        const words = `${counted.length - up} of ${counted.length} down: `
        if (isUpByHand(rule, up, counted.length))
          return (
            status === 'up' && errorMessage === null && (up === counted.length || note?.startsWith(words))
          )
        return status === 'down' && errorMessage?.startsWith(words) === true
      }),
      { numRuns: 2_000 },
    )
  })

  it('says which members are down, at most five of them', () => {
    const down = [shop, search, login].map((name) => member(name, 'down'))
    const more = ['A', 'B', 'C'].map((name) => member(name, 'down'))
    const cause = (members: MemberState[]) => groupResult('all', members).errorMessage
    assert.equal(cause([...down, UP, UP]), '3 of 5 down: Shop, Search, Login')
    assert.equal(cause([...down, ...more, UP]), '6 of 7 down: Shop, Search, Login, A, B, …')
    assert.equal(groupResult('any', [...down, UP]).note, '3 of 4 down: Shop, Search, Login')
  })

  it('is what it is without the members that do not count', () => {
    const planned = member(shop, 'maintenance')
    assert.equal(groupResult({ at_least: 2 }, [planned, UP]).status, 'up')
    assert.equal(groupResult({ at_least: 2 }, [planned, UP, member(login, 'down')]).status, 'down')
    assert.equal(groupResult('all', [member(login, 'down', false), UP]).status, 'up')
    assert.equal(groupResult('all', [member(login, 'degraded')]).status, 'up')
  })

  it('is pending where none counts, and a failure goes on only while members fail as planned', () => {
    const leave = (...members: MemberState[]) => groupResult('all', members).membersLeave
    assert.equal(leave(), true)
    assert.equal(leave(member(shop, 'down', false), member(login, 'pending')), true)
    assert.equal(leave(member(shop, 'maintenance'), member(login, 'pending')), false)
    assert.equal(leave(member(shop, 'maintenance', false)), true)
    assert.equal(leave(UP), undefined)
  })
})

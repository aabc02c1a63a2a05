import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groupFault, parentFault } from '../../../../src/core/monitors/groups/group-links.ts'

const links = (pairs: Record<number, number[]>) =>
  new Map(Object.entries(pairs).map(([id, to]) => [Number(id), to]))
const known = (members: Record<number, number[]> = {}, parents: Record<number, number[]> = {}) => ({
  members: links(members),
  parents: links(parents),
})

describe('a group', () => {
  it('does not contain itself, and the way says how it would', () => {
    assert.deepEqual(groupFault(1, [1], known()), { kind: 'cycle', way: [1, 1] })
    assert.deepEqual(groupFault(1, [2], known({ 2: [3], 3: [1] })), { kind: 'cycle', way: [1, 2, 3, 1] })
    assert.equal(groupFault(1, [2, 3], known({ 2: [4], 3: [4] })), null)
  })

  it('stands at most three deep, with those above it', () => {
    const three = { 2: [3], 3: [9] }
    assert.equal(groupFault(1, [2], known(three)), null)
    assert.deepEqual(groupFault(1, [2], known({ ...three, 3: [4], 4: [9] })), {
      kind: 'depth',
      way: [1, 2, 3, 4],
    })
    assert.deepEqual(groupFault(2, [3], known({ 1: [2], 3: [4], 4: [9] })), {
      kind: 'depth',
      way: [1, 2, 3, 4],
    })
    assert.deepEqual(groupFault(null, [2], known({ ...three, 3: [4], 4: [9] }))?.kind, 'depth')
  })

  it('is no parent of its members, at any depth, from whichever side it is made', () => {
    assert.deepEqual(groupFault(1, [8], known({}, { 8: [1] })), { kind: 'parent', way: [8, 1] })
    assert.deepEqual(groupFault(1, [2], known({ 2: [8] }, { 8: [7], 7: [1] })), {
      kind: 'parent',
      way: [8, 7, 1],
    })
    assert.deepEqual(groupFault(2, [8], known({ 1: [2] }, { 8: [1] })), { kind: 'parent', way: [8, 1] })
    assert.deepEqual(parentFault(8, [1], known({ 1: [8] })), { kind: 'parent', way: [8, 1] })
    assert.deepEqual(parentFault(8, [7], known({ 1: [2], 2: [8] }, { 7: [1] })), {
      kind: 'parent',
      way: [8, 7, 1],
    })
    assert.equal(parentFault(8, [1], known({ 1: [9] })), null)
    assert.equal(groupFault(1, [8], known({}, { 1: [8] })), null)
  })
})

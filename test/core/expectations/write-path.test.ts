import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonNode, jsonPathOf } from '../../../src/core/expectations/json-path.ts'
import { pathTo } from '../../../src/core/expectations/write-path.ts'

const NAMES = [
  'a',
  'A_1',
  '_',
  'naïve',
  '1a',
  '',
  'two words',
  "it's",
  'say "x"',
  'back\\slash',
  '$',
  '*',
  '..',
  ']',
  '\n',
  '😀',
  '\u2028',
]
const LEAVES: JsonNode[] = [null, true, 0, -1.5, '', 'ok']

/** Every name once beside lists and leaves, three levels deep. */
function made(levels: number): JsonNode {
  if (levels === 0) return LEAVES
  return Object.fromEntries(NAMES.map((name, at) => [name, at % 3 === 0 ? [made(levels - 1)] : made(0)]))
}

function* leavesOf(
  node: JsonNode,
  steps: (string | number)[] = [],
): Generator<[(string | number)[], JsonNode]> {
  if (typeof node !== 'object' || node === null) return yield [steps, node]
  const entries: [string | number, JsonNode][] = Array.isArray(node)
    ? [...node.entries()]
    : Object.entries(node)
  for (const [step, value] of entries) yield* leavesOf(value, [...steps, step])
}

describe('the path of one value', () => {
  it('is short where names allow it', () => {
    assert.equal(pathTo([]), '$')
    assert.equal(pathTo(['queue', 'jobs', 3, 'is_late']), '$.queue.jobs[3].is_late')
    assert.equal(pathTo(['two words', '1a']), '$["two words"]["1a"]')
  })

  it('reads that value and no other, whatever the names on the way are', () => {
    const document = made(2)
    const leaves = [...leavesOf(document)]
    assert.ok(leaves.length > 500, String(leaves.length))
    for (const [steps, value] of leaves) {
      const path = pathTo(steps)
      assert.deepEqual(jsonPathOf(path).valuesIn(document), [value], path)
    }
    assert.equal(new Set(leaves.map(([steps]) => pathTo(steps))).size, leaves.length)
  })
})

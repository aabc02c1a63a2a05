import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failTogether, type Sighting } from '../../src/core/mass-failure.ts'

const NOW = 1_000_000

/** One sighting a second, the newest last and now: `F` fails, `a` answers, each on a network of its own. */
function seen(outcomes: string, changes: Partial<Sighting> = {}): Sighting[] {
  return Array.from(outcomes, (letter, i) => ({
    network: `203.${i}.0.0/16`,
    atMs: NOW - (outcomes.length - 1 - i) * 1_000,
    outcome: letter === 'F' ? 'failing' : 'answered',
    ...changes,
  }))
}

describe('targets fail together', () => {
  const rules: [name: string, sightings: Sighting[], together: boolean][] = [
    ['not when nothing has been seen', [], false],
    ['not when one of many fails', seen('aaaaaaaaaaaaaaaaaaaF'), false],
    ['not on nine networks, though all of them fail', seen('FFFFFFFFF'), false],
    ['on ten networks that all fail', seen('FFFFFFFFFF'), true],
    ['when seven of ten fail', seen('FaFFaFFaFF'), true],
    ['not when six of ten do', seen('FaFFaFFaFa'), false],
    ['when the last ten do, whatever was before', seen('aaaaaaaaaaaaaaaaaaaaFFFFFFFFFF'), true],
    ['not any more when the last ten answer', seen('FFFFFFFFFFFFFFFFFFFFaaaaaaaaaa'), false],
    ['not when they all are on one network', seen('FFFFFFFFFFFF', { network: '203.0.0.0/16' }), false],
    ['not when it was two minutes ago', seen('FFFFFFFFFF', { atMs: NOW - 120_001 }), false],
    ['within two minutes', seen('FFFFFFFFFF', { atMs: NOW - 120_000 }), true],
    [
      'by the newest sighting of each network, in whatever order they come',
      [...seen('FFFFFFFFFF'), ...seen('aaaaaaaaaa', { atMs: NOW - 60_000 })],
      true,
    ],
    [
      'not when each has answered since',
      [...seen('aaaaaaaaaa', { atMs: NOW }), ...seen('FFFFFFFFFF', { atMs: NOW - 1 })],
      false,
    ],
  ]
  for (const [name, sightings, together] of rules) {
    test(name, () => assert.equal(failTogether(sightings, NOW), together))
  }
})

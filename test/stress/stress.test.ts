import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descendants } from './duty-cycle.ts'
import { HARDSHIPS } from './hardships.ts'
import { runOnce, sumTimes } from './run-once.ts'
import { stressTable } from './table.ts'

const busy = (code: number) => [process.execPath, '-e', `console.log('so it goes'); process.exit(${code})`]

// One loop shows what eight do: on a machine that is busy already, those take minutes of both cores.
for (const hardship of [HARDSHIPS.quiet, { says: 'a busy loop beside it', loops: 1 }, HARDSHIPS.half]) {
  test(`a run with ${hardship.says} has the end and the output of the command`, async () => {
    const { code, output, cpuSeconds, wallSeconds } = await runOnce(busy(7), hardship)
    assert.deepEqual([code, output], [7, 'so it goes\n'])
    assert.ok(cpuSeconds > 0 && wallSeconds > 0)
  })
}

test('the times of a shell are those of its children', () => {
  assert.equal(sumTimes('0m9.00s 0m9.00s\n1m2.50s 0m3.25s\n'), 65.75)
})

test('a process is held back with all that it has started', () => {
  const listing: [number, number][] = [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 1],
  ]
  assert.deepEqual(descendants(2, listing), [2, 3])
  assert.deepEqual(descendants(1, listing), [1, 2, 3, 4])
})

test('the table names what failed', () => {
  const run = { wallSeconds: 90.4, cpuSeconds: 150.2, says: 'one core' }
  const failure = '✖ test/a.test.ts:3  a > b\n  Error\n'
  const table = stressTable([
    { ...run, code: 0, output: 'Everything passed: 2,616 tests, 2 steps at a time, in 90 s\n' },
    { ...run, code: 1, output: `${failure}\n${failure}\n1 failed` },
    { ...run, code: 3, output: '' },
  ])
  assert.deepEqual(table.split('\n').slice(2), [
    '| 1 | one core | 90 | 150 | 2,616 tests |',
    '| 2 | one core | 90 | 150 | failed: test/a.test.ts:3  a > b |',
    '| 3 | one core | 90 | 150 | exit code 3 |',
  ])
})

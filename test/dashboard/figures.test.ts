import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayMs, sayUncounted } from '../../dashboard/parts/figures.ts'

test('time that an uptime leaves out is said where there is any worth a word', () => {
  const table: [maintenance: number, unknown: number, said: string | null][] = [
    [0, 0, null],
    [0, 59, null],
    [4_800, 0, '1 h 20 min of maintenance not counted'],
    [1, 59, '1 s of maintenance not counted'],
    [0, 60, '1 min of unknown time not counted'],
    [93_600, 172_800, '1 d 2 h of maintenance and 2 d of unknown time not counted'],
  ]
  for (const [maintenance_seconds, unknown_seconds, said] of table)
    assert.equal(sayUncounted({ maintenance_seconds, unknown_seconds }), said)
})

test('milliseconds have one decimal below 10, and none from there on', () => {
  const table: [ms: number | null, said: string][] = [
    [null, '–'],
    [0, '0 ms'],
    [3, '3 ms'],
    [3.44, '3.4 ms'],
    [9.94, '9.9 ms'],
    [9.96, '10 ms'],
    [72, '72 ms'],
    [72.6, '73 ms'],
    [1_234.4, '1,234 ms'],
    [12_340, '12.3 s'],
  ]
  for (const [ms, said] of table) assert.equal(sayMs(ms), said)
})

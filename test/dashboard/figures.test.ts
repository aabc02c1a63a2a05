import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayUncounted } from '../../dashboard/parts/figures.ts'

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

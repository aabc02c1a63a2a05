import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSilenceHeard, mayBeOvertaken, moreTimeMs } from '../../../src/core/probing/time-limit.ts'

const LIMIT_MS = 5_000

type Row = [name: string, elapsedMs: number, stalledMs: number, movedMs: number, moreMs: number]

describe('a deadline at which this process', () => {
  const rows: Row[] = [
    ['listened all along is not moved', 5_000, 0, 0, 0],
    ['missed half a second is moved by that', 5_000, 500, 0, 500],
    ['missed half a second and had it back is not moved again', 5_500, 500, 500, 0],
    ['missed more meanwhile is moved again', 5_500, 700, 500, 200],
    ['was frozen for the limit is moved by the limit', 5_200, 5_000, 0, 4_800],
    ['thawed a while before is moved by what is still missing', 9_000, 5_000, 0, 1_000],
    ['was frozen for four limits listens for all it misses', 20_100, 20_000, 0, 4_900],
    ['was frozen for fourteen limits listens for no more', 70_100, 70_000, 0, 4_900],
    ['listened for the whole limit after a freeze is not moved again', 75_000, 70_000, 4_900, 0],
    ['is late most of the time is moved by what it missed', 5_100, 3_500, 0, 3_400],
    ['is late most of the time is moved by the limit in all', 8_600, 6_000, 3_400, 1_600],
    ['is late most of the time is not moved beyond twice the limit', 10_200, 7_100, 5_000, 0],
  ]
  for (const [name, elapsedMs, stalledMs, movedMs, moreMs] of rows) {
    test(name, () => assert.equal(moreTimeMs({ limitMs: LIMIT_MS, elapsedMs, stalledMs, movedMs }), moreMs))
  }
})

describe('silence is blamed on the target', () => {
  const rows: [name: string, elapsedMs: number, stalledMs: number, silentMs: number, heard: boolean][] = [
    ['after the limit', 5_000, 0, 4_900, true],
    ['after the limit and what was missed of it', 5_500, 500, 5_400, true],
    ['of the whole limit after a freeze of fourteen', 75_000, 70_000, 4_900, true],
    ['where we are always late, and nothing has come for the limit', 10_200, 7_100, 9_800, true],
    ['not where we are always late, and its last step is younger', 10_200, 7_100, 4_000, false],
    ['not where a second freeze took what the first had left', 27_000, 24_500, 2_000, false],
  ]
  for (const [name, elapsedMs, stalledMs, silentMs, heard] of rows) {
    const spent = { limitMs: LIMIT_MS, elapsedMs, stalledMs, movedMs: Math.min(stalledMs, LIMIT_MS) }
    test(name, () => assert.equal(isSilenceHeard(spent, silentMs), heard))
  }
})

test('a failure is doubted right behind a stall of two seconds, or of a shorter limit', () => {
  const rows: [limitMs: number, stallMs: number, agoMs: number, overtaken: boolean][] = [
    [30_000, 1_999, 0, false],
    [30_000, 2_000, 0, true],
    [30_000, 20_000, 2_000, true],
    [30_000, 20_000, 2_001, false],
    [5_000, 70_000, 300, true],
    [1_000, 999, 0, false],
    [1_000, 1_000, 0, true],
    [1_000, 1_000, 1_001, false],
  ]
  for (const [limitMs, stallMs, agoMs, overtaken] of rows) {
    const name = `${agoMs} ms behind ${stallMs} ms, of a limit of ${limitMs} ms`
    assert.equal(mayBeOvertaken(limitMs, { stallMs, agoMs }), overtaken, name)
  }
})

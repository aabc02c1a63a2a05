import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import { SiteArea } from '../../../src/core/sites/area.ts'
import { statusChanges, watchedForMs } from '../../../src/core/sites/site-time.ts'

const at = (minute: number) => new Date(minute * 60_000)

describe('the history of a site', () => {
  it('has a line for each change, and for time in which nobody looked', () => {
    const changesOf = (
      last: [CheckStatus, number] | null,
      look: [CheckStatus, number],
      watchedUntil: number | null,
    ) =>
      statusChanges(last && { status: last[0], at: at(last[1]) }, {
        status: look[0],
        at: at(look[1]),
        watchedUntil: watchedUntil === null ? null : at(watchedUntil),
      }).map((change) => [change.status, change.at.getTime() / 60_000])
    assert.deepEqual(changesOf(null, ['pending', 1], null), [], 'nothing is known yet')
    assert.deepEqual(changesOf(null, ['up', 1], null), [['up', 1]], 'the first look')
    assert.deepEqual(changesOf(['up', 1], ['up', 9], 10), [], 'all is as it was')
    assert.deepEqual(changesOf(['up', 1], ['down', 9], 10), [['down', 9]], 'it goes down')
    const gap = [
      ['pending', 10],
      ['up', 20],
    ]
    assert.deepEqual(changesOf(['up', 1], ['up', 20], 10), gap, 'nobody looked for a while')
    assert.deepEqual(changesOf(['pending', 5], ['up', 20], 3), [['up', 20]], 'it was paused')
    assert.deepEqual(changesOf(['up', 9], ['degraded', 8], 12), [['degraded', 9]], 'a slow look began before')
  })

  it('is known until the next look at the area that is looked at most often', () => {
    const forOf = (...areasOff: SiteArea[]) => watchedForMs({ areasOff, homeIntervalSeconds: 30 }) / 60_000
    assert.equal(forOf(), 1.5)
    assert.equal(forOf('home_page'), 6)
    assert.equal(forOf('home_page', 'dns', 'certificate'), 24 * 60 + 1)
    assert.equal(forOf(...SiteArea.options), Number.POSITIVE_INFINITY)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { watchReachability } from '../../../src/engine/probing/reachability.ts'

/** A process that is reached as the letters say, `r` or `-`; gives a `!` behind each after which it said so. */
async function watchThrough(reached: string): Promise<string> {
  const left = [...reached]
  let log = ''
  await new Promise<void>((resolve) => {
    const watching = watchReachability({
      async reach() {
        const next = left.shift()
        if (next === undefined) void watching.close().then(resolve)
        log += next ?? ''
        return next === 'r'
      },
      async say() {
        if (left.length > 0 || !log.endsWith('!')) log += '!'
      },
      onTrouble: (error) => assert.fail(String(error)),
      periodMs: 1,
    })
  })
  return log.slice(0, log.lastIndexOf(reached.at(-1) ?? ''))
}

describe('a process that takes pings', () => {
  it('says that it is reached as long as it is', async () => {
    assert.equal(await watchThrough('rrrr.'), 'r!r!r!r!')
  })

  it('says so again after more answers in a row than the leader tolerates as a gap', async () => {
    assert.equal(await watchThrough('r-rrrrrrrr.'), 'r!-rrrrrrr!r!')
    assert.equal(await watchThrough('r-r-rrrrrrrr.'), 'r!-r-rrrrrrr!r!')
  })

  it('never says so while some are answered and others are not', async () => {
    assert.equal(await watchThrough('rr-rrrrr-rrrrr-r-rrr.'), 'r!r!-rrrrr-rrrrr-r-rrr')
  })

  it('says so, too, where it never was: that proves nothing', async () => {
    assert.equal(await watchThrough('--.'), '-!-!')
  })
})

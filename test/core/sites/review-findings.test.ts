import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KnownFinding, reviewFindings, type SeenFault } from '../../../src/core/sites/review-findings.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 1)
const at = (hours: number) => new Date(START + hours * HOUR_MS)
const fault = (key: string, changes: Partial<SeenFault> = {}): SeenFault => ({
  key,
  kind: 'broken_link',
  address: key,
  detail: 'answered 404',
  sources: [],
  isCertain: false,
  ...changes,
})

/** Reviews crawl after crawl, as the store would keep what each decides. */
function story(ignored: string[] = []) {
  const known = new Map<string, KnownFinding>()
  return (hours: number, seen: SeenFault[], isFixed: (key: string) => boolean = () => true) => {
    const fateOf = (key: string) => (isFixed(key) ? 'fixed' : 'stays')
    const review = reviewFindings([...known.values()], { seen, fateOf, at: at(hours) })
    for (const { key, kind, address, detail, sources, confirmedAt, isReopened } of review.faults) {
      const before = isReopened ? undefined : known.get(key)
      known.set(key, {
        ...{ key, kind, address, detail, sources },
        firstSeenAt: before?.firstSeenAt ?? at(hours),
        confirmedAt,
        toldAt: before?.toldAt ?? null,
        fixedAt: null,
        ignoredAt: ignored.includes(key) ? at(0) : null,
      })
    }
    const change = (key: string, changes: Partial<KnownFinding>) => {
      const finding = known.get(key)
      if (finding) known.set(key, { ...finding, ...changes })
    }
    for (const key of review.fixed) change(key, { fixedAt: at(hours) })
    for (const key of review.told) change(key, { toldAt: at(hours) })
    return [review.digest, review.open]
  }
}

describe('findings that a digest names', () => {
  const named = (known: KnownFinding[], seen: SeenFault[], hours: number) => {
    const review = reviewFindings(known, { seen, fateOf: () => 'fixed' as const, at: at(hours) })
    const keysOf = (list: { address: string }[]) => list.map(({ address }) => address)
    return [keysOf(review.named.open), keysOf(review.named.fixed)]
  }
  const told = (key: string): KnownFinding => ({
    ...{ ...fault(key), ignoredAt: null, fixedAt: null },
    ...{ firstSeenAt: at(0), confirmedAt: at(1), toldAt: at(1) },
  })

  it('are the new ones and the fixed ones; in a reminder all that stand', () => {
    const certain = (key: string) => fault(key, { isCertain: true })
    assert.deepEqual(named([told('known'), told('gone')], [certain('known'), certain('new')], 24), [
      ['new'],
      ['gone'],
    ])
    assert.deepEqual(named([told('known')], [certain('known')], 24 * 8), [['known'], []])
  })
})

describe('findings over crawls', () => {
  it('are told after two crawls at least an hour apart', () => {
    const crawl = story()
    assert.deepEqual(crawl(0, [fault('a')]), [null, 0])
    assert.deepEqual(crawl(0.99, [fault('a')]), [null, 0])
    assert.deepEqual(crawl(1, [fault('a')]), ['1 new, 0 fixed, 0 known', 1])
    assert.deepEqual(crawl(2, [fault('a')]), [null, 1])
  })

  it('that are certain are told at once', () => {
    assert.deepEqual(story()(0, [fault('a', { isCertain: true })]), ['1 new, 0 fixed, 0 known', 1])
  })

  it('that passed between crawls are never told', () => {
    const crawl = story()
    for (let day = 0; day < 60; day++) {
      const seen = day % 2 === 0 ? [fault('a')] : []
      assert.deepEqual(crawl(day * 24, seen), [null, 0])
    }
  })

  it('are told as one digest of new, fixed and known ones', () => {
    const crawl = story()
    crawl(0, [fault('a'), fault('b')])
    crawl(24, [fault('a'), fault('b'), fault('c')])
    assert.deepEqual(crawl(48, [fault('a'), fault('c')]), ['1 new, 1 fixed, 1 known', 2])
  })

  it('that could not be judged again stay what they are', () => {
    const crawl = story()
    crawl(0, [fault('a')])
    crawl(24, [fault('a')])
    assert.deepEqual(
      crawl(48, [], () => false),
      [null, 1],
    )
    assert.deepEqual(crawl(72, [fault('a')]), [null, 1])
  })

  it('are told again after a week in which nothing else was', () => {
    const crawl = story()
    crawl(0, [fault('a')])
    crawl(24, [fault('a')])
    assert.deepEqual(crawl(24 + 7 * 24 - 1, [fault('a')]), [null, 1])
    assert.deepEqual(crawl(24 + 7 * 24, [fault('a')]), ['0 new, 0 fixed, 1 known', 1])
    assert.deepEqual(crawl(24 + 8 * 24, [fault('a')]), [null, 1])
  })

  it('that come back begin anew', () => {
    const crawl = story()
    crawl(0, [fault('a')])
    crawl(24, [fault('a')])
    assert.deepEqual(crawl(48, []), ['0 new, 1 fixed, 0 known', 0])
    assert.deepEqual(crawl(72, [fault('a')]), [null, 0])
    assert.deepEqual(crawl(96, [fault('a')]), ['1 new, 0 fixed, 0 known', 1])
  })

  it('that are ignored are neither told nor counted, nor is their end', () => {
    const crawl = story(['a'])
    crawl(0, [fault('a')])
    assert.deepEqual(crawl(24, [fault('a')]), [null, 0])
    assert.deepEqual(crawl(48, []), [null, 0])
  })

  for (const kind of ['redirect_hint', 'soft_404', 'unjudged', 'mixed_passive'] as const) {
    it(`of kind ${kind} are listed and never told`, () => {
      const crawl = story()
      crawl(0, [fault('a', { kind })])
      assert.deepEqual(crawl(24, [fault('a', { kind })]), [null, 0])
      assert.deepEqual(crawl(48, []), [null, 0])
    })
  }
})

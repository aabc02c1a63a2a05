import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFixed, isPassing } from '../../../../src/core/sites/crawl/is-fixed.ts'
import type { LinkOutcome } from '../../../../src/core/sites/link-outcome.ts'
import type { FindingKind } from '../../../../src/core/sites/site-finding.ts'

type Verdict = LinkOutcome['verdict'] | undefined

describe('a finding that a crawl has not seen', () => {
  /** Kind, verdict on its address, on the page that led to it, whether the crawl was whole. */
  const cases: [FindingKind, Verdict, Verdict, boolean, boolean][] = [
    ['broken_link', 'fine', 'fine', false, true],
    ['broken_link', 'hint', 'broken', false, true],
    ['broken_link', 'unjudged', 'fine', true, false],
    ['broken_link', undefined, 'fine', false, true],
    ['broken_link', undefined, 'broken', true, false],
    ['broken_link', undefined, 'unjudged', true, false],
    ['broken_link', undefined, undefined, true, true],
    ['broken_link', undefined, undefined, false, false],
    ['redirect_hint', 'broken', 'fine', true, true],
    ['unjudged', 'fine', 'fine', true, true],
    ['unjudged', 'unjudged', 'fine', true, true],
    ['mixed_active', 'fine', 'fine', false, true],
    ['mixed_active', 'fine', 'broken', true, false],
    ['mixed_passive', undefined, undefined, true, true],
    ['sitemap_fault', 'fine', undefined, false, true],
    ['sitemap_fault', 'broken', undefined, true, false],
    ['sitemap_fault', undefined, undefined, true, true],
    ['sitemap_fault', undefined, undefined, false, false],
  ]
  for (const [kind, verdict, ofPage, isWhole, isNoMore] of cases) {
    const said = `${kind}, now ${verdict}, of a page that is ${ofPage}, in a ${isWhole ? 'whole' : 'cut'} crawl`
    it(`${isNoMore ? 'is' : 'is not'} fixed: ${said}`, () => {
      const verdicts = new Map([
        ...(verdict ? [['x', verdict] as const] : []),
        ...(ofPage ? [['page', ofPage] as const] : []),
      ])
      const finding = { kind, address: 'x', sources: [{ page: 'page', label: '' }] }
      assert.equal(isFixed(finding, { verdicts, isWhole }), isNoMore)
    })
  }
})

describe('a page that fails', () => {
  const outcomes: [Pick<LinkOutcome, 'verdict' | 'kind' | 'status_code'>, boolean][] = [
    [{ verdict: 'fine', kind: 'ok', status_code: 200 }, false],
    [{ verdict: 'hint', kind: 'soft_404', status_code: 200 }, false],
    [{ verdict: 'broken', kind: 'http_error', status_code: 404 }, false],
    [{ verdict: 'broken', kind: 'http_error', status_code: 500 }, true],
    [{ verdict: 'broken', kind: 'no_answer', status_code: null }, true],
    [{ verdict: 'unjudged', kind: 'wall', status_code: 403 }, true],
    [{ verdict: 'unjudged', kind: 'forbidden_by_robots', status_code: null }, false],
  ]
  for (const [outcome, isSoonOver] of outcomes) {
    it(`${outcome.kind} ${outcome.status_code} ${isSoonOver ? 'may be over soon' : 'stays'}`, () => {
      assert.equal(isPassing({ ...outcome, detail: '', final_address: null }), isSoonOver)
    })
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type CrawlKnowledge,
  FORGOTTEN_AFTER_MS,
  fateOf,
  isPassing,
} from '../../../../src/core/sites/crawl/is-fixed.ts'
import type { LinkOutcome } from '../../../../src/core/sites/link-outcome.ts'
import { type FindingKind, MAX_SOURCES } from '../../../../src/core/sites/site-finding.ts'

const ADDRESS = 'https://site.example/x'
const PAGE = 'https://site.example/page'
const LAST_SEEN = new Date('2026-01-02T00:00:00Z')
const AT = new Date('2026-01-03T00:00:00Z')

const outcome = (verdict: LinkOutcome['verdict'], kind: LinkOutcome['kind'], status_code: number | null) => ({
  ...{ verdict, kind, status_code, detail: '', final_address: null },
})
/** Outcomes of an address that a crawl comes to. */
const FINE = outcome('fine', 'ok', 200)
const HINT = outcome('hint', 'redirects_for_good', 200)
const CUT = { ...FINE, is_cut: true }
const GONE = outcome('broken', 'http_error', 404)
const FAILS = outcome('broken', 'http_error', 500)
const SILENT = outcome('broken', 'no_answer', null)
const WALL = outcome('unjudged', 'wall', 403)
const REFUSED = outcome('unjudged', 'too_many_requests', 429)
const FORBIDDEN = outcome('unjudged', 'forbidden_by_robots', null)
const UNASKED = outcome('unjudged', 'not_looked_at', null)

type Changes = {
  address?: LinkOutcome
  page?: LinkOutcome
  label?: string
  finding?: { kind?: FindingKind; address?: string; sources?: string[] }
} & Partial<Omit<CrawlKnowledge, 'outcomes'>>

function fate({ address, page, label = '', finding = {}, ...knowledge }: Changes) {
  const { kind = 'broken_link', sources = [PAGE] } = finding
  const unseen = { kind, address: finding.address ?? ADDRESS, lastSeenAt: LAST_SEEN }
  return fateOf(
    { ...unseen, sources: sources.map((one) => ({ page: one, label })) },
    {
      outcomes: new Map([
        ...(address ? [[ADDRESS, address] as const] : []),
        ...(page ? [[PAGE, page] as const] : []),
      ]),
      named: new Set(),
      isWhole: true,
      hiddenSince: null,
      isLeftOut: () => false,
      isOutside: () => false,
      at: AT,
      ...knowledge,
    },
  )
}

describe('a finding that a crawl has not seen', () => {
  const cases: [string, Changes, ReturnType<typeof fateOf>][] = [
    ['its address works', { address: FINE }, 'fixed'],
    ['its address works, though the crawl was cut', { address: FINE, isWhole: false }, 'fixed'],
    ['its address moved', { address: HINT }, 'fixed'],
    ...[WALL, REFUSED, FORBIDDEN, UNASKED].flatMap((unjudged): typeof cases => [
      [`its address could not be judged: ${unjudged.kind}`, { address: unjudged, page: FINE }, 'stays'],
      [`its page could not be judged: ${unjudged.kind}`, { page: unjudged }, 'stays'],
    ]),
    ['its page was read and does not name it', { page: FINE }, 'fixed'],
    ['its page was read, in a crawl that was cut', { page: FINE, isWhole: false }, 'fixed'],
    ['its page leads to elsewhere now', { page: HINT }, 'fixed'],
    ['its page is gone', { page: GONE }, 'fixed'],
    ['its page was not read to its end', { page: CUT }, 'stays'],
    ['its page fails for the moment', { page: FAILS }, 'stays'],
    ['its page does not answer', { page: SILENT }, 'stays'],
    [
      'a page names it, and the budget was spent',
      { page: FINE, named: new Set([ADDRESS]), isWhole: false },
      'stays',
    ],
    ['no page leads to its page any more', {}, 'fixed'],
    ['nobody came to its page: the crawl was cut', { isWhole: false }, 'stays'],
    ['what could not be read now may lead to its page', { hiddenSince: AT }, 'stays'],
    ['what could not be read then either does not hide it', { hiddenSince: LAST_SEEN }, 'fixed'],
    [
      'one of its pages was read, and one was not',
      { page: FINE, isWhole: false, finding: { sources: [PAGE, `${PAGE}/2`] } },
      'stays',
    ],
    [
      'it may be on more pages than are kept, and the crawl was cut',
      { page: FINE, isWhole: false, finding: { sources: Array.from({ length: MAX_SOURCES }, () => PAGE) } },
      'stays',
    ],
    [
      'it was on more pages than are kept, and all were read',
      { page: FINE, finding: { sources: Array.from({ length: MAX_SOURCES }, () => PAGE) } },
      'fixed',
    ],
    ['its address is left out now', { page: FINE, isLeftOut: (one) => one === ADDRESS }, 'forgotten'],
    ['its page is left out now', { isLeftOut: (one) => one === PAGE }, 'forgotten'],
    ['its page is none of the site now', { isOutside: (one) => one === PAGE }, 'forgotten'],
    [
      'its page was read though it is none of the site',
      { page: FINE, isOutside: (one) => one === PAGE },
      'fixed',
    ],
    [
      'nobody came to it for a month',
      { isWhole: false, at: new Date(LAST_SEEN.getTime() + FORGOTTEN_AFTER_MS) },
      'forgotten',
    ],
    [
      'a page names it still after a month',
      { page: FINE, named: new Set([ADDRESS]), at: new Date(LAST_SEEN.getTime() + FORGOTTEN_AFTER_MS) },
      'stays',
    ],
    [
      'only a sitemap names it, of which it is a fault now',
      { address: GONE, page: FINE, label: 'sitemap' },
      'forgotten',
    ],
    ['it is a hint, and is broken now', { address: GONE, finding: { kind: 'redirect_hint' } }, 'fixed'],
    ['it could not be judged, and works', { address: FINE, finding: { kind: 'unjudged' } }, 'fixed'],
    [
      'it could not be judged, and nothing leads to it',
      { address: WALL, finding: { kind: 'unjudged' } },
      'fixed',
    ],
    [
      'it is another visit of an address that works',
      { address: FINE, finding: { address: `${ADDRESS}?utm_source=a` } },
      'fixed',
    ],
    ...(['mixed_active', 'mixed_passive'] as const).flatMap((kind): typeof cases => [
      [`${kind}: its page was read`, { page: FINE, finding: { kind }, isWhole: false }, 'fixed'],
      [`${kind}: its page fails`, { page: FAILS, finding: { kind } }, 'stays'],
      [`${kind}: its page was cut`, { page: CUT, finding: { kind } }, 'stays'],
      [
        `${kind}: its address works, which says nothing`,
        { address: FINE, page: WALL, finding: { kind } },
        'stays',
      ],
      [`${kind}: its page was not found`, { finding: { kind } }, 'fixed'],
      [
        `${kind}: its page was not found by a crawl that was cut`,
        { finding: { kind }, isWhole: false },
        'stays',
      ],
    ]),
    ...ofSitemaps(),
  ]
  for (const [name, changes, expected] of cases) {
    it(`${expected}: ${name}`, () => assert.equal(fate(changes), expected))
  }

  /** A fault of a sitemap itself, and a page that one names. */
  function ofSitemaps(): typeof cases {
    const own = { kind: 'sitemap_fault', address: PAGE } as const
    const page = { kind: 'sitemap_fault' } as const
    return [
      ['the sitemap was read and has not that fault', { page: FINE, finding: own, isWhole: false }, 'fixed'],
      ['the sitemap is gone', { page: GONE, finding: own }, 'fixed'],
      ['the sitemap could not be looked at', { page: WALL, finding: own }, 'stays'],
      ['robots.txt names the sitemap no more', { finding: own }, 'fixed'],
      ['the sitemaps were not all read', { finding: own, isWhole: false }, 'stays'],
      ['a page of the sitemap works', { address: FINE, page: FINE, finding: page }, 'fixed'],
      [
        'a page that is gone, which the sitemap names no more',
        { address: GONE, page: FINE, finding: page },
        'fixed',
      ],
      [
        'a page that is gone, of a sitemap that fails',
        { address: GONE, page: FAILS, finding: page },
        'stays',
      ],
      ['a page of the sitemap could not be judged', { address: WALL, page: FINE, finding: page }, 'stays'],
    ]
  }
})

describe('a page that fails', () => {
  const outcomes: [LinkOutcome, boolean][] = [
    [FINE, false],
    [HINT, false],
    [GONE, false],
    [FAILS, true],
    [SILENT, true],
    [WALL, true],
    [REFUSED, true],
    [FORBIDDEN, true],
  ]
  for (const [one, isSoonOver] of outcomes) {
    it(`${one.kind} ${one.status_code} ${isSoonOver ? 'may be over soon' : 'stays'}`, () => {
      assert.equal(isPassing(one), isSoonOver)
    })
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Assertion, readsBody } from '../../../src/core/expectations/assertion.ts'
import { isCostly, type JudgedAnswer, judge, syntaxFault } from '../../../src/core/expectations/evaluate.ts'

const DOCUMENT = {
  status: 'maintenance',
  queue: { depth: 12, oldest: null, ratio: 0.5 },
  items: [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
    { id: 3, name: 'b' },
  ],
  none: [],
  blank: '',
  open: true,
  code: '7',
}
const HEADERS: Record<string, string> = { 'content-type': 'text/html', 'x-count': '41', 'x-blank': '' }

function answerOf(change: Partial<JudgedAnswer> = {}): JudgedAnswer {
  return {
    statusCode: 404,
    header: (name) => HEADERS[name.toLowerCase()] ?? null,
    body: JSON.stringify(DOCUMENT),
    responseTimeMs: 1_204,
    certificateDays: 5,
    answer: '10 mail.example.com\n20 mx.example.com',
    ...change,
  }
}

const causeOf = (assertion: object, answer = answerOf()) =>
  judge([Assertion.parse(assertion)], answer)?.cause ?? null

/** [source and property, comparison, target, the cause or null] */
const CASES: [string, string, unknown, string | null][] = [
  ['status_code', 'less_than', 400, 'HTTP 404 (expected less than 400)'],
  ['status_code', 'equals', 404, null],
  ['status_code', 'not_equals', 404, 'HTTP 404 (expected not 404)'],
  ['status_code', 'one_of', [200, 204], 'HTTP 404 (expected one of 200, 204)'],
  ['status_code', 'not_one_of', [404, 500], 'HTTP 404 (expected none of 404, 500)'],
  ['response_time_ms', 'less_than', 800, 'response took 1,204 ms (expected less than 800)'],
  ['response_time_ms', 'at_most', 1_204, null],
  ['response_time_ms', 'greater_than', 1_204, 'response took 1,204 ms (expected more than 1,204)'],
  ['certificate_days', 'at_least', 14, 'certificate has 5 days left (expected at least 14)'],
  [
    'header Content-Type',
    'equals',
    'application/json',
    'header content-type is "text/html" (expected "application/json")',
  ],
  ['header content-type', 'starts_with', 'text/', null],
  [
    'header content-type',
    'ends_with',
    'json',
    'header content-type is "text/html" (expected to end with "json")',
  ],
  ['header x-none', 'exists', undefined, 'header x-none is missing'],
  ['header x-none', 'equals', 'a', 'header x-none is missing'],
  ['header x-none', 'is_empty', undefined, 'header x-none is missing'],
  ['header x-none', 'not_exists', undefined, null],
  ['header x-none', 'not_equals', 'a', null],
  ['header x-none', 'not_contains', 'a', null],
  ['header x-none', 'not_matches', 'a', null],
  ['header x-none', 'not_one_of', ['a'], null],
  ['header x-none', 'not_empty', undefined, null],
  ['header x-none', 'length_less_than', 5, 'header x-none is missing'],
  ['header x-blank', 'is_empty', undefined, null],
  ['header x-blank', 'not_empty', undefined, 'header x-blank is "" (expected not to be empty)'],
  [
    'header content-type',
    'not_exists',
    undefined,
    'header content-type is "text/html" (expected not to exist)',
  ],
  ['header x-count', 'equals', 41, null],
  ['header x-count', 'equals', '41', null],
  ['header x-count', 'greater_than', 40, null],
  ['header content-type', 'greater_than', 40, 'header content-type is "text/html" (expected more than 40)'],
  ['header content-type', 'matches', '^text/(html|plain)$', null],
  [
    'header content-type',
    'matches',
    '^json',
    'header content-type is "text/html" (expected to match "^json")',
  ],
  [
    'header content-type',
    'not_matches',
    'ht',
    'header content-type is "text/html" (expected not to match "ht")',
  ],
  ['body', 'contains', 'maintenance', null],
  [
    'body',
    'length_greater_than',
    5_000,
    `body has ${JSON.stringify(DOCUMENT).length} characters (expected more than 5000)`,
  ],
  ['json $.status', 'equals', 'ok', '$.status is "maintenance" (expected "ok")'],
  ['json $.status', 'not_contains', 'main', '$.status is "maintenance" (expected not to contain "main")'],
  ['json $.queue.depth', 'less_than', 10, '$.queue.depth is 12 (expected less than 10)'],
  ['json $.queue.depth', 'at_least', 12, null],
  ['json $.queue.depth', 'equals', 12, null],
  ['json $.queue.ratio', 'equals', 0.5, null],
  ['json $.queue.oldest', 'exists', undefined, null],
  ['json $.queue.oldest', 'equals', null, null],
  ['json $.queue.oldest', 'equals', 'null', '$.queue.oldest is null (expected "null")'],
  ['json $.open', 'equals', true, null],
  ['json $.open', 'equals', 'true', '$.open is true (expected "true")'],
  // JSON has types; but what is the text of a number can be put in order.
  ['json $.code', 'equals', 7, '$.code is "7" (expected 7)'],
  ['json $.code', 'less_than', 8, null],
  ['json $.status', 'less_than', 8, '$.status is "maintenance" (expected less than 8)'],
  ['json $.missing', 'equals', 1, '$.missing is missing'],
  ['json $.missing', 'not_exists', undefined, null],
  ['json $.none', 'is_empty', undefined, null],
  ['json $.blank', 'is_empty', undefined, null],
  [
    'json $.queue',
    'is_empty',
    undefined,
    '$.queue is {"depth":12,"oldest":null,"ratio":0.5} (expected to be empty)',
  ],
  ['json $.items', 'count_equals', 3, null],
  ['json $.items[*].id', 'count_equals', 4, '$.items[*].id has 3 elements (expected 4)'],
  [
    'json $.items[?@.name == "b"]',
    'count_less_than',
    2,
    '$.items[?@.name == "b"] has 2 elements (expected less than 2)',
  ],
  ['json $.items[?@.id == 9]', 'exists', undefined, '$.items[?@.id == 9] is missing'],
  ['json $.items[*].id', 'equals', '[1,2,3]', null],
  ['json $.items[?search(@.name, "^(a|a)*$")].id', 'equals', 1, null],
  ['json $.none', 'count_equals', 0, null],
  ['json', 'contains', '"open":true', null],
  ['json $.status', 'length_equals', 11, null],
  ['answer', 'count_greater_than', 2, 'answer has 2 lines (expected more than 2)'],
  ['answer', 'contains', 'mx.example.com', null],
]

describe('an expectation', () => {
  for (const [place, comparison, target, cause] of CASES) {
    it(`${place} ${comparison} ${JSON.stringify(target)}: ${cause ?? 'holds'}`, () => {
      const [source, ...rest] = place.split(' ')
      const property = rest.length > 0 ? { property: rest.join(' ') } : {}
      assert.equal(
        causeOf({ source, comparison, ...property, ...(target !== undefined && { target }) }),
        cause,
      )
    })
  }

  it('shows at most 100 characters of a value', () => {
    const cause = causeOf(
      { source: 'body', comparison: 'equals', target: 'b' },
      answerOf({ body: 'ä'.repeat(101) }),
    )
    assert.equal(cause, `body is "${'ä'.repeat(100)}…" (expected "b")`)
  })

  it('reads nothing where the body is no JSON', () => {
    const html = answerOf({ body: '<html>' })
    assert.equal(
      causeOf({ source: 'json', property: '$.a', comparison: 'equals', target: 1 }, html),
      '$.a is missing',
    )
    assert.equal(causeOf({ source: 'json', property: '$.a', comparison: 'not_exists' }, html), null)
  })

  it('reads JSON behind a byte order mark', () => {
    const marked = answerOf({ body: '\uFEFF{"a":1}' })
    assert.equal(causeOf({ source: 'json', property: '$.a', comparison: 'equals', target: 1 }, marked), null)
  })

  it('that visits too many nodes has no answer', () => {
    const many = answerOf({ body: JSON.stringify(Array.from({ length: 400 }, () => [1, 2, 3])) })
    const property = '$..*..*'
    const wide = answerOf({ body: JSON.stringify(Array.from({ length: 60_000 }, (_, i) => ({ i }))) })
    for (const answer of [wide, answerOf({ body: '['.repeat(5_000) + ']'.repeat(5_000) })])
      assert.equal(
        causeOf({ source: 'json', property, comparison: 'count_equals', target: 1 }, answer),
        `${property} could not be evaluated within its bound`,
      )
    assert.match(
      causeOf({ source: 'json', property, comparison: 'count_equals', target: 1 }, many) ?? '',
      /elements/,
    )
  })
})

describe('several expectations', () => {
  const slow = { source: 'response_time_ms', comparison: 'less_than', target: 800, severity: 'degraded' }
  const gone = { source: 'json', property: '$.x', comparison: 'exists', severity: 'degraded' }
  const found = { source: 'status_code', comparison: 'equals', target: 200 }
  const open = { source: 'json', property: '$.open', comparison: 'equals', target: false }
  const judged = (...assertions: object[]) =>
    judge(
      assertions.map((one) => Assertion.parse(one)),
      answerOf(),
    )

  it('fail by the first that makes the check fail, whatever only warns before it', () => {
    assert.deepEqual(judged(slow, open, found), {
      severity: 'down',
      cause: '$.open is true (expected false)',
      at: 1,
    })
  })

  it('warn by the first that warns, where none fails', () => {
    assert.deepEqual(judged(slow, gone)?.cause, 'response took 1,204 ms (expected less than 800)')
    assert.deepEqual(judged(gone, slow), { severity: 'degraded', cause: '$.x is missing', at: 0 })
  })

  it('that hold say nothing', () => {
    assert.equal(judged({ ...open, target: true }), null)
    assert.equal(judged(), null)
  })

  it('say what they need: a body, and a bound', () => {
    const parsed = (assertion: object) => [Assertion.parse(assertion)]
    assert.deepEqual(
      [found, open].map((one) => readsBody(parsed(one))),
      [false, true],
    )
    const filtered = { ...open, property: '$.items[?@.id > 1]' }
    const pattern = { source: 'body', comparison: 'matches', target: 'a+' }
    assert.deepEqual(
      [found, open, filtered, pattern].map((one) => isCostly(parsed(one))),
      [false, false, true, true],
    )
  })
})

describe('an expectation of several checks', () => {
  const assertion = (changes: object = {}) => [
    Assertion.parse({ source: 'response_time_p95_ms', comparison: 'less_than', target: 800, ...changes }),
  ]

  it('says of how many checks the percentile is, 20 unless told otherwise', () => {
    const times = Array.from({ length: 20 }, (_, index) => (index > 17 ? 1_204 : 100))
    assert.equal(
      judge(assertion(), answerOf({ responseTimes: times }))?.cause,
      '95th percentile of the last 20 checks is 1,204 ms (expected less than 800)',
    )
    assert.equal(
      judge(assertion({ property: '2', comparison: 'at_most' }), answerOf({ responseTimes: [900, 5] }))
        ?.cause,
      '95th percentile of the last 2 checks is 900 ms (expected at most 800)',
    )
  })

  it('holds where there are fewer checks, and where nothing is known of others', () => {
    assert.equal(judge(assertion(), answerOf({ responseTimes: Array(19).fill(900) })), null)
    assert.equal(judge(assertion(), answerOf()), null)
  })
})

describe('the shape of an expectation', () => {
  const faultsOf = (assertion: object) => {
    const { error } = Assertion.safeParse(assertion)
    return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  }

  for (const [assertion, fault] of [
    [{ source: 'x', comparison: 'equals', target: 1 }, /^source /],
    [{ source: 'body', comparison: 'x', target: 1 }, /^comparison /],
    [{ source: 'body', comparison: 'equals', target: 'a', extra: 1 }, /extra/],
    [{ source: 'header', comparison: 'exists' }, /^property must name a header/],
    [
      { source: 'header', property: 'a b', comparison: 'exists' },
      /^property must be the name of a header, got a b/,
    ],
    [{ source: 'body', property: 'a', comparison: 'exists' }, /^property must be left out for `body`/],
    [
      { source: 'status_code', comparison: 'contains', target: '4' },
      /^comparison must be one that `status_code` can/,
    ],
    [{ source: 'body', comparison: 'count_equals', target: 1 }, /^comparison must be one that `body` can/],
    [{ source: 'status_code', comparison: 'equals', target: '200' }, /^target must be a number/],
    [{ source: 'status_code', comparison: 'one_of', target: [200, '204'] }, /^target must have numbers only/],
    [{ source: 'body', comparison: 'one_of', target: 'a' }, /^target must be an array of 1 to 50 values/],
    [{ source: 'body', comparison: 'equals' }, /^target must be a text, a number, true, false or null/],
    [
      { source: 'body', comparison: 'equals', target: ['a'] },
      /^target must be a text, a number, true, false or null/,
    ],
    [{ source: 'body', comparison: 'exists', target: 'a' }, /^target must be left out for `exists`/],
    [{ source: 'body', comparison: 'less_than', target: '5' }, /^target must be a number/],
    [
      { source: 'json', comparison: 'count_equals', target: 1.5 },
      /^target must be a whole number, 0 or more/,
    ],
    [{ source: 'body', comparison: 'contains', target: '' }, /^target must be a text that is not empty/],
    [{ source: 'body', comparison: 'matches', target: 'a'.repeat(1_001) }, /^target /],
    [{ source: 'body', comparison: 'equals', target: 'a', severity: 'warning' }, /^severity /],
    ...['', '1', '101', '020', '20.0', '-20', 'many'].map(
      (property) =>
        [
          { source: 'response_time_p95_ms', property, comparison: 'less_than', target: 800 },
          /^property must be the number of checks in digits, 2 to 100, got/,
        ] as const,
    ),
    [
      { source: 'response_time_p95_ms', comparison: 'contains', target: '8' },
      /^comparison must be one that `response_time_p95_ms` can/,
    ],
  ] as const) {
    it(`is refused: ${JSON.stringify(assertion).slice(0, 100)}`, () => {
      const faults = faultsOf(assertion)
      assert.ok(faults)
      assert.match(faults.join('\n'), fault)
    })
  }

  it('has the words of a parser for paths and patterns that are none', () => {
    const at = (assertion: object) => syntaxFault(Assertion.parse(assertion))?.at ?? null
    assert.equal(at({ source: 'json', property: '$.a[', comparison: 'exists' }), 'property')
    assert.equal(at({ source: 'json', property: 'a.b', comparison: 'exists' }), 'property')
    assert.equal(at({ source: 'body', comparison: 'matches', target: '(' }), 'target')
    assert.equal(at({ source: 'body', comparison: 'matches', target: '(?=a)' }), 'target')
    assert.equal(at({ source: 'body', comparison: 'matches', target: String.raw`(a)\1` }), 'target')
    assert.equal(at({ source: 'json', property: '$..a', comparison: 'matches', target: '^a' }), null)
  })
})

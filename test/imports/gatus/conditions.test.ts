import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { english } from '../../../src/core/language/said.ts'
import { UNASKED } from '../../../src/imports/gatus/condition-reasons.ts'
import { holdsInGatus, type SeenAnswer } from '../../support/imports/as-gatus-judges.ts'
import { askedBy, isUpFor } from '../../support/imports/as-imported.ts'
import { fromGatus, notesOn, TERMS } from '../../support/imports/read-exports.ts'

function importOf(conditions: string[], endpoint: object = {}) {
  const one = { name: 'One', url: 'https://one.example/', conditions, ...endpoint }
  const outcome = fromGatus([{ endpoints: [one] }], TERMS)
  const monitor = outcome.declaration.monitors[0] ?? assert.fail(outcome.skipped[0]?.reason)
  return { monitor, notes: notesOn(outcome, 'One').filter((note) => note.includes('condition')) }
}

/** A condition, and what a monitor asks then. */
const TABLE: [condition: string, asked: string[]][] = [
  ['[STATUS] == 200', ['expected_status_codes 200']],
  ['[status] == 0xCC', ['expected_status_codes 204']],
  ['200 == [STATUS]', ['expected_status_codes 200']],
  ['[STATUS] == any(200, 204)', ['expected_status_codes 200, 204']],
  ['[STATUS] == pat(20[0-4])', ['expected_status_codes 200, 201, 202, 203, 204']],
  ['[STATUS] == pat(2*)', ['status_code at_least 200', 'status_code at_most 299']],
  ['[STATUS] < 300', ['status_code at_most 299']],
  ['[STATUS] <= 399', ['status_code at_most 399']],
  ['[STATUS] > 199', ['status_code at_least 200']],
  ['[STATUS] != 500', ['status_code at_least 100', 'status_code not_one_of [500]']],
  ['[RESPONSE_TIME] < 300', ['response_time_ms less_than 300']],
  ['[RESPONSE_TIME] <= 2500', ['response_time_ms at_most 2500']],
  ['[RESPONSE_TIME] < 1.5s', ['response_time_ms less_than 1500']],
  ['[RESPONSE_TIME] < 500ms', ['response_time_ms less_than 500']],
  ['[RESPONSE_TIME] > 10', ['response_time_ms greater_than 10']],
  ['[CERTIFICATE_EXPIRATION] > 48h', ['certificate_days at_least 2']],
  ['[CERTIFICATE_EXPIRATION] >= 240h', ['certificate_days at_least 10']],
  ['[CONNECTED] == true', []],
  ['[CONNECTED] != false', []],
  ['[BODY] == pat(*all is well*)', ['expected_keyword "all is well"']],
  ['[BODY] != pat(*error*)', ['body not_contains "error"']],
  ['[BODY] == pong', ['body matches "^\\\\s*pong\\\\s*$"']],
  ['[BODY] == a.b', ['body matches "^\\\\s*a\\\\.b\\\\s*$"']],
  ['[BODY] != pong', ['body not_matches "^\\\\s*pong\\\\s*$"']],
  ['[BODY] == any(pong, ok)', ['body matches "^\\\\s*(?:pong|ok)\\\\s*$"']],
  ['[BODY] == pat(po?g)', ['body matches "(?s)^\\\\s*po[^/]g\\\\s*$"']],
  ['[BODY] == pat(p*g)', ['body matches "(?s)^\\\\s*p.*g\\\\s*$"']],
  ['[BODY] == pat({*)', ['body matches "(?s)^\\\\s*\\\\{.*\\\\s*$"']],
  ['[BODY] == pat(*)', []],
  ['[BODY] > 4', ['body at_least 5']],
  ['has([BODY]) == true', ['body matches "\\\\S"']],
  ['has([BODY]) == false', ['body not_matches "\\\\S"']],
  ['[BODY].status == UP', ['json $.status equals "UP"']],
  ['[BODY].status != DOWN', ['json $.status not_equals "DOWN"']],
  ['[BODY].status == any(UP, DEGRADED)', ['json $.status one_of ["UP","DEGRADED"]']],
  ['[BODY].status == pat(*P)', ['json $.status ends_with "P"']],
  ['[BODY].status == pat(U*)', ['json $.status starts_with "U"']],
  ['[BODY].status == pat(*P*)', ['json $.status contains "P"']],
  ['[BODY].status == pat(UP)', ['json $.status equals "UP"']],
  ['[BODY].status == pat([A-Z]?)', ['json $.status matches "(?s)^[A-Z][^/]$"']],
  ['[BODY].status == pat([^a-z]\\P)', ['json $.status matches "(?s)^[^a-z]P$"']],
  ['[BODY].status != pat(U*)', ['json $.status not_matches "(?s)^U.*$"']],
  ['[BODY].id == 7', ['json $.id one_of [7,"7"]']],
  ['[BODY].id != 7', ['json $.id not_one_of [7,"7"]']],
  ['[BODY].id == any(1, 7)', ['json $.id one_of [1,"1",7,"7"]']],
  ['[BODY].ok == true', ['json $.ok one_of [true,"true"]']],
  ['[BODY].load == 1.5', ['json $.load one_of [1.5,"1.5"]']],
  ['[BODY].load > 0', ['json $.load at_least 1']],
  ['[BODY].load >= 1', ['json $.load at_least 1']],
  ['[BODY].users[0].name == john', ['json $.users[0].name equals "john"']],
  ['[BODY].last-run.at == now', ['json $[\'last-run\'].at equals "now"']],
  ['[BODY][1].id == 8', ['json $[1].id one_of [8,"8"]']],
  ['has([BODY].error) == false', ['json $.error not_matches "^$|[^nul]"']],
  ['has([BODY].error) != true', ['json $.error not_matches "^$|[^nul]"']],
  [
    'has([BODY].users[0].name) == true',
    ['json $.users[0].name exists', 'json $.users[0].name not_equals null'],
  ],
  ['len([BODY].users) > 0', ['json $[?length($.users) > 0] exists']],
  ['len([BODY].status) == 2', ['json $[?length($.status) == 2] exists']],
  ['len([BODY].users) != 1', ['json $[?length($.users) == 1] not_exists']],
  ['len([BODY].users) < 2', ['json $[?length($.users) >= 2] not_exists']],
  ['len([BODY].users) <= 1', ['json $[?length($.users) > 1] not_exists']],
  ['[HEADER].Content-Type == pat(*json*)', ['header Content-Type contains "json"']],
  ['[HEADER].X-Version == 7', ['header X-Version one_of [7,"7"]']],
  ['has([HEADER].X-Version) == true', ['header X-Version exists']],
  ['has([HEADER].X-Version) == false', ['header X-Version not_exists']],
]

/** Those that hold there where there is no number, and fail here. */
const WITHOUT_NUMBER: [condition: string, asked: string[]][] = [
  ['[BODY].load < 2', ['json $.load less_than 2']],
  ['[BODY].load <= 2', ['json $.load less_than 3']],
  ['[BODY].load >= 0', ['json $.load greater_than -1']],
  ['[BODY].load > -2', ['json $.load greater_than -2']],
]

const NOT_HERE: [condition: string, why: keyof typeof UNASKED][] = [
  ['[IP] == 192.0.2.7', '[IP]'],
  ['[IP] == pat(192.0.2.*)', '[IP]'],
  ['[DOMAIN_EXPIRATION] > 720h', '[DOMAIN_EXPIRATION]'],
  ['[DNS_RCODE] == NXDOMAIN', '[DNS_RCODE]'],
  ['[CONTEXT].id == 7', '[CONTEXT].name'],
  ['age([BODY].time) < 10m', 'age([BODY].time)'],
  ['[BODY].list[*].ok == true', '[BODY].list[*]'],
  ['len([BODY]) > 0', 'len([BODY])'],
  ['[BODY].a == [BODY].b', '[BODY].a == [BODY].b'],
  ['[BODY].a == {"b":1}', '[BODY].a == {"b": 1}'],
  ['[BODY].list == [a b]', '[BODY].a == {"b": 1}'],
  [`[BODY].a == ${'x'.repeat(1_001)}`, 'a text or path that is too long'],
  [`[BODY].${'x'.repeat(501)} == 1`, 'a text or path that is too long'],
  [
    `[BODY].id == any(${Array.from({ length: 30 }, (_, id) => id).join()})`,
    'a text or path that is too long',
  ],
  ['[STATUS] == abc', 'anything else'],
  ['[STATUS] == pat([z-a])', 'anything else'],
  ['[CONNECTED] == perhaps', 'anything else'],
  ['[RESPONSE_TIME] < soon', 'anything else'],
  ['[CERTIFICATE_EXPIRATION] == 48h', 'anything else'],
  ['[BODY].name[first] == x', 'anything else'],
  ['[BODY].a..b == x', 'anything else'],
  ['[BODY] == pat([a)', 'anything else'],
  ['len([STATUS]) == 3', 'anything else'],
  ['has([BODY].a) == 1', 'anything else'],
  ['nonsense', 'anything else'],
]

const BODIES = [
  '',
  ' pong\n',
  'ping pong',
  'ok',
  'a.b',
  'axb',
  '5',
  'all is well',
  'fatal error, all is well',
  '{"status":"UP","id":7,"ok":true,"load":1.5,"users":[{"name":"john"}],"error":null}',
  '{"status":"DOWN","id":"7","ok":"true","load":"1","users":[],"error":"boom"}',
  '{"status":"DEGRADED","id":8,"ok":false,"load":0.5,"users":[{"name":null},{}],"error":{}}',
  '{"status":"uP","id":1,"load":2.7,"users":"ab","last-run":{"at":"now"}}',
  '{"status":null,"load":-1.5,"users":[{"name":"jane"}],"error":false,"last-run":"now"}',
  '[{"id":7},{"id":8}]',
  '{}',
  'null',
]

const ANSWERS: SeenAnswer[] = [
  ...BODIES.map((body) => ({ status: 200, body })),
  ...[199, 201, 204, 205, 299, 300, 301, 399, 404, 500].map((status) => ({
    status,
    body: '{"status":"UP"}',
  })),
  ...[0, 10, 11, 299, 300, 499, 500, 1_499, 1_500, 2_500, 2_501].map((ms) => ({
    status: 200,
    body: 'ok',
    ms,
  })),
  ...[0.1, 1.9, 2.1, 9.9, 10.1, 90].map((certificateDays) => ({ status: 200, body: 'ok', certificateDays })),
  ...['text/html', 'application/json', ''].map((type) => ({
    ...{ status: 200, body: '{}', headers: { 'content-type': type, 'x-version': type === '' ? '8' : '7' } },
  })),
]

describe('a condition of Gatus', () => {
  for (const [condition, asked] of TABLE)
    it(`${condition} judges as there, by ${asked.join(' and ') || 'nothing'}`, () => {
      const { monitor, notes } = importOf([condition])
      const differing = ANSWERS.filter(
        (answer) => isUpFor(monitor, answer) !== holdsInGatus(condition, answer),
      )
      assert.deepEqual(
        askedBy(monitor),
        asked.filter((each) => each !== 'status_code at_least 100'),
      )
      assert.deepEqual([differing, notes], [[], []])
      if (asked.length > 0) {
        const verdicts = new Set(ANSWERS.map((answer) => isUpFor(monitor, answer)))
        assert.equal(verdicts.size, 2, 'no answer tells that it is asked')
      }
    })

  for (const [condition, asked] of WITHOUT_NUMBER)
    it(`${condition} fails here without a number, and says so`, () => {
      const { monitor, notes } = importOf([condition])
      assert.deepEqual(askedBy(monitor), asked)
      assert.deepEqual(notes, [
        `its condition ${condition}: it held without a number, too: here it fails then`,
      ])
      const isNumber = ({ body }: SeenAnswer) => /"load":"?[-\d]/.test(body)
      for (const answer of ANSWERS)
        assert.equal(
          isUpFor(monitor, answer),
          isNumber(answer) && holdsInGatus(condition, answer),
          answer.body,
        )
    })

  it('of hours of a certificate is one of whole days, and says so', () => {
    const condition = '[CERTIFICATE_EXPIRATION] > 36h'
    const { monitor, notes } = importOf([condition])
    assert.deepEqual(askedBy(monitor), ['certificate_days at_least 2'])
    assert.deepEqual(notes, [
      `its condition ${condition}: days are whole ones here, so that it may fail up to a day earlier`,
    ])
  })

  for (const [condition, why] of NOT_HERE)
    it(`${condition.slice(0, 40)} is not checked, and says why`, () => {
      const { monitor, notes } = importOf(['[STATUS] == 200', condition])
      assert.deepEqual(askedBy(monitor), ['expected_status_codes 200'])
      const [note = ''] = notes
      assert.ok(note.endsWith(` is not checked here: ${english(UNASKED[why])}`), note)
      assert.equal(notes.length, 1)
    })
})

describe('the conditions of an endpoint of Gatus', () => {
  for (const condition of ['[CONNECTED] == false', '[CONNECTED] != true', 'false == [CONNECTED]'])
    it(`that are ${condition} turn the monitor upside down, whatever the status`, () => {
      const { monitor } = importOf([condition])
      assert.equal(monitor.options?.inverted, true)
      assert.deepEqual(askedBy(monitor), [])
      assert.ok(isUpFor(monitor, { status: 500, body: '' }))
    })

  it('that are the default set no option', () => {
    const { monitor } = importOf(['[STATUS] == 200', '[CONNECTED] == true'])
    assert.deepEqual([monitor.type, monitor.options, monitor.expected_status_codes], ['http', null, [200]])
  })

  it('all hold, in their order, after the status', () => {
    const { monitor } = importOf([
      '[RESPONSE_TIME] < 300',
      '[BODY] == pat(*one*)',
      '[BODY] == pat(*two*)',
      '[STATUS] >= 200',
      '[STATUS] < 300',
    ])
    assert.equal(monitor.type, 'keyword')
    assert.deepEqual(askedBy(monitor), [
      'expected_keyword "one"',
      'status_code at_least 200',
      'status_code at_most 299',
      'response_time_ms less_than 300',
      'body contains "two"',
    ])
  })

  it('beyond the most that a monitor has are said', () => {
    const conditions = Array.from({ length: 21 }, (_, index) => `[BODY].n${index} == x`)
    const { monitor, notes } = importOf(['[STATUS] == 200', ...conditions])
    assert.equal(monitor.options?.assertions?.length, 20)
    assert.deepEqual(notes, [
      'its condition [BODY].n20 == x is not checked here: a monitor has at most 20 assertions',
    ])
  })

  const others: [url: string, condition: string, notes: RegExp[]][] = [
    [
      'tcp://one.example:25',
      '[BODY] == pat(*220*)',
      [/only http and keyword monitors read that of an answer$/],
    ],
    [
      'icmp://one.example',
      '[RESPONSE_TIME] < 300',
      [/only http and keyword monitors read that of an answer$/],
    ],
    ['icmp://one.example', '[RESPONSE_TIME] < 3s', []],
    ['icmp://one.example', '[IP] == 192.0.2.7', [/no assertions about addresses$/]],
  ]
  for (const [url, condition, expected] of others)
    it(`at ${url}: ${condition} is ${expected.length > 0 ? 'said' : 'a time-out'}`, () => {
      const { monitor, notes } = importOf(['[CONNECTED] == true', condition], { url })
      assert.equal(monitor.options, null)
      assert.equal(notes.length, expected.length)
      for (const [index, note] of expected.entries()) assert.match(notes[index] ?? '', note)
    })
})

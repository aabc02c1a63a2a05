import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askedBy, isUpFor } from '../../support/imports/as-imported.ts'
import { NO_KUMA_CONTENT } from '../../support/imports/kuma-database.ts'
import { fromUptimeKuma, TERMS } from '../../support/imports/read-exports.ts'

type Query = [path: string | null, operator: string | null, expected: string]

function importOf(monitor: Record<string, unknown>) {
  const one = {
    id: 1,
    name: 'One',
    url: 'https://one.example/',
    accepted_statuscodes_json: '["200"]',
    ...monitor,
  }
  return fromUptimeKuma({ ...NO_KUMA_CONTENT, monitors: [one] }, TERMS)
}

function queried([json_path, json_path_operator, expected_value]: Query) {
  return importOf({ type: 'json-query', json_path, json_path_operator, expected_value })
}

const BODY = JSON.stringify({
  status: 'ok',
  count: 7,
  text: '7',
  ready: true,
  none: null,
  'last run': { took: 1.5 },
  list: [
    { id: 'a', state: 'up' },
    { id: 'b', state: 'down' },
  ],
})

const TABLE: [query: Query, asked: string[], up: string[], down: string[]][] = [
  [['status', '==', 'ok'], ['json $.status equals "ok"'], [BODY], ['{"status":"OK"}', '{}', 'ok']],
  [['$.status', null, 'ok'], ['json $.status equals "ok"'], [BODY], ['{"status":null}']],
  [['$$.status', '==', 'ok'], ['json $.status equals "ok"'], [BODY], ['[]']],
  [['count', '==', '7'], ['json $.count one_of [7,"7"]'], [BODY, '{"count":"7"}'], ['{"count":8}']],
  [
    ['ready', '==', 'true'],
    ['json $.ready one_of [true,"true"]'],
    [BODY, '{"ready":"true"}'],
    ['{"ready":false}'],
  ],
  [
    ['status', '!=', 'down'],
    ['json $.status exists', 'json $.status not_equals null', 'json $.status not_equals "down"'],
    [BODY],
    ['{"status":"down"}', '{"status":null}', '{}'],
  ],
  [['status', 'contains', 'k'], ['json $.status contains "k"'], [BODY], ['{"status":"no"}', '{}']],
  [['count', '>', '6'], ['json $.count greater_than 6'], [BODY, '{"count":"6.5"}'], ['{"count":6}', '{}']],
  [['count', '>=', '7'], ['json $.count at_least 7'], [BODY], ['{"count":6}']],
  [['count', '<', '8'], ['json $.count less_than 8'], [BODY], ['{"count":8}', '{}']],
  [['count', '<=', '7'], ['json $.count at_most 7'], [BODY], ['{"count":7.5}']],
  [['`last run`.took', '==', '1.5'], ['json $[\'last run\'].took one_of [1.5,"1.5"]'], [BODY], ['{}']],
  [['list[0].state', '==', 'up'], ['json $.list[0].state equals "up"'], [BODY], ['{"list":[]}']],
  [['list[-1].state', '==', 'down'], ['json $.list[-1].state equals "down"'], [BODY], ['{"list":[]}']],
  [
    ["list[id='b'].state", '==', 'down'],
    ['json $.list[?@.id == "b"].state equals "down"'],
    [BODY],
    ['{"list":[{"id":"b","state":"up"}]}', '{"list":[]}'],
  ],
  [
    ['list[size=2].id', '==', 'x'],
    ['json $.list[?@.size == 2].id equals "x"'],
    ['{"list":[{"size":2,"id":"x"}]}'],
    [BODY],
  ],
  [['$[0].id', '==', 'a'], ['json $[0].id equals "a"'], ['[{"id":"a"}]'], [BODY]],
  [['$', '==', 'ok'], ['body matches "^\\\\s*\\"?ok\\"?\\\\s*$"'], ['ok', '"ok"\n'], ['not ok']],
  [[null, '!=', 'ok'], ['body not_matches "^\\\\s*\\"?ok\\"?\\\\s*$"'], ['no'], ['ok']],
  [['$', 'contains', 'ok'], ['body contains "ok"'], ['it is ok'], ['no']],
  [['$', '>', '4'], ['body greater_than 4'], ['5\n'], ['4', 'five']],
]

const NOT_HERE: string[] = [
  '$sum(list.size)',
  '$count(list)',
  'list[0]id',
  'list.state & "x"',
  'a - b',
  'true',
  '[0].id',
  '.a',
  'a..b',
  'list[id="a"][0].state',
  'list[id="a" and size=2]',
  'list[$i]',
  '(a)',
  '*',
]

describe('a JSON query of Uptime Kuma', () => {
  for (const [query, asked, up, down] of TABLE)
    it(`${query.map((part) => part ?? '').join(' ')} is ${asked.join(' and ')}`, () => {
      const [monitor] = queried(query).declaration.monitors
      assert.ok(monitor)
      assert.deepEqual([monitor.type, monitor.expected_keyword ?? null], ['http', null])
      assert.deepEqual(askedBy(monitor), ['expected_status_codes 200', ...asked].slice(0))
      for (const body of up) assert.ok(isUpFor(monitor, { status: 200, body }), body)
      for (const body of down) assert.ok(!isUpFor(monitor, { status: 200, body }), body)
      assert.ok(!isUpFor(monitor, { status: 500, body: up[0] ?? '' }))
    })

  for (const path of NOT_HERE)
    it(`${path} is no path: the monitor is skipped`, () => {
      const { declaration, skipped } = queried([path, '==', '1'])
      assert.deepEqual(declaration.monitors, [])
      assert.match(skipped[0]?.reason ?? '', /^has a JSON query that no JSONPath says/)
    })
})

describe('an inverted keyword of Uptime Kuma', () => {
  it('is a text that an http monitor wants to be missing', () => {
    const [monitor] = importOf({ type: 'keyword', keyword: 'Oops', invertKeyword: true }).declaration.monitors
    assert.ok(monitor)
    assert.deepEqual([monitor.type, monitor.expected_keyword ?? null], ['http', null])
    assert.ok(isUpFor(monitor, { status: 200, body: 'Welcome' }))
    assert.ok(!isUpFor(monitor, { status: 200, body: 'Oops!' }))
    assert.ok(!isUpFor(monitor, { status: 404, body: 'Welcome' }))
  })

  it('that is not inverted stays a keyword', () => {
    const [monitor] = importOf({ type: 'keyword', keyword: 'Hi', invert_keyword: 0 }).declaration.monitors
    assert.deepEqual([monitor?.type, monitor?.expected_keyword], ['keyword', 'Hi'])
  })
})

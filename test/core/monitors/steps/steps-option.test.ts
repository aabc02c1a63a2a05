import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRules, patchRules, type RuleContext } from '../../../../src/core/monitors/monitor-rules.ts'
import {
  type MonitorOptions,
  maskFaults,
  mergeOptions,
  SentOptions,
} from '../../../../src/core/monitors/options/monitor-options.ts'
import {
  putSecrets,
  shownOptions,
  takeSecrets,
} from '../../../../src/core/monitors/options/secret-options.ts'
import { MASK } from '../../../../src/core/teams/access.ts'

const CONTEXT: RuleContext = {
  plan: { min_interval_minutes: 1, min_interval_seconds: 10 },
  planName: 'business',
  refuseAddress: (url) => (url.includes('10.0.0.1') ? 'a private network' : null),
}

const ONE = { name: 'one', url: '/one', captures: { token: { source: 'json', property: '$.t' } } }
const TWO = { name: 'two', url: '/two?{{token}}' }

/** The paths that are refused: by the schema, else by the rules. */
function refused(options: object): string[] {
  const parsed = SentOptions.safeParse(options)
  if (!parsed.success) return parsed.error.issues.map(({ path }) => ['options', ...path].join('.'))
  return createRules(CONTEXT)({
    ...{ type: 'steps', url: 'https://shop.example', name: 'x', options: parsed.data },
  }).map(({ field }) => field)
}

const steps = (...list: object[]) => ({ steps: list })

describe('options of several steps', () => {
  const cases: [what: string, options: object, paths: string[]][] = [
    ['what is well', steps(ONE, TWO), []],
    ['one alone', steps(ONE), ['options.steps']],
    [
      '21',
      steps(...Array.from({ length: 21 }, (_, at) => ({ name: `n${at}`, url: '/' }))),
      ['options.steps'],
    ],
    ['none', {}, ['options.steps']],
    ['a name twice', steps(ONE, { ...TWO, name: 'one' }), ['options.steps.1.name']],
    ['no name', steps(ONE, { ...TWO, name: ' ' }), ['options.steps.1.name']],
    ['an unknown key', steps(ONE, { ...TWO, retries: 2 }), ['options.steps.1']],
    ['what the same step captures', steps({ ...ONE, url: '/{{token}}' }, TWO), ['options.steps.0.url']],
    ['what nothing captures', steps(ONE, { ...TWO, url: '/{{tokn}}' }), ['options.steps.1.url']],
    [
      'it in a header and a body',
      steps(ONE, { ...TWO, headers: { 'X-A': '{{a}}' }, body: '{{{b-c}}}' }),
      ['options.steps.1.headers.X-A', 'options.steps.1.body'],
    ],
    ['an unknown secret', steps(ONE, { ...TWO, body: '{{secret.KEY}}' }), ['options.steps.1.body']],
    ['a known secret', { ...steps(ONE, { ...TWO, body: '{{secret.KEY}}' }), secrets: { KEY: 'x' } }, []],
    ['another scheme', steps(ONE, { ...TWO, url: 'ftp://a' }), ['options.steps.1.url']],
    ['credentials', steps(ONE, { ...TWO, url: 'http://a:b@c/' }), ['options.steps.1.url']],
    ['a refused address', steps(ONE, { ...TWO, url: 'http://10.0.0.1/{{token}}' }), ['options.steps.1.url']],
    ['a host that is captured', steps(ONE, { ...TWO, url: 'http://{{token}}/' }), []],
    [
      'an odd name of a capture',
      steps({ ...ONE, captures: { ...ONE.captures, 'a b': ONE.captures.token } }, TWO),
      ['options.steps.0.captures.a b'],
    ],
    [
      'a name that has a meaning',
      steps({ ...ONE, captures: { ...ONE.captures, now: ONE.captures.token } }, TWO),
      ['options.steps.0.captures.now'],
    ],
    [
      'an assertion about what it has not',
      steps(ONE, { ...TWO, assertions: [{ source: 'answer', comparison: 'exists' }] }),
      ['options.steps.1.assertions.0.source'],
    ],
    [
      'a time above the bound',
      steps(ONE, { ...TWO, timeout_seconds: 61 }),
      ['options.steps.1.timeout_seconds'],
    ],
    ['the body of a type that has none', { ...steps(ONE, TWO), request_body: 'x' }, ['options.request_body']],
    [
      'too much in all',
      steps(...[1, 2, 3].map((at) => ({ name: `n${at}`, url: '/', body: 'x'.repeat(60_000) }))),
      ['options.steps'],
    ],
  ]
  for (const [what, options, paths] of cases)
    it(`${paths.length === 0 ? 'take' : 'refuse'} ${what}`, () => assert.deepEqual(refused(options), paths))

  it('refuse a secret that is taken away while a step refers to it', () => {
    const options = SentOptions.parse({
      ...steps(ONE, { ...TWO, body: '{{secret.KEY}}' }),
      secrets: { KEY: 'x' },
    })
    const stored = { url: 'https://shop.example', username: null, options: options as MonitorOptions }
    const faults = patchRules('steps', CONTEXT, stored)({ options: { secrets: null } })
    assert.deepEqual(
      faults.map(({ field }) => field),
      ['options.steps.1.body'],
    )
  })
})

describe('secrets of several steps', () => {
  const stored = SentOptions.parse({
    ...steps(
      { ...ONE, headers: { Authorization: 'Basic abc', Accept: 'x' }, body: 'first' },
      { ...TWO, body: 'second' },
    ),
    secrets: { KEY: 'sesame' },
  }) as MonitorOptions

  it('are sealed, and put back as they were', () => {
    const { plain, secrets } = takeSecrets(stored)
    assert.doesNotMatch(JSON.stringify(plain), /abc|first|second|sesame/)
    assert.deepEqual(putSecrets(plain, secrets), stored)
  })

  it('are shown to admins but for `secrets`, and to no viewer', () => {
    assert.deepEqual(shownOptions(stored, 'admin'), { ...stored, secrets: { KEY: MASK } })
    assert.doesNotMatch(JSON.stringify(shownOptions(stored, 'viewer')), /abc|first|second|sesame/)
  })

  const [one, two] = stored.steps ?? []
  const masked = { ...two, name: 'two', body: MASK }
  it('are kept by the name of the step, wherever it stands', () => {
    const sent = SentOptions.parse(steps({ ...one, body: MASK }, { name: 'new', url: '/' }, masked))
    assert.deepEqual(maskFaults(sent, stored), [])
    const kept = mergeOptions(stored, sent)?.steps?.map(({ name, body }) => [name, body])
    assert.deepEqual(kept, [
      ['one', 'first'],
      ['new', undefined],
      ['two', 'second'],
    ])
  })

  it('are lost by another name', () => {
    const sent = SentOptions.parse(steps(one as object, { ...masked, name: 'renamed' }))
    assert.deepEqual(
      maskFaults(sent, stored).map(({ field }) => field),
      ['options.steps.1.body'],
    )
  })
})

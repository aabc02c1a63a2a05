import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRole, targetWords } from '../../../../src/core/monitors/browser/page-step.ts'
import { createRules, patchRules, type RuleContext } from '../../../../src/core/monitors/monitor-rules.ts'
import { SentOptions } from '../../../../src/core/monitors/options/monitor-options.ts'
import { shownOptions } from '../../../../src/core/monitors/options/secret-options.ts'
import { MASK } from '../../../../src/core/teams/access.ts'

const CONTEXT: RuleContext = {
  plan: { min_interval_minutes: 1, min_interval_seconds: 10 },
  planName: 'business',
  refuseAddress: (url) => (url.includes('10.0.0.1') ? 'a private network' : null),
}
const MONITOR = { type: 'browser', url: 'https://shop.example', name: 'x' } as const

/** The paths that are refused: by the schema, else by the rules. */
function refused(steps: object[], more: object = {}): string[] {
  const named = steps.map((step, index) => ({ name: `s${index}`, ...step }))
  const parsed = SentOptions.safeParse({ browser_steps: named, ...more })
  if (!parsed.success) return parsed.error.issues.map(({ path }) => ['options', ...path].join('.'))
  return createRules(CONTEXT)({ ...MONITOR, options: parsed.data }).map(({ field }) => field)
}

describe('options of steps in a browser', () => {
  const at = (...parts: string[]) => parts.map((part) => `options.browser_steps.0${part && `.${part}`}`)
  const cases: [what: string, step: object, paths: string[], more?: object][] = [
    ['a page', { action: 'goto', url: '/basket' }, []],
    ['a page without an address', { action: 'goto' }, at('url')],
    ['a file', { action: 'goto', url: 'file:///etc/passwd' }, at('url')],
    ['a page of the browser', { action: 'goto', url: 'chrome://version' }, at('url')],
    ['a source', { action: 'goto', url: 'view-source:https://shop.example' }, at('url')],
    ['a script', { action: 'goto', url: 'javascript:alert(1)' }, at('url')],
    ['credentials', { action: 'goto', url: 'https://a:b@shop.example' }, at('url')],
    ['a private address', { action: 'goto', url: 'http://10.0.0.1/' }, at('url')],
    ['a click on nothing', { action: 'click' }, at('target')],
    ['a click with a value', { action: 'click', target: 'a', value: 'b' }, at('value')],
    ['a field', { action: 'fill', by: 'label', target: 'Name', value: 'Ada' }, []],
    ['a field without a value', { action: 'fill', target: 'Name' }, at('value')],
    ['a key', { action: 'press', value: 'Enter' }, []],
    ['a way without a target', { action: 'press', by: 'css', value: 'Enter' }, at('by')],
    ['a role', { action: 'click', by: 'role', target: 'button Sign in' }, []],
    ['no role', { action: 'click', by: 'role', target: 'Sign in' }, at('target')],
    ['another action', { action: 'hover', target: 'a' }, at('action')],
    ['an unknown key', { action: 'click', target: 'a', retries: 2 }, at('')],
    ['no secret', { action: 'expect_text', value: '{{secret.KEY}}' }, at('value')],
    ['a secret', { action: 'expect_text', value: '{{secret.KEY}}' }, [], { secrets: { KEY: 'x' } }],
    ['a made value', { action: 'expect_text', value: '{{uuid}} {{now}}' }, []],
    ['what none captures', { action: 'expect_text', value: '{{token}}' }, at('value')],
    ['too long a limit', { action: 'press', value: 'a', timeout_seconds: 61 }, at('timeout_seconds')],
  ]
  for (const [what, step, paths, more] of cases)
    it(`take, or refuse at its place: ${what}`, () => assert.deepEqual(refused([step], more), paths))

  it('are 1 to 30, each with a name of its own', () => {
    const key = { action: 'press', value: 'a' }
    assert.deepEqual(refused([]), ['options.browser_steps'])
    assert.deepEqual(refused(Array.from({ length: 30 }, () => key)), [])
    assert.deepEqual(refused(Array.from({ length: 31 }, () => key)), ['options.browser_steps'])
    assert.deepEqual(refused([key, { ...key, name: 's0' }]), ['options.browser_steps.1.name'])
  })

  it('show values to owners and admins alone', () => {
    const steps = [{ name: 'a', action: 'fill', target: 'Name', value: 'sesame' }]
    const shown = (role: 'admin' | 'viewer') =>
      shownOptions({ browser_steps: steps }, role).browser_steps[0]?.value
    assert.deepEqual([shown('admin'), shown('viewer')], ['sesame', MASK])
  })

  it('need none: the page alone may be looked at', () => {
    assert.deepEqual(createRules(CONTEXT)(MONITOR), [])
  })
})

describe('a monitor of a page', () => {
  it('is refused where the service has no browser, with what to set', () => {
    const [fault] = createRules({ ...CONTEXT, lacks: ['browser'] })(MONITOR)
    assert.equal(fault?.field, 'type')
    assert.match(JSON.stringify(fault?.message), /BROWSER_PATH/)
  })

  it('is checked once a minute at most', () => {
    const fields = (seconds: number) => ({ check_interval_seconds: seconds })
    const faults = (seconds: number) => [
      ...createRules(CONTEXT)({ ...MONITOR, ...fields(seconds) }),
      ...patchRules('browser', CONTEXT)(fields(seconds)),
    ]
    assert.deepEqual(faults(60), [])
    assert.deepEqual(
      faults(59).map(({ field }) => field),
      ['check_interval_seconds', 'check_interval_seconds'],
    )
  })
})

describe('what a step means', () => {
  it('is said in words', () => {
    assert.equal(targetWords({ by: 'role', target: 'button  Sign in' }), 'button "Sign in"')
    assert.equal(targetWords({ by: 'role', target: 'main' }), 'main')
    assert.equal(targetWords({ by: 'label', target: 'Name' }), 'field "Name"')
    assert.equal(targetWords({ target: 'Hello' }), 'text "Hello"')
    assert.equal(targetWords({ by: 'css', target: 'p > a' }), 'p > a')
  })

  it('begins with a role of ARIA', () => {
    assert.deepEqual(readRole('button'), { role: 'button', name: null })
    assert.equal(readRole('buttons Go'), null)
  })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { openBrowsers } from '../../../src/browsers.ts'
import { readConfig } from '../../../src/config.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import { PageSteps } from '../../../src/core/monitors/options/protocols/browser.ts'
import { createBrowserProbe } from '../../../src/probes/browser/browser.ts'
import type { Browsers } from '../../../src/probes/browser/browsers.ts'
import { createSharedPlaces } from '../../../src/probes/browser/places.ts'
import { chromiumScript } from '../../support/browser/chromium-script.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { suiteScope } from '../../support/scope.ts'
import { closedPort, startHttp } from '../../support/servers/targets.ts'
import { settingsFor, testNetwork } from '../../support/servers/targets-settings.ts'
import { until } from '../../support/until.ts'

type Reply = string | ((request: IncomingMessage, response: ServerResponse) => unknown)

const LONG_SECONDS = HANG_GUARD_MS / 1_000
const SHOP = `<title>Shop</title><h1>Welcome
  back</h1><form action="/done"><label>Name <input name="name"></label>
  <label>Size <select name="size"><option value="s">Small</option><option value="l">Large</option></select></label>
  <button>Order</button></form><p hidden>secretly here</p>`
const PAGES: Record<string, Reply> = {
  '/': SHOP,
  '/done': (request, response) =>
    response.end(`<p>Thank you, ${new URL(request.url ?? '', 'http://x').searchParams}</p>`),
  '/gone': (_, response) => response.writeHead(503).end('down'),
  '/hangs': '<p>Hello</p><script>for (;;);</script>',
  '/dialogs': '<p>Hello</p><script>setInterval(() => alert("again"), 0)</script>',
  '/download': (_, response) =>
    response.writeHead(200, { 'Content-Disposition': 'attachment; filename=a.zip' }).end('PK'),
  '/broken':
    '<p>Hello Ada</p><script src="/gone"></script><script>console.error("no basket of sesame-7"); missing()</script>',
  '/popups': '<p>Hello</p><script>for (let i = 0; i < 5; i++) open("/")</script>',
  '/silent': () => {},
  '/leak': (_, response) =>
    response.end('<p>Hello</p><img src="http://169.254.169.254/x"><img src="//inside.example/x">'),
}

const scope = suiteScope()
let browsers: Browsers
let origin = ''

before(async () => {
  const config = readConfig({ BROWSER_PATH: await chromiumScript() })
  const opened = openBrowsers(config, createSharedPlaces(1))
  assert.ok(opened)
  browsers = opened
  const { port } = await startHttp(scope, (request, response) => {
    const reply = PAGES[new URL(request.url ?? '', 'http://x').pathname] ?? ''
    if (typeof reply !== 'string') reply(request, response)
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(reply)
  })
  origin = `http://127.0.0.1:${port}`
})
after(() => browsers.close())

/** Looks at a page and makes steps there; the limit of the whole is only as short as a test wants it to be over. */
function look(
  path: string,
  steps: object[] = [],
  seconds = LONG_SECONDS,
  secrets = {},
): Promise<CheckResult> {
  const probe = createBrowserProbe(testNetwork(), browsers)
  const options = {
    ...(steps.length > 0 && {
      browser_steps: PageSteps.parse(steps.map((step, i) => ({ name: `s${i + 1}`, ...step }))),
    }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
  }
  const changes = { url: `${origin}${path}`, request_timeout_seconds: seconds, options }
  return probe(settingsFor('browser', changes), new AbortController().signal)
}

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const went = ({ steps = [] }: CheckResult) => steps.map(({ name, status }) => `${name} ${status}`)

describe('a check in a browser', () => {
  it('is up when the page loads, and says how it went', async () => {
    const result = await look('/')
    assert.deepEqual(said(result), ['up', null])
    assert.deepEqual([result.httpStatusCode, result.address], [200, '127.0.0.1'])
    assert.deepEqual(went(result), ['open the page up'])
    assert.notEqual(result.responseTimeMs, null)
  })

  it('makes every kind of step', async () => {
    const result = await look(
      '/',
      [
        { action: 'expect_text', value: 'Welcome back' },
        { action: 'expect_no_text', value: 'secretly here' },
        { action: 'expect_visible', by: 'role', target: 'button Order' },
        { action: 'fill', by: 'label', target: 'Name', value: '{{secret.NAME}}' },
        { action: 'select', by: 'css', target: 'select', value: 'Large' },
        { action: 'press', by: 'label', target: 'Name', value: 'Enter' },
        { action: 'expect_url', value: '/done?' },
        { action: 'wait_for', target: 'Thank you' },
        { action: 'expect_text', value: 'Thank you, name=Ada&size=l', by: 'css', target: 'p' },
        { action: 'goto', url: '/' },
        { action: 'click', by: 'role', target: 'button Order' },
        { action: 'expect_url', value: 'size=s' },
      ],
      LONG_SECONDS,
      { NAME: 'Ada' },
    )
    assert.deepEqual(said(result), ['up', null])
    assert.equal(result.steps?.length, 13)
  })

  it('says which step fails, and why', async () => {
    const failing = async (step: object) => said(await look('/', [{ timeout_seconds: 1, ...step }]))
    assert.deepEqual(await failing({ action: 'expect_text', value: 'Good-bye' }), [
      'down',
      'step 1 "s1": text "Good-bye" not seen within 1 s',
    ])
    assert.deepEqual(await failing({ action: 'click', by: 'role', target: 'button Pay' }), [
      'down',
      'step 1 "s1": button "Pay" not seen within 1 s',
    ])
    assert.deepEqual(await failing({ action: 'expect_no_text', value: 'Welcome' }), [
      'down',
      'step 1 "s1": text "Welcome" still seen after 1 s',
    ])
    assert.deepEqual(await failing({ action: 'expect_url', value: '/basket' }), [
      'down',
      `step 1 "s1": the page is ${origin}/ (expected to contain "/basket")`,
    ])
    assert.deepEqual(await failing({ action: 'press', value: 'NoKey' }), [
      'down',
      'step 1 "s1": there is no such key',
    ])
    assert.deepEqual(await failing({ action: 'goto', url: '/gone' }), [
      'down',
      'step 1 "s1": HTTP 503 (expected less than 400)',
    ])
    const nobody = `127.0.0.1:${await closedPort(scope)}`
    const closed = await look('/', [
      { action: 'goto', url: `http://${nobody}/` },
      { action: 'press', value: 'Enter' },
    ])
    assert.deepEqual(said(closed), ['down', `step 1 "s1": connection refused by ${nobody}`])
    assert.deepEqual(went(closed), ['open the page up', 's1 down', 's2 skipped'])
    assert.deepEqual([closed.responseTimeMs, closed.address], [null, '127.0.0.1'])
  })

  it('keeps errors of the console, requests that failed and the text of a page that fails, without secrets', async () => {
    const steps = [{ action: 'wait_for', target: '{{secret.KEY}}', timeout_seconds: 1 }]
    const { answer } = await look('/broken?key=7', steps, LONG_SECONDS, { KEY: 'sesame-7' })
    assert.ok(answer?.status_line.startsWith(`${origin}/broken`), String(answer?.status_line))
    assert.deepEqual(answer?.body.text.replaceAll(origin, '').split('\n').sort(), [
      '',
      '',
      'Errors of the console:',
      'Failed to load resource: the server responded with a status of 503 (Service Unavailable)',
      'GET /gone: HTTP 503',
      'Hello Ada',
      'Requests that failed:',
      'Text of the page:',
      'missing is not defined',
      'no basket of ********',
    ])
    assert.equal((await look('/')).answer, undefined)
  })

  it('says why the page itself fails', async () => {
    assert.deepEqual(said(await look('/gone')), ['down', 'HTTP 503 (expected less than 400)'])
    assert.deepEqual(said(await look('/download')), ['down', 'the page is a download'])
    assert.deepEqual(said(await look('/silent', [], 1)), ['down', 'the page has not loaded within 1 s'])
  })

  it('is harmed by no page that hangs, asks without end, or opens windows, and judges the next one', async () => {
    assert.deepEqual(said(await look('/hangs', [], 1)), ['down', 'the page has not loaded within 1 s'])
    const stuck = [{ action: 'wait_for', target: 'Never' }]
    assert.equal((await look('/dialogs', stuck, 2)).status, 'down')
    assert.deepEqual(said(await look('/popups', [{ action: 'expect_text', value: 'Hello' }])), ['up', null])
    assert.deepEqual(said(await look('/')), ['up', null])
  })

  it('sends nothing to an address that is refused, however a page asks for it', async () => {
    assert.deepEqual(said(await look('/leak', [{ action: 'expect_text', value: 'Hello' }])), ['up', null])
    const inside = await look('/', [{ action: 'goto', url: 'http://169.254.169.254/latest' }])
    assert.deepEqual(said(inside), ['down', 'step 1 "s1": address 169.254.169.254 is not allowed'])
  })

  it('is not judged where the browser is killed, and the next check starts another one', async () => {
    const waiting = look('/silent', [], LONG_SECONDS)
    const [browser] = await until('a browser of this process', () => {
      const found = browsersOf(process.pid)
      return found.length > 0 ? found : null
    })
    process.kill(-Number(browser), 'SIGKILL')
    assert.deepEqual((await waiting).status, 'pending')
    assert.deepEqual(said(await look('/')), ['up', null])
  })

  it('is not judged without a browser', async () => {
    const probe = createBrowserProbe(testNetwork(), null)
    const result = await probe(settingsFor('browser', { url: origin }), new AbortController().signal)
    assert.deepEqual(said(result), ['pending', 'there is no browser here: set BROWSER_PATH'])
  })
})

/** The leaders of the groups of browsers that processes of a process have started (proc(5)). */
function browsersOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [, ppid] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      parents.set(Number(name), Number(ppid))
    } catch {
      // It is over.
    }
  }
  const of = (parent: number) => [...parents].filter(([, ppid]) => ppid === parent).map(([child]) => child)
  return of(pid).flatMap(of)
}

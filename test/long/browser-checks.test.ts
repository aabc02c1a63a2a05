// npm test leaves this out: it makes sixty checks in a browser, one of a page that loads more than it may.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { before, describe, it } from 'node:test'
import { openBrowsers } from '../../src/browsers.ts'
import { readConfig } from '../../src/config.ts'
import { PageSteps } from '../../src/core/monitors/options/protocols/browser.ts'
import { createBrowserProbe } from '../../src/probes/browser/browser.ts'
import { createSharedPlaces } from '../../src/probes/browser/places.ts'
import { chromiumScript } from '../support/browser/chromium-script.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { suiteScope } from '../support/scope.ts'
import { startHttp } from '../support/servers/targets.ts'
import { settingsFor, testNetwork } from '../support/servers/targets-settings.ts'
import { until } from '../support/until.ts'

const CHECKS = 60
const FOLDER = 'upbeat-browser-'

/** The processes whose command line names a folder of a browser (proc(5)). */
function processesOfBrowsers(folders: readonly string[]): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return folders.some((folder) => line.includes(folder))
    } catch {
      return false
    }
  })
}

const foldersOfBrowsers = () => readdirSync(tmpdir()).filter((name) => name.startsWith(FOLDER))

describe('checks in a browser, one after the other', () => {
  const scope = suiteScope()
  let origin = ''

  before(async () => {
    const { port } = await startHttp(scope, (request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      if (request.url !== '/endless') {
        const loading = '<script>fetch("/endless").then((it) => it.arrayBuffer())</script>'
        response.end(`<p>Hello</p>${request.url === '/large' ? loading : ''}`)
        return
      }
      const piece = Buffer.alloc(1024 * 1024)
      const write = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', write)
      write()
    })
    origin = `http://127.0.0.1:${port}`
  })

  it('leave no process and no file, and judge each the same', async () => {
    const others = foldersOfBrowsers()
    const browsers = openBrowsers(readConfig({ BROWSER_PATH: await chromiumScript() }), createSharedPlaces(1))
    assert.ok(browsers)
    const probe = createBrowserProbe(testNetwork(), browsers)
    const folders = new Set<string>()
    const check = async (path: string, steps: object[]) => {
      const options = steps.length > 0 ? { browser_steps: PageSteps.parse(steps) } : {}
      const settings = settingsFor('browser', {
        ...{ url: `${origin}${path}`, request_timeout_seconds: HANG_GUARD_MS / 1_000, options },
      })
      const { status, errorMessage } = await probe(settings, new AbortController().signal)
      for (const folder of foldersOfBrowsers()) if (!others.includes(folder)) folders.add(folder)
      return [status, errorMessage]
    }
    const steps = [{ name: 'greeting', action: 'expect_text', value: 'Hello' }]
    for (let number = 0; number < CHECKS; number++) assert.deepEqual(await check('/', steps), ['up', null])
    assert.ok(folders.size >= 2, 'a browser ends after so many checks')
    const never = [{ name: 'end', action: 'wait_for', target: 'The end', timeout_seconds: 20 }]
    const cause = 'step 1 "end": the page loads more than 50 MiB, where a check ends'
    assert.deepEqual(await check('/large', never), ['down', cause])
    await browsers.close()
    await until('all processes to end', () => processesOfBrowsers([...folders]).length === 0)
    assert.deepEqual(
      foldersOfBrowsers().filter((folder) => folders.has(folder)),
      [],
    )
  })
})

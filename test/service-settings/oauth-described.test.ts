import assert from 'node:assert/strict'
import https from 'node:https'
import { describe, it, type TestContext } from 'node:test'
import tls from 'node:tls'
import { createServices } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import { TOO_BUSY } from '../../src/core/cause.ts'
import type { Recorder } from '../../src/engine/record.ts'
import { createLog } from '../../src/log.ts'
import type { Store } from '../../src/store/store.ts'
import { createAuthority } from '../support/certificates.ts'
import { connectionsOf } from '../support/oauth-connections.ts'
import { openConsentBrowser, openProgram } from '../support/oauth-program.ts'
import { listen } from '../support/receivers.ts'
import { startServiceHere } from '../support/service-here.ts'
import { until } from '../support/until.ts'

/** That it did not hear the end of what it asked for. */
const LATE = new RegExp(`no answer within|${TOO_BUSY}`)

describe('a program that is known by an address', () => {
  it('is asked there who it is, once an hour and for who is signed in', async (t) => {
    const authority = createAuthority('Upbeat tests')
    trust(t, authority.pem)
    const service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1' })
    t.after(() => service.close())
    const connections = connectionsOf(service)
    let document: unknown
    let asked = 0
    const server = https.createServer(authority.issue({}), (_request, response) => {
      asked++
      response.end(JSON.stringify(document))
    })
    const port = await listen(server)
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const id = `https://localhost:${port}/program.json`
    const program = openProgram(`${connections.site}/api/v1`, {}, id)
    const url = (await program.begin())?.href ?? ''
    assert.equal(new URL(url).searchParams.get('client_id'), id)
    assert.equal((await (await openConsentBrowser(service, null)).open(url)).status, 303)
    assert.equal(asked, 0, 'strangers make the service ask nobody')

    const team = await connections.people.team()
    const browser = await connections.browserOf(team.owner)
    /** What is shown once it was asked in time: on a busy machine the service gives up, and soon refuses to go on. */
    const open = () =>
      until('an answer in time', async () => {
        const page = await browser.open(url)
        return page.status !== 429 && !LATE.test(page.text) && page
      })
    for (const [wrong, why] of [
      ['{', /names another client_id/],
      [{ client_id: `${id}x`, redirect_uris: [] }, /names another client_id/],
      [{ client_id: id, redirect_uris: [] }, /at least 1 entry/],
      ['x'.repeat(9_000), /is not JSON/],
    ] as const) {
      document = wrong
      const refused = await open()
      assert.equal(refused.status, 400)
      assert.match(refused.text, why)
    }
    document = { client_id: id, client_name: 'Described', redirect_uris: ['http://127.0.0.1/callback'] }
    const page = await open()
    assert.ok(
      page.text.includes('Connect <bdi>Described</bdi> to Upbeat?') &&
        page.text.includes(`localhost:${port}`),
    )
    const before = asked
    const { location } = await browser.submit(page, {
      team: String(team.id),
      access: 'write',
      decision: 'allow',
    })
    const { access_token } = await program.finish(location)
    assert.equal(await connections.statusOf(access_token), 200)
    assert.equal(asked, before, 'a description is kept for a while')

    const { db, vault } = service.services
    const config = readConfig({ ...service.env, PRIVATE_TARGETS: 'deny' })
    const strict = createServices(config, { db, vault } as Store, {} as Recorder, createLog('silent', false))
    const judged = await strict.fetchDescription(id)
    assert.ok(judged.kind === 'failed' && /not allowed/.test(judged.reason), JSON.stringify(judged))
    assert.equal(asked, before)
  })
})

/** What NODE_EXTRA_CA_CERTS does for a process, while a test lasts. */
function trust(t: TestContext, authority: string): void {
  const usual = tls.getCACertificates('default')
  t.after(() => tls.setDefaultCACertificates(usual))
  tls.setDefaultCACertificates([...usual, authority])
}

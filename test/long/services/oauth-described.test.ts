// npm test leaves this out: it needs services of its own for each way in which programs are described (seconds).
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Hono } from 'hono'
import { createNetwork } from '../../../src/net/network.ts'
import type { Services } from '../../../src/operations/services.ts'
import { addAuthorize } from '../../../src/pages/authorize.ts'
import { listen as listenTo, stopListening } from '../../../src/roles/http-server.ts'
import { createDescriptionReader } from '../../../src/roles/oauth-client-metadata.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { listen } from '../../support/servers/receivers.ts'
import { closedPort } from '../../support/servers/targets.ts'
import { CALM_LOOP } from '../../support/servers/targets-settings.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { connectionsOf } from '../../support/sign-in/oauth-connections.ts'
import { openConsentBrowser, openProgram } from '../../support/sign-in/oauth-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

reachPublicHere()

/** The host of programs. */
const NAMED = { names: ['program.example'] }
const UNREADABLE = /The description of the program cannot be read: [^<]*/

describe('a program that is known by an address', () => {
  it('is asked there for its description, once an hour and only for signed-in people', async (t) => {
    const authority = createAuthority('Upbeat tests')
    const service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1' })
    t.after(() => service.close())
    const connections = connectionsOf(service)
    let document: unknown
    let asked = 0
    const port = await serve(t, () =>
      https.createServer(authority.issue(NAMED), (_request, response) => {
        asked++
        response.end(JSON.stringify(document))
      }),
    )
    const id = `https://program.example:${port}/program.json`
    const program = openProgram(`${connections.site}/api/v1`, {}, id)
    const begun = (await program.begin())?.href ?? ''
    assert.equal(new URL(begun).searchParams.get('client_id'), id)
    // The same page over a network that finds the program, at a public address.
    const network = {
      ...createNetwork({
        privateTargets: 'allow',
        hostsFile: await hostsOf(t),
        extraAuthorities: [authority.pem],
      }),
      loop: CALM_LOOP,
    }
    const fetchDescription = createDescriptionReader({ note: () => {}, openNetwork: () => network })
    const url = begun.replace(connections.site, await openPage(t, { ...service.services, fetchDescription }))
    assert.equal((await (await openConsentBrowser(service, null)).open(url)).status, 303)
    assert.equal(asked, 0, 'strangers make the service ask nobody')

    const team = await connections.people.team()
    const browser = await connections.browserOf(team.owner)
    /** The page once the program's address answered in time: a busy service gives up, and soon refuses to go on. */
    const open = () =>
      until('an answer in time', async () => {
        const page = await browser.open(url)
        return page.status !== 429 && !UNREADABLE.test(page.text) && page
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
        page.text.includes(`program.example:${port}`),
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
  })

  it('must be a public one, and answers from elsewhere are disclosed to no one', async (t) => {
    // Even where monitors may have private targets.
    const service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1', PRIVATE_TARGETS: 'allow' })
    t.after(() => service.close())
    const connections = connectionsOf(service)
    const { owner } = await connections.people.team()
    const browser = await connections.browserOf(owner)
    let connected = 0
    const port = await serve(t, () => net.createServer().on('connection', () => connected++))
    const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, `127.0.0.1:${await closedPort(t)}`]
    const said = new Set<string>()
    for (const host of [...hosts, '10.0.0.1', '169.254.169.254', '[::1]', 'nothing.invalid']) {
      const program = openProgram(`${connections.site}/api/v1`, {}, `https://${host}/program.json`)
      const { status, text } = await browser.open((await program.begin())?.href ?? '')
      assert.equal(status, 400, host)
      said.add(UNREADABLE.exec(text)?.[0] ?? text)
    }
    assert.equal(said.size, 1, [...said].join())
    assert.equal(connected, 0)
  })

  it('is not read where it is not answered with HTTP 200 over TLS; only the operator is told why', async (t) => {
    const own = createAuthority('Upbeat tests')
    const missing = await serve(t, () =>
      https.createServer(own.issue(NAMED), (_request, response) => response.writeHead(404).end()),
    )
    const foreign = await serve(t, () => https.createServer(createAuthority('Somebody else').issue(NAMED)))
    const plain = await serve(t, () => http.createServer((_request, response) => response.end('{}')))
    const notes: string[] = []
    const network = {
      ...createNetwork({ privateTargets: 'allow', hostsFile: await hostsOf(t), extraAuthorities: [own.pem] }),
      loop: CALM_LOOP,
    }
    const note = (detail: string) => void notes.push(detail)
    const read = createDescriptionReader({ note, openNetwork: () => network })
    const ports = [missing, foreign, plain, await closedPort(t)]
    for (const port of ports) assert.equal(await read(`https://program.example:${port}/program.json`), null)
    assert.equal(
      new Set(notes.map((each) => each.replaceAll(/\d{4,}/g, ''))).size,
      ports.length,
      notes.join(),
    )
  })
})

async function hostsOf(t: TestContext): Promise<string> {
  const hostsFile = join(temporaryFolder(t), 'hosts')
  await writeFile(hostsFile, atPublicAddress('127.0.0.1 program.example\n'))
  return hostsFile
}

/** The page that asks people, with services of its own; its address. */
async function openPage(t: TestContext, services: Services): Promise<string> {
  const app = new Hono()
  addAuthorize(app, services, '/docs')
  const server = await listenTo(app, { port: 0, host: '127.0.0.1' })
  t.after(() => stopListening(server))
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
}

/** The port that a server of the test listens on. */
async function serve(t: TestContext, create: () => net.Server | http.Server | https.Server): Promise<number> {
  const server = create()
  const port = await listen(server)
  t.after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return port
}

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { blocksIn } from '../support/documents/docs-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { INSIDER } from '../support/net/forwarded-headers.ts'
import { isOpen, SEEN_AS_NOBODY, SEEN_ITSELF, startProxiedService } from '../support/net/proxied-service.ts'
import { runProgram } from '../support/programs.ts'
import { addTeam } from '../support/records/teams.ts'
import { startServiceHere } from '../support/services/service-here.ts'
import { storePage } from '../support/status-pages/stored-pages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const documented = blocksIn('caddy').map(({ text }) => text)
const deployed = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')

/** A file for Caddy, which writes nowhere but beside it. */
function caddyfile(context: TestContext, text: string) {
  const folder = temporaryFolder(context)
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, text)
  return { file, env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } }
}

for (const [index, text] of [...documented, deployed].entries()) {
  test(`Caddy takes ${index < documented.length ? 'a site of the documentation' : 'the deployment'}`, (context) => {
    const { file, env } = caddyfile(context, text)
    runProgram('caddy', ['adapt', '--validate', '--adapter', 'caddyfile', '--config', file], { env })
  })
}

test('Caddy gets certificates for proved domains of status pages, and for no others', async (context) => {
  const service = await startServiceHere({ ROLES: 'api' })
  context.after(() => service.close())
  const teamId = await addTeam(service.services.db)
  await storePage(service.services, teamId, { slug: 'acme', name: 'Acme' }, { domain: 'status.example.com' })
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const site = documented.find((text) => text.includes('on_demand_tls')) as string
  // Its own authority instead of one on the internet, and ports that are not for root.
  const text = site
    .replace(
      '{\n',
      `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n`,
    )
    .replaceAll('127.0.0.1:3000', new URL(service.url).host)
    .replace('\ttls {', '\ttls internal {')
    .replace('upbeat.example.com {', 'upbeat.example.com {\n\ttls internal')
  const { file, env } = caddyfile(context, text)
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' })
  context.after(async () => {
    caddy.kill()
    await once(caddy, 'exit')
  })
  const page = await until('Caddy serves the page', () =>
    visit(httpsPort, 'status.example.com').catch(() => null),
  )
  assert.match(page, /^HTTP\/1\.1 200 [\s\S]*Acme/)
  await assert.rejects(visit(httpsPort, 'other.example.com'))
})

test('behind Caddy a client is who it is, whatever it claims', async (context) => {
  const service = await startProxiedService()
  context.after(() => service.close())
  const [httpPort, port] = [await freePort(), await freePort()]
  const options = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${httpPort}\n\thttps_port ${port}\n}\n`
  const text = (documented[0] as string)
    .replaceAll('127.0.0.1:3000', service.host)
    .replace('upbeat.example.com {', 'upbeat.example.com {\n\ttls internal')
  const { file, env } = caddyfile(context, options + text)
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' })
  context.after(async () => {
    caddy.kill()
    await once(caddy, 'exit')
  })
  await until('Caddy has a certificate', () => visit(port, 'upbeat.example.com').catch(() => null))
  assert.deepEqual(await service.see({ port, tls: true }), SEEN_ITSELF)
  assert.deepEqual(await service.see({ port, tls: true }, [INSIDER, `${INSIDER}, unix:`]), SEEN_ITSELF)
})

test('behind Caddy on a socket a client is nobody, whatever it claims', async (context) => {
  const service = await startProxiedService()
  context.after(() => service.close())
  const socketPath = join(temporaryFolder(context), 'socket')
  const site = `http://upbeat.example.com {\n\tbind unix/${socketPath}\n\treverse_proxy ${service.host}\n}\n`
  const { file, env } = caddyfile(context, `{\n\tadmin off\n}\n${site}`)
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' })
  context.after(async () => {
    caddy.kill()
    await once(caddy, 'exit')
  })
  await until('Caddy listens', () => isOpen({ socketPath }))
  assert.deepEqual(await service.see({ socketPath }), SEEN_AS_NOBODY)
})

/** The answer to a visitor of a domain, over TLS. */
async function visit(port: number, domain: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: domain, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.write(`GET / HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return answer
}

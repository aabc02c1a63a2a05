import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { blocksIn } from '../support/documents/docs-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { INSIDER } from '../support/net/forwarded-headers.ts'
import {
  isOpen,
  type ProxyDoor,
  SEEN_AS_NOBODY,
  SEEN_ITSELF,
  startProxiedService,
} from '../support/net/proxied-service.ts'
import { runProgram } from '../support/programs.ts'
import { selfSigned } from '../support/servers/certificates.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

/** The documented site in a folder of its own, which listens as is said and asks the service at `host`. */
function siteIn(context: TestContext, listen: (folder: string) => string, host = '127.0.0.1:3000') {
  const folder = temporaryFolder(context)
  const { key, cert } = selfSigned({ commonName: 'upbeat.example.com' })
  writeFileSync(join(folder, 'upbeat.key'), key)
  writeFileSync(join(folder, 'upbeat.pem'), cert)
  const [site, ...others] = blocksIn('nginx')
  assert.ok(site && others.length === 0)
  // Folders that anybody may make: the port and the usual ones are for root.
  const server = site.text
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replace('listen 443 ssl', `listen ${listen(folder)} ssl`)
    .replace('listen [::]:443 ssl;', '')
    .replace('127.0.0.1:3000', host)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = folders.map((name) => `${name}_temp_path ${folder}/${name};`)
  const top = [`pid ${folder}/pid;`, `error_log ${folder}/error.log;`, 'events {}']
  const config = [...top, 'http {', 'access_log off;', ...temporary, server, '}'].join('\n')
  return { folder, config }
}

test('nginx takes the site of the documentation', (context) => {
  const { folder, config } = siteIn(context, (own) => `unix:${own}/socket`)
  writeFileSync(join(folder, 'nginx.conf'), config)
  runProgram('nginx', ['-t', '-c', join(folder, 'nginx.conf'), '-p', folder])
})

/** Runs nginx until the test is over; resolves once it answers. */
async function run(context: TestContext, folder: string, config: string, door: ProxyDoor) {
  // Its workers are of the user who may open the sockets in the folder.
  const own = `user ${userInfo().username};\n${config}`
  writeFileSync(join(folder, 'nginx.conf'), own)
  const file = join(folder, 'nginx.conf')
  const nginx = spawn('nginx', ['-g', 'daemon off;', '-c', file, '-p', folder], { stdio: 'ignore' })
  context.after(async () => {
    nginx.kill()
    await once(nginx, 'exit')
  })
  await until('nginx listens', () => isOpen(door))
}

test('behind nginx a client is who it is, and on a socket nobody, whatever it claims', async (context) => {
  const service = await startProxiedService()
  context.after(() => service.close())
  const port = await freePort()
  const tcp = siteIn(context, () => `127.0.0.1:${port}`, service.host)
  await run(context, tcp.folder, tcp.config, { port })
  assert.deepEqual(await service.see({ port, tls: true }), SEEN_ITSELF)
  assert.deepEqual(await service.see({ port, tls: true }, [INSIDER, `${INSIDER}, unix:`]), SEEN_ITSELF)

  const unix = siteIn(context, (folder) => `unix:${folder}/socket`, service.host)
  const socketPath = join(unix.folder, 'socket')
  await run(context, unix.folder, unix.config, { socketPath })
  assert.deepEqual(await service.see({ socketPath, tls: true }), SEEN_AS_NOBODY)

  // As some write it.
  const portOfClient = await freePort()
  const withPort = siteIn(context, () => `127.0.0.1:${portOfClient}`, service.host)
  const config = withPort.config.replace(
    /X-Forwarded-For .*;/,
    'X-Forwarded-For "$http_x_forwarded_for, $remote_addr:$remote_port";',
  )
  await run(context, withPort.folder, config, { port: portOfClient })
  assert.deepEqual(await service.see({ port: portOfClient, tls: true }), SEEN_ITSELF)
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksIn } from '../support/documents/docs-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { INSIDER } from '../support/net/forwarded-headers.ts'
import { isOpen, SEEN_AS_NOBODY, SEEN_ITSELF, startProxiedService } from '../support/net/proxied-service.ts'
import { selfSigned } from '../support/servers/certificates.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

test('HAProxy takes the configuration of the documentation, and finds the service well by HTTP/1.0', async (context) => {
  const folder = temporaryFolder(context)
  const { key, cert } = selfSigned({ commonName: 'upbeat.example.com' })
  writeFileSync(join(folder, 'upbeat.pem'), cert + key)
  const service = await wholeService()
  const [port, statusPort] = [await freePort(), await freePort()]
  const config = documentedConfig()
    .replace('bind :443 ssl crt /etc/ssl/upbeat.pem', `bind 127.0.0.1:${port}`)
    .replace('127.0.0.1:3000 check', `${new URL(service.url).host} check inter 100ms`)
    // However slow this machine is, a check waits for its answer.
    .replace('timeout connect', 'timeout check 5m\n    timeout connect')
  // It begins with every server up, and says only on a page of its own what its checks have found.
  const status = `frontend status\n    bind 127.0.0.1:${statusPort}\n    stats uri /\n`
  writeFileSync(join(folder, 'haproxy.cfg'), `${config}\n${status}`)
  const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  context.after(async () => {
    haproxy.kill()
    await once(haproxy, 'exit')
  })
  const row = await until('HAProxy finds the service well', async () => {
    const rows = await fetch(`http://127.0.0.1:${statusPort}/;csv`).then(
      (answer) => answer.text(),
      () => '',
    )
    return rows.split('\n').find((line) => /^upbeat,upbeat,.*,L7OK\b/.test(line))
  })
  assert.match(row, /,UP,/)
  assert.equal((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 200)
})

test('behind HAProxy a client is who it is, and on a socket nobody, whatever it claims', async (context) => {
  const folder = temporaryFolder(context)
  const service = await startProxiedService()
  context.after(() => service.close())
  const [port, socketPath] = [await freePort(), join(folder, 'socket')]
  const config = documentedConfig()
    .replace('bind :443 ssl crt /etc/ssl/upbeat.pem', `bind 127.0.0.1:${port}\n    bind unix@${socketPath}`)
    // Its checks wait for a second, in which it answers 503.
    .replace('127.0.0.1:3000 check', service.host)
  writeFileSync(join(folder, 'haproxy.cfg'), config)
  const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  context.after(async () => {
    haproxy.kill()
    await once(haproxy, 'exit')
  })
  await until('HAProxy listens', () => isOpen({ port }))
  assert.deepEqual(await service.see({ port }), SEEN_ITSELF)
  assert.deepEqual(await service.see({ port }, [INSIDER, `${INSIDER}, unix:`]), SEEN_ITSELF)
  assert.deepEqual(await service.see({ socketPath }), SEEN_AS_NOBODY)
})

function documentedConfig(): string {
  const [documented, ...others] = blocksIn('haproxy')
  assert.ok(documented && others.length === 0)
  return documented.text
}

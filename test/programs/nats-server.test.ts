import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { startRealServer } from '../support/line-servers/real-server.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const authority = createAuthority('NATS')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { username: 'watcher', password: 'pass-word' }
const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]

describe('a NATS monitor of a real server', () => {
  const scope = suiteScope()
  const ports = { plain: 0, secure: 0, token: 0 }

  before(async () => {
    const folder = temporaryFolder(scope)
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'key.pem'), key)
    const user = `user: "${USER.username}", password: "${USER.password}"`
    const rights = 'permissions: { publish: { deny: ["closed.>"] }, subscribe: { deny: ["secret"] } }'
    const users = `authorization { users = [ { ${user}, ${rights} } ] }`
    const tls = `tls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem" }`
    const texts = { plain: users, secure: `${users}\n${tls}`, token: 'authorization { token: "sesame" }' }
    for (const name of ['plain', 'secure', 'token'] as const) {
      ports[name] = await closedPort(scope)
      const file = join(folder, `${name}.conf`)
      writeFileSync(file, `listen: "127.0.0.1:${ports[name]}"\n${texts[name]}`)
      await startRealServer(scope, ['nats-server', '-c', file], [ports[name]])
    }
  })

  const look = (
    name: keyof typeof ports,
    user: Partial<typeof USER>,
    options: MonitorOptions = {},
    scheme = 'nats',
  ) => check('nats', { url: `${scheme}://127.0.0.1:${ports[name]}`, ...user, options }, { network })
  const plain = { security: 'none' } as const

  it('signs in, and is told where it may not', async () => {
    assert.deepEqual(said(await look('plain', USER, plain)), ['up', null])
    assert.deepEqual(said(await look('plain', { ...USER, password: 'other' }, plain)), [
      'down',
      `NATS: sign-in refused ("-ERR 'Authorization Violation'")`,
    ])
    assert.deepEqual(said(await look('token', { username: 'any', password: 'sesame' }, plain)), ['up', null])
  })

  it('publishes, and gets it back, over TLS too', async () => {
    const publishing = { topic: 'health.check', publish: 'are you there?'.padEnd(60_000) }
    assert.deepEqual(said(await look('plain', USER, { ...plain, ...publishing })), ['up', null])
    for (const scheme of ['nats', 'tls']) {
      const secure = await look('secure', USER, publishing, scheme)
      assert.deepEqual(said(secure), ['up', null])
      assert.notEqual(secure.certificate, null)
    }
  })

  it('tells what the user may not do', async () => {
    assert.deepEqual(said(await look('plain', USER, { ...plain, topic: 'secret' })), [
      'down',
      `NATS: subscription refused ("-ERR 'Permissions Violation for Subscription to "secret"'")`,
    ])
    assert.deepEqual(said(await look('plain', USER, { ...plain, topic: 'closed.door', publish: 'x' })), [
      'down',
      `NATS: publishing refused ("-ERR 'Permissions Violation for Publish to "closed.door"'")`,
    ])
  })
})

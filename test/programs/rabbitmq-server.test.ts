import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { startRealServer } from '../support/line-servers/real-server.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const authority = createAuthority('RabbitMQ')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
/** Where Debian has it; the program for people wants to be its user. */
const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server'

describe('an AMQP monitor of a real broker', () => {
  const scope = suiteScope()
  const ports = { plain: 0, secure: 0 }

  before(async () => {
    const folder = temporaryFolder(scope)
    const others = [await closedPort(scope), await closedPort(scope)]
    ports.plain = await closedPort(scope)
    ports.secure = await closedPort(scope)
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const lines = [
      ...[`listeners.tcp.1 = 127.0.0.1:${ports.plain}`, `listeners.ssl.1 = 127.0.0.1:${ports.secure}`],
      ...[
        `ssl_options.certfile = ${file('cert.pem', cert)}`,
        `ssl_options.keyfile = ${file('key.pem', key)}`,
      ],
      ...['ssl_options.verify = verify_none', 'ssl_options.fail_if_no_peer_cert = false'],
    ]
    const env = {
      ...process.env,
      ...{ HOME: folder, RABBITMQ_MNESIA_BASE: folder, RABBITMQ_LOG_BASE: folder, RABBITMQ_LOGS: '-' },
      ...{
        RABBITMQ_CONFIG_FILE: file('rabbitmq.conf', lines.join('\n')),
        RABBITMQ_NODENAME: 'upbeat@localhost',
      },
      ...{
        RABBITMQ_DIST_PORT: String(others[0]),
        ERL_EPMD_PORT: String(others[1]),
        RABBITMQ_ENABLED_PLUGINS: '',
      },
      ...{ RABBITMQ_ENABLED_PLUGINS_FILE: file('plugins', '[].'), RABBITMQ_PID_FILE: join(folder, 'pid') },
      ...{ ERL_EPMD_ADDRESS: '127.0.0.1' },
    }
    // It starts a process of its own, at this port, which outlives it.
    scope.after(async () => {
      spawnSync('epmd', ['-port', String(others[1]), '-kill'], { stdio: 'ignore' })
    })
    await startRealServer(scope, [SERVER], [ports.plain, ports.secure], env)
  })

  const look = (settings: Partial<ProbeSettings> & { username?: string; password?: string }) =>
    check('amqp', { url: `amqp://127.0.0.1:${ports.plain}`, ...settings }, { network })

  it('signs in, and is told where it may not', async () => {
    assert.deepEqual(said(await look({})), ['up', null])
    const refused = await look({ username: 'guest', password: 'other' })
    assert.match(
      refused.errorMessage ?? '',
      /^AMQP: sign-in refused \("403 ACCESS_REFUSED - Login was refused/,
    )
    const nowhere = await look({ url: `amqp://127.0.0.1:${ports.plain}/nowhere` })
    assert.match(nowhere.errorMessage ?? '', /^AMQP: sign-in refused \("530 NOT_ALLOWED - /)
  })

  it('publishes, and gets it back, over TLS too', async () => {
    const publish = 'are you there?'.padEnd(60_000)
    for (const topic of ['health', 'amq.direct/health.check'])
      assert.deepEqual(said(await look({ options: { topic, publish } })), ['up', null])
    const url = `amqps://127.0.0.1:${ports.secure}`
    const secure = await look({ url, options: { topic: 'health', publish } })
    assert.deepEqual(said(secure), ['up', null])
    assert.notEqual(secure.certificate, null)
  })

  it('tells an exchange that is not there', async () => {
    const missing = await look({ options: { topic: 'nothing/health', publish: 'x' } })
    assert.match(
      missing.errorMessage ?? '',
      /^AMQP: subscription refused \("404 NOT_FOUND - no exchange 'nothing'/,
    )
  })
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { startRealServer } from '../support/line-servers/real-server.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const authority = createAuthority('Mosquitto')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { username: 'watcher', password: 'pass "wörd"' }
const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]

describe('an MQTT monitor of a real broker', () => {
  const scope = suiteScope()
  const ports = { plain: 0, secure: 0 }

  before(async () => {
    const folder = temporaryFolder(scope)
    ports.plain = await closedPort(scope)
    ports.secure = await closedPort(scope)
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const passwords = file('passwords', '')
    execFileSync('mosquitto_passwd', ['-b', passwords, USER.username, USER.password])
    const secured = [`certfile ${file('cert.pem', cert)}`, `keyfile ${file('key.pem', key)}`]
    const lines = [
      ...['user root', 'per_listener_settings false', 'allow_anonymous false', `password_file ${passwords}`],
      ...[`listener ${ports.plain} 127.0.0.1`, `listener ${ports.secure} 127.0.0.1`, ...secured],
    ]
    await startRealServer(scope, ['mosquitto', '-c', file('mosquitto.conf', lines.join('\n'))], [ports.plain])
  })

  const look = (settings: Partial<ProbeSettings> & Partial<typeof USER>) =>
    check('mqtt', { url: `mqtt://127.0.0.1:${ports.plain}`, ...settings }, { network })

  it('signs in, and is told where it may not', async () => {
    assert.deepEqual(said(await look(USER)), ['up', null])
    const refused = ['down', 'MQTT: sign-in refused ("5 not authorized")']
    assert.deepEqual(said(await look({ ...USER, password: 'other' })), refused)
    assert.deepEqual(said(await look({})), refused)
  })

  it('publishes, and gets it back, over TLS too', async () => {
    const publish = '{"state": "on"}'.padEnd(60_000)
    const options = { topic: 'hall/lamp', publish }
    assert.deepEqual(said(await look({ ...USER, options })), ['up', null])
    const secure = await look({ ...USER, url: `mqtts://127.0.0.1:${ports.secure}`, options })
    assert.deepEqual(said(secure), ['up', null])
    assert.notEqual(secure.certificate, null)
  })

  it('gets a message that was kept, on a topic that stands for several', async () => {
    const VERSION = {
      source: 'answer',
      comparison: 'starts_with',
      target: 'mosquitto version',
      severity: 'down',
    }
    const options = { topic: '$SYS/broker/version/#', assertions: [VERSION] } as MonitorOptions
    assert.deepEqual(said(await look({ ...USER, options })), ['up', null])
  })
})

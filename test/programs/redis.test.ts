import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { exitOf } from '../support/exit.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const authority = createAuthority('Redis')
const network = testNetwork({ extraAuthorities: [authority.pem] })

describe('a check of a real Redis server', () => {
  const scope = suiteScope()
  let port = 0
  let securePort = 0

  before(async () => {
    const folder = temporaryFolder(scope)
    port = await closedPort(scope)
    securePort = await closedPort(scope)
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    for (const [name, text] of Object.entries({ 'cert.pem': cert, 'key.pem': key, 'ca.pem': authority.pem }))
      writeFileSync(join(folder, name), text)
    writeFileSync(
      join(folder, 'redis.conf'),
      [
        ...[`port ${port}`, `tls-port ${securePort}`, 'bind 127.0.0.1', `dir ${folder}`, 'save ""'],
        ...[`tls-cert-file ${folder}/cert.pem`, `tls-key-file ${folder}/key.pem`],
        ...[`tls-ca-cert-file ${folder}/ca.pem`, 'tls-auth-clients no', 'requirepass "pä ss:word"'],
        'user watcher on >secret ~* +@read +@connection',
      ].join('\n'),
    )
    const server = spawn('redis-server', [join(folder, 'redis.conf')], { stdio: 'ignore' })
    scope.after(async () => {
      server.kill('SIGTERM')
      await exitOf(server, 'Redis')
    })
    await until('Redis to answer', async () => (await ask()).status === 'up')
  })

  const ask = (options: MonitorOptions = {}, changes: object = {}): Promise<CheckResult> => {
    const settings = { url: `redis://127.0.0.1:${port}`, username: null, password: 'pä ss:word' }
    return check('redis', { ...settings, options, ...changes }, { network })
  }
  const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]

  it('is up over TLS and without, by a password alone or a user', async () => {
    const secret = await ask({}, { url: `rediss://127.0.0.1:${securePort}/1` })
    assert.deepEqual(said(secret), ['up', null])
    assert.notEqual(secret.certificate, null)
    const query = 'STRLEN "no such key"'
    const assertions = [{ source: 'answer', comparison: 'equals', target: 0, severity: 'down' } as const]
    assert.deepEqual(said(await ask({ query, assertions }, { username: 'watcher', password: 'secret' })), [
      'up',
      null,
    ])
  })

  it('tells a wrong password, none, a database that is not there and a command that is not allowed', async () => {
    for (const [changes, options, cause] of [
      [
        { password: 'x' },
        {},
        'Redis: sign-in refused ("WRONGPASS invalid username-password pair or user is disabled.")',
      ],
      [{ password: null }, {}, 'Redis: query failed ("NOAUTH Authentication required.")'],
      [{}, { database: '99' }, 'Redis: sign-in refused ("ERR DB index is out of range")'],
    ] as const)
      assert.deepEqual(said(await ask(options, changes)), ['down', cause])
    const denied = await ask({ query: 'INFO' }, { username: 'watcher', password: 'secret' })
    assert.match(denied.errorMessage ?? '', /^Redis: query failed \("NOPERM /)
  })

  it('reads replies of each kind', async () => {
    const json = (property: string, target: string | number | null) =>
      ({ source: 'json', property, comparison: 'equals', target, severity: 'down' }) as const
    for (const [query, assertion] of [
      ['PING', json('$', 'PONG')],
      ['DBSIZE', json('$', 0)],
      ['GET missing', json('$', null)],
      ['MGET a b', json('$[1]', null)],
      ['SCAN 0', json('$[0]', '0')],
      ['CONFIG GET port', json('$[1]', String(port))],
    ] as const)
      assert.deepEqual(said(await ask({ query, assertions: [assertion] })), ['up', null], query)
  })

  it('tells a port of TLS that is asked without it', async () => {
    const { status } = await ask({}, { url: `redis://127.0.0.1:${securePort}` })
    assert.equal(status, 'down')
  })
})

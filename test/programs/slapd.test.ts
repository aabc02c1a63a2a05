import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { startProgram } from '../support/protocols/start-program.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const authority = createAuthority('slapd')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const SIGNED_IN = { username: 'cn=watcher,dc=example', password: 'sésame 7' }
const UP = ['up', null]

describe('an LDAP monitor of a real directory', () => {
  const scope = suiteScope()
  let ports: { plain: number; secure: number }

  before(async () => {
    const folder = temporaryFolder(scope)
    ports = { plain: await closedPort(scope), secure: await closedPort(scope) }
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'key.pem'), key)
    mkdirSync(join(folder, 'data'))
    const config = join(folder, 'slapd.conf')
    writeFileSync(
      config,
      [
        ...['core', 'cosine'].map((name) => `include /etc/ldap/schema/${name}.schema`),
        ...['modulepath /usr/lib/ldap', 'moduleload back_mdb', `pidfile ${folder}/pid`],
        ...[`TLSCertificateFile ${folder}/cert.pem`, `TLSCertificateKeyFile ${folder}/key.pem`],
        ...['database mdb', 'suffix "dc=example"', 'rootdn "cn=watcher,dc=example"'],
        ...[`rootpw "${SIGNED_IN.password}"`, `directory ${folder}/data`, ''],
      ].join('\n'),
    )
    const entry =
      'dn: dc=example\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n'
    execFileSync('slapadd', ['-f', config], {
      input: entry,
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    })
    await startProgram(
      scope,
      'slapd',
      ['-d', '0', '-f', config, '-h', `ldap://127.0.0.1:${ports.plain}/ ldaps://127.0.0.1:${ports.secure}/`],
      { isReady: async () => (await ask({}, {}))[0] === 'up' },
    )
  })

  async function ask(options: MonitorOptions, more: object, scheme: 'ldap' | 'ldaps' = 'ldap') {
    const port = scheme === 'ldap' ? ports.plain : ports.secure
    const found = await check('ldap', { url: `${scheme}://127.0.0.1:${port}`, options, ...more }, { network })
    return [found.status, found.errorMessage]
  }

  it('signs in by StartTLS and over TLS, and reads an entry', async () => {
    const assertions = [
      { source: 'answer', comparison: 'contains', target: 'o: Example', severity: 'down' },
    ] as const
    for (const scheme of ['ldap', 'ldaps'] as const)
      assert.deepEqual(
        await ask({ base_dn: 'dc=example', assertions: [...assertions] }, SIGNED_IN, scheme),
        UP,
        scheme,
      )
  })

  it('says why not', async () => {
    const wrong = await ask({}, { ...SIGNED_IN, password: 'sésame 8' })
    assert.deepEqual(wrong, ['down', 'LDAP: sign-in refused ("49 invalidCredentials")'])
    const missing = await ask({ base_dn: 'dc=other' }, {})
    assert.deepEqual(missing, [
      'down',
      'LDAP: answer about dc=other is "32 noSuchObject" (expected 0 success)',
    ])
  })
})

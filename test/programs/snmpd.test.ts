import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { startProgram } from '../support/protocols/start-program.ts'
import { suiteScope } from '../support/scope.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OID = '1.3.6.1.2.1.1.5.0'
const NAME = 'the switch'
const UP = ['up', null]

describe('an SNMP monitor of a real agent', () => {
  const scope = suiteScope()
  let url: string

  before(async () => {
    const folder = temporaryFolder(scope)
    const port = await closedPort(scope)
    const users = ['SHA', 'MD5', 'SHA-256', 'SHA-512'].map((hash) => {
      const name = hash.toLowerCase().replace('-', '')
      return `createUser ${name} ${hash} "password-7" AES "privacy-7"\nrouser ${name} auth`
    })
    writeFileSync(
      join(folder, 'snmpd.conf'),
      [`agentaddress udp:127.0.0.1:${port}`, 'rocommunity sesame', `sysName ${NAME}`, ...users, ''].join(
        '\n',
      ),
    )
    url = `snmp://127.0.0.1:${port}`
    await startProgram(
      scope,
      'snmpd',
      ['-f', '-Lo', '-C', '-c', join(folder, 'snmpd.conf'), '-p', join(folder, 'pid'), '-I', '-smux'],
      {
        env: { SNMP_PERSISTENT_DIR: folder },
        isReady: async () => (await ask({ community: 'sesame' }))[0] === 'up',
      },
    )
  })

  async function ask(options: MonitorOptions, more: object = {}) {
    const assertions = [{ source: 'answer', comparison: 'equals', target: NAME, severity: 'down' }] as const
    const settings = { url, request_timeout_seconds: 3, ...more }
    const found = await check('snmp', {
      ...settings,
      options: { oid: OID, assertions: [...assertions], ...options },
    })
    return [found.status, found.errorMessage]
  }

  it('reads a value by versions 1 and 2c', async () => {
    for (const snmp_version of ['1', '2c'] as const)
      assert.deepEqual(await ask({ snmp_version, community: 'sesame' }), UP, snmp_version)
  })

  it('signs in by version 3, with every hash that it has, and encrypts', async () => {
    for (const auth_protocol of ['sha', 'md5', 'sha256', 'sha512'] as const)
      for (const privacy_password of [undefined, 'privacy-7']) {
        const options = {
          snmp_version: '3',
          auth_protocol,
          ...(privacy_password && { privacy_password }),
        } as const
        const user = { username: auth_protocol, password: 'password-7' }
        assert.deepEqual(await ask(options, user), UP, `${auth_protocol} ${privacy_password}`)
      }
  })

  it('says why it does not sign in', async () => {
    const wrong = await ask({ snmp_version: '3' }, { username: 'sha', password: 'password-8' })
    assert.match(wrong[1] ?? '', /wrong password or authentication protocol/)
    const unknown = await ask({ snmp_version: '3' }, { username: 'nobody', password: 'password-7' })
    assert.match(unknown[1] ?? '', /unknown user name/)
  })

  it('says that there is no such object', async () => {
    for (const snmp_version of ['1', '2c'] as const) {
      const [, cause] = await ask({ snmp_version, community: 'sesame', oid: '1.3.6.1.2.1.1.99.0' })
      assert.equal(cause, 'SNMP: 1.3.6.1.2.1.1.99.0 does not exist')
    }
  })
})

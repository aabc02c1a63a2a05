import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { serverFolder, startRealServer } from '../support/line-servers/real-server.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const authority = createAuthority('vsftpd')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const GUEST = { username: 'anonymous', password: 'watcher@shop.example' }

describe('an FTP monitor of a real server', () => {
  const scope = suiteScope()
  const ports = { ftp: 0, ftps: 0 }

  before(async () => {
    const folder = serverFolder(scope, authority.issue({ names: ['127.0.0.1'] }))
    for (const name of ['root', 'empty']) {
      mkdirSync(join(folder, name))
      chmodSync(join(folder, name), 0o555)
    }
    for (const name of ['ftp', 'ftps'] as const) {
      ports[name] = await closedPort(scope)
      const file = join(folder, `${name}.conf`)
      writeFileSync(
        file,
        [
          ...['listen=YES', 'background=NO', 'listen_address=127.0.0.1', `listen_port=${ports[name]}`],
          ...['anonymous_enable=YES', `anon_root=${folder}/root`, `secure_chroot_dir=${folder}/empty`],
          ...['ssl_enable=YES', 'allow_anon_ssl=YES', `rsa_cert_file=${folder}/cert.pem`],
          ...[`rsa_private_key_file=${folder}/key.pem`, 'ssl_ciphers=HIGH', 'seccomp_sandbox=NO'],
          ...(name === 'ftps' ? ['implicit_ssl=YES'] : []),
          '',
        ].join('\n'),
      )
      await startRealServer(scope, ['vsftpd', file], [ports[name]])
    }
  })

  const at = async (scheme: 'ftp' | 'ftps', settings = {}) => {
    const { status, errorMessage, certificate } = await check(
      'ftp',
      { url: `${scheme}://127.0.0.1:${ports[scheme]}`, ...settings },
      { network },
    )
    return { said: [status, errorMessage], isSecret: certificate !== null }
  }

  for (const scheme of ['ftp', 'ftps'] as const)
    it(`is up over TLS at ${scheme}, with a sign-in and without`, async () => {
      assert.deepEqual(await at(scheme), { said: ['up', null], isSecret: true })
      assert.deepEqual(await at(scheme, GUEST), { said: ['up', null], isSecret: true })
    })

  it('is down with a wrong password, which nothing repeats', async () => {
    const { said } = await at('ftp', { username: 'root', password: 'wrong-word' })
    assert.equal(said[0], 'down')
    assert.match(said[1] ?? '', /^FTP: sign-in refused/)
    assert.doesNotMatch(said[1] ?? '', /wrong-word/)
  })
})

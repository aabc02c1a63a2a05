import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { serverFolder, startRealServer } from '../support/line-servers/real-server.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const authority = createAuthority('Dovecot')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { username: 'watcher', password: 'sesame-7' }
const PORTS = ['imap', 'imaps', 'pop3', 'pop3s'] as const

describe('monitors of mailboxes of a real server', () => {
  const scope = suiteScope()
  const ports = { imap: 0, imaps: 0, pop3: 0, pop3s: 0 }

  before(async () => {
    const folder = serverFolder(scope, authority.issue({ names: ['127.0.0.1'] }))
    for (const name of PORTS) ports[name] = await closedPort(scope)
    for (const name of ['base', 'mail', 'state']) mkdirSync(join(folder, name))
    chmodSync(join(folder, 'mail'), 0o777)
    writeFileSync(join(folder, 'users'), `${USER.username}:{PLAIN}${USER.password}\n`, { mode: 0o644 })
    const listener = (name: string, port: number, ssl: string) =>
      `inet_listener ${name} {\n address = 127.0.0.1\n port = ${port}\n ssl = ${ssl}\n}`
    writeFileSync(
      join(folder, 'dovecot.conf'),
      [
        ...['protocols = imap pop3', `base_dir = ${folder}/base`, `state_dir = ${folder}/state`],
        ...['log_path = /dev/stderr', 'ssl = yes', `ssl_cert = <${folder}/cert.pem`],
        ...[`ssl_key = <${folder}/key.pem`, 'default_vsz_limit = 512M', 'auth_failure_delay = 0'],
        `passdb {\n driver = passwd-file\n args = ${folder}/users\n}`,
        `userdb {\n driver = static\n args = uid=mail gid=mail home=${folder}/mail/%u\n}`,
        ...['mail_location = mbox:~/mail', 'first_valid_uid = 1'],
        `service imap-login {\n${listener('imap', ports.imap, 'no')}\n${listener('imaps', ports.imaps, 'yes')}\n}`,
        `service pop3-login {\n${listener('pop3', ports.pop3, 'no')}\n${listener('pop3s', ports.pop3s, 'yes')}\n}`,
      ].join('\n'),
    )
    await startRealServer(scope, ['dovecot', '-F', '-c', join(folder, 'dovecot.conf')], Object.values(ports))
  })

  const at = async (scheme: (typeof PORTS)[number], settings = {}) => {
    const { status, errorMessage, certificate } = await check(
      scheme.startsWith('imap') ? 'imap' : 'pop3',
      { url: `${scheme}://127.0.0.1:${ports[scheme]}`, ...settings },
      { network },
    )
    return { said: [status, errorMessage], isSecret: certificate !== null }
  }

  for (const scheme of PORTS)
    it(`are up over ${scheme}, with a sign-in and without`, async () => {
      assert.deepEqual(await at(scheme), { said: ['up', null], isSecret: true })
      assert.deepEqual(await at(scheme, USER), { said: ['up', null], isSecret: true })
    })

  for (const scheme of PORTS)
    it(`are down over ${scheme} with a wrong password, which nothing repeats`, async () => {
      const { said } = await at(scheme, { ...USER, password: 'wrong-word' })
      assert.equal(said[0], 'down')
      assert.match(said[1] ?? '', /sign-in refused/)
      assert.doesNotMatch(said[1] ?? '', /wrong-word/)
    })
})

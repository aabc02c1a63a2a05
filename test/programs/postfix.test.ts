import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { serverFolder, startRealServer } from '../support/line-servers/real-server.ts'
import { runProgram } from '../support/programs.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const authority = createAuthority('Postfix')
const network = testNetwork({ extraAuthorities: [authority.pem] })

describe('an SMTP monitor of a real mail server', () => {
  const scope = suiteScope()
  let [offering, wrapped, plain] = [0, 0, 0]

  before(async () => {
    const folder = serverFolder(scope, authority.issue({ names: ['127.0.0.1'] }))
    offering = await closedPort(scope)
    wrapped = await closedPort(scope)
    plain = await closedPort(scope)
    for (const name of ['queue', 'data']) mkdirSync(join(folder, name))
    runProgram('chown', ['postfix', join(folder, 'data')])
    writeFileSync(
      join(folder, 'main.cf'),
      [
        'compatibility_level = 3.6',
        ...[`queue_directory = ${folder}/queue`, `data_directory = ${folder}/data`],
        ...['myhostname = mail.shop.example', 'mydestination =', 'inet_interfaces = 127.0.0.1'],
        ...['inet_protocols = ipv4', 'alias_maps ='],
        ...[`maillog_file_prefixes = ${folder}`, `maillog_file = ${folder}/log`],
        ...[`smtpd_tls_cert_file = ${folder}/cert.pem`, `smtpd_tls_key_file = ${folder}/key.pem`],
        'smtpd_tls_security_level = may',
      ].join('\n'),
    )
    writeFileSync(
      join(folder, 'master.cf'),
      [
        `${offering} inet n - n - - smtpd`,
        `${wrapped} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes`,
        `${plain} inet n - n - - smtpd -o smtpd_tls_security_level=none`,
        ...['cleanup unix n - n - 0 cleanup', 'rewrite unix - - n - - trivial-rewrite'],
        ...[
          'tlsmgr unix - - n 1000? 1 tlsmgr',
          'anvil unix - - n - 1 anvil',
          'proxymap unix - - n - - proxymap',
        ],
        'postlog unix-dgram n - n - 1 postlogd',
      ].join('\n'),
    )
    // Its master leaves the process that was started.
    scope.after(async () => void runProgram('postfix', ['-c', folder, 'stop']))
    await startRealServer(scope, ['postfix', '-c', folder, 'start-fg'], [offering, wrapped, plain])
  })

  const at = async (scheme: string, port: number, settings = {}) => {
    const { status, errorMessage, note, certificate } = await check(
      'smtp',
      { url: `${scheme}://127.0.0.1:${port}`, ...settings },
      { network },
    )
    return { said: [status, errorMessage ?? note ?? null], isSecret: certificate !== null }
  }

  it('is up over STARTTLS, over TLS from the first byte and without TLS', async () => {
    for (const security of ['auto', 'starttls'] as const)
      assert.deepEqual(await at('smtp', offering, { options: { security } }), {
        said: ['up', null],
        isSecret: true,
      })
    assert.deepEqual(await at('smtps', wrapped), { said: ['up', null], isSecret: true })
    assert.deepEqual(await at('smtp', plain, { options: { security: 'none' } }), {
      said: ['up', null],
      isSecret: false,
    })
    const { said } = await at('smtp', plain)
    assert.equal(said[0], 'up')
    assert.match(said[1] ?? '', /STARTTLS/)
  })

  it('says what the server greets with, and fails where it is asked for what it has not', async () => {
    const assertions = [{ source: 'answer', comparison: 'equals', target: '220', severity: 'down' }]
    assert.deepEqual((await at('smtp', offering, { options: { assertions } })).said, [
      'down',
      'answer is "220 mail.shop.example ESMTP Postfix" (expected "220")',
    ])
    assert.equal((await at('smtp', plain, { options: { security: 'starttls' } })).said[0], 'down')
    const { said } = await at('smtp', offering, { username: 'watcher', password: 'sesame-7' })
    assert.equal(said[0], 'down', 'there is no sign-in')
    assert.doesNotMatch(said[1] ?? '', /sesame/)
  })
})

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { type LdapOptions, startLdapServer } from '../../support/protocols/ldap-server.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'

const authority = createAuthority('Directories')
const certificate = authority.issue({ names: ['127.0.0.1'] })
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { name: 'cn=watcher,dc=example', password: 'pa ss"wörd-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }
const ENTRIES = { 'dc=example': { dc: ['example'], description: ['Grüße', 'more'] } }

async function ask(t: TestContext, server: LdapOptions, settings: Partial<ProbeSettings<'ldap'>> = {}) {
  const { port, heard } = await startLdapServer(t, { certificate, user: USER, entries: ENTRIES, ...server })
  const url = `${server.tls === 'implicit' ? 'ldaps' : 'ldap'}://127.0.0.1:${port}`
  const found = await check('ldap', { url, ...settings }, { network })
  return { ...found, said: [found.status, found.errorMessage], heard }
}

const UP = ['up', null]
const contains = (target: string): Assertion[] => [
  { source: 'answer', comparison: 'contains', target, severity: 'down' },
]

describe('a check of a directory', () => {
  it('signs in over TLS alone, by StartTLS and from the first byte', async (t) => {
    for (const tls of ['starttls', 'implicit'] as const) {
      const { said, heard, certificate: seen } = await ask(t, { tls }, SIGNED_IN)
      assert.deepEqual([said, heard.at(-1), seen === null], [UP, `bind ${USER.name} over TLS`, false], tls)
    }
  })

  it('is up without a user, with a note where nothing is encrypted', async (t) => {
    const { said, note, heard } = await ask(t, {})
    assert.deepEqual([said, heard], [UP, ['search ', 'search ']])
    assert.match(note ?? '', /not encrypted/)
  })

  it('sends a password in the clear where the monitor wants it so', async (t) => {
    const { said, heard } = await ask(t, {}, { ...SIGNED_IN, options: { security: 'none' } })
    assert.deepEqual([said, heard.at(-1)], [UP, `bind ${USER.name}`])
  })

  it('reads the attributes of an entry, or of the server itself', async (t) => {
    const entry = { base_dn: 'dc=example', assertions: contains('description: Grüße\ndescription: more') }
    assert.deepEqual((await ask(t, {}, { options: entry })).said, UP)
    assert.deepEqual((await ask(t, {}, { options: { assertions: contains('vendorName: Test') } })).said, UP)
  })

  it('says nothing of what was sent', async (t) => {
    const { errorMessage } = await ask(t, { tls: 'starttls' }, { ...SIGNED_IN, password: 'sesame-8' })
    assert.equal(errorMessage, 'LDAP: sign-in refused ("49 invalidCredentials")')
  })

  it('ends at lengths that are none', async (t) => {
    for (const bytes of ['3080', '3085ffffffffff', '30847fffffff', '0000']) {
      const { status } = await ask(t, { instead: { search: Buffer.from(bytes, 'hex') } })
      assert.equal(status, 'down', bytes)
    }
  })
})

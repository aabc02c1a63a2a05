import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessOf, type GrantAccess, grantable, OauthRefusal } from '../../../src/core/sign-in/oauth.ts'
import {
  describeDestination,
  isDescriptionUrl,
  isRegistered,
  policySource,
  readClientDocument,
  readClientMetadata,
} from '../../../src/core/sign-in/oauth-client.ts'
import { challengeOf } from '../../../src/core/sign-in/oauth-metadata.ts'
import { answerUrl, readAuthorization, readParameter } from '../../../src/core/sign-in/oauth-request.ts'
import type { Role } from '../../../src/core/teams/access.ts'
import { roleWithin } from '../../../src/core/teams/access.ts'

const SITE = 'https://up.example.com'

describe('an address that a program may be answered at', () => {
  const table: [uri: string, fault: RegExp | null][] = [
    ['https://app.example.com/callback?x=1', null],
    ['http://127.0.0.1/callback', null],
    ['http://127.0.0.1:33418', null],
    ['http://[::1]:8080/', null],
    ['http://localhost:3000/callback', null],
    ['com.example.app:/callback', null],
    ['cursor://anysphere.cursor-mcp/oauth/callback', null],
    ['com.example-app.x+y://host/callback?z=1', null],
    ['https:/evil.example/', /must be https/],
    ...[
      ...[
        'intent://scan/#',
        'intent://x/y',
        'chrome://settings/',
        'chrome-extension://abc/x',
        'edge://settings/',
      ],
      ...['ms-appinstaller:/?source=https://evil.example/x', 'ms-settings:/x', 'ms-msdt:/id', 'search-ms:/x'],
      ...[
        'market://details?id=x',
        'itms-services:/?x',
        'steam://run/1',
        'ssh://host/x',
        'ftp://host/x',
        'ws://x/',
      ],
      ...[
        'blob:/x',
        'filesystem:/x',
        'view-source:/x',
        'vbscript:/x',
        'about:/blank',
        'jar:/x',
        'myapp://cb',
        'cursor://a/cb',
      ],
      ...['cursor://anysphere.cursor-mcp/oauth/callback?x=1', 'CURSOR://anysphere.cursor-mcp/oauth/callback'],
      ...['.app:/x', 'app.:/x', 'a..b:/x'],
    ].map((uri): [string, RegExp] => [uri, /must be https|fragment|full URL/]),
    ['http://example.com/callback', /must be https/],
    ['http://127.0.0.1.evil.example/', /must be https/],
    ['http://localhost.evil.example/', /must be https/],
    ['http://127.0.0.1@evil.example/', /credentials/],
    ['https://user:secret@example.com/', /credentials/],
    ['https://example.com/#fragment', /fragment/],
    ['https://x.example;sandbox/', /must name a host of letters/],
    ['https://x.example,sandbox/', /must name a host of letters/],
    ['https://x.example%3bsandbox/', /must name a host of letters/],
    ['https://*.example/', /must name a host of letters/],
    ['https://*/', /must name a host of letters/],
    ['https://[2001:db8::1]:8443/cb', null],
    ['javascript:alert(1)', /full URL/],
    ['javascript://%0aalert(1)', /must be https/],
    ['JavaScript://x', /must be https/],
    ['data:text/html,x', /full URL/],
    ['data:/text', /must be https/],
    ['file:///etc/passwd', /must be https/],
    ['https://exa mple.com/', /full URL/],
    ['https://example.com/\n', /full URL/],
    ['/callback', /full URL/],
    ['', /full URL/],
    [`https://example.com/${'x'.repeat(500)}`, /at most 500/],
  ]
  for (const [uri, fault] of table) {
    test(`${JSON.stringify(uri).slice(0, 60)} is ${fault ? 'refused' : 'taken'}`, () => {
      const read = () => readClientMetadata({ redirect_uris: [uri] })
      if (!fault) return assert.deepEqual(read().redirectUris, [uri])
      assert.throws(read, (error) => {
        assert.ok(error instanceof OauthRefusal && error.code === 'invalid_redirect_uri')
        assert.match(error.message, fault)
        return true
      })
    })
  }
})

describe('an answer goes where it was registered, with any port on this computer', () => {
  const table: [registered: string, asked: string, is: boolean][] = [
    ['https://x.example/cb', 'https://x.example/cb', true],
    ['https://x.example/cb', 'https://x.example/cb/', false],
    ['https://x.example/cb', 'https://x.example/cb?x=1', false],
    ['https://x.example/cb', 'https://x.example:444/cb', false],
    ['https://x.example/cb', 'https://X.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/cb', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb', true],
    ['http://127.0.0.1:1', 'http://127.0.0.1', true],
    ['http://[::1]/cb', 'http://[::1]:9/cb', true],
    ['http://localhost/cb', 'http://localhost:9/cb', true],
    ['http://localhost/cb', 'http://127.0.0.1/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/other', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5@evil.example/cb', false],
    ['http://127.0.0.1/cb', 'https://127.0.0.1/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb', false],
    ['com.x.a://a/cb', 'com.x.a://a/cb', true],
    ['com.x.a://a/cb', 'com.x.a://a:1/cb', false],
  ]
  for (const [registered, asked, is] of table) {
    test(`${asked} for ${registered}: ${is}`, () => assert.equal(isRegistered([registered], asked), is))
  }
})

describe('where an answer goes, for people and for browsers', () => {
  const table: [uri: string, said: string, source: string][] = [
    ['https://claude.ai/api/cb', 'claude.ai', 'https://claude.ai'],
    ['https://x.example:8443/cb', 'x.example:8443', 'https://x.example:8443'],
    ['http://127.0.0.1:5000/cb', 'a program on this computer (127.0.0.1)', 'http://127.0.0.1:5000'],
    ['http://[::1]:5000/cb', 'a program on this computer ([::1])', 'http:'],
    ['cursor://a/cb', 'the program on this computer that opens cursor: links', 'cursor:'],
  ]
  for (const [uri, said, source] of table) {
    test(uri, () => assert.deepEqual([describeDestination(uri), policySource(uri)], [said, source]))
  }

  test('an answer is added to what the address asks already, and says whose it is', () => {
    const members = { code: 'a b', state: null, iss: SITE }
    const query = 'code=a+b&iss=https%3A%2F%2Fup.example.com'
    assert.equal(answerUrl('cursor://a/cb', members), `cursor://a/cb?${query}`)
    assert.equal(answerUrl('https://x.example/?y=1', members), `https://x.example/?y=1&${query}`)
  })
})

describe('the address of a description', () => {
  const table: [id: string, is: boolean][] = [
    ['https://app.example.com/client.json', true],
    ['https://app.example.com/', false],
    ['https://app.example.com', false],
    ['http://app.example.com/client.json', false],
    ['https://app.example.com/a/../client.json', false],
    ['https://app.example.com:443/client.json', false],
    ['https://APP.example.com/client.json', false],
    ['https://u@app.example.com/client.json', false],
    ['https://app.example.com/client.json#x', false],
    ['https://app;example.com/client.json', false],
    [`https://app.example.com/${'x'.repeat(500)}`, false],
    ['Kz9wq', false],
  ]
  for (const [id, is] of table)
    test(`${id.slice(0, 60)}: ${is}`, () => assert.equal(isDescriptionUrl(id), is))

  test('leads to a document that says the same address', () => {
    const id = 'https://app.example.com/client.json'
    const document = { client_id: id, client_name: 'App', redirect_uris: ['https://app.example.com/cb'] }
    assert.deepEqual(readClientDocument(id, document), {
      id,
      name: 'App',
      redirectUris: ['https://app.example.com/cb'],
    })
    for (const wrong of [{ ...document, client_id: `${id}?` }, [], null, 'x']) {
      assert.throws(() => readClientDocument(id, wrong), /names another client_id/)
    }
    const intent = { ...document, redirect_uris: ['https://app.example.com/cb', 'intent://x/y'] }
    assert.throws(() => readClientDocument(id, intent), /redirect_uris\.1 must be https/)
  })
})

describe('the access of a program', () => {
  const scopes: [scope: string | null, access: GrantAccess | null][] = [
    [null, 'write'],
    ['read', 'read'],
    ['write', 'write'],
    ['openid read', 'read'],
    ['read write', 'write'],
    ['openid profile', null],
    ['reads', null],
  ]
  for (const [scope, access] of scopes) {
    test(`with the scope ${scope}: ${access}`, () => assert.equal(accessOf(scope), access))
  }

  const roles: [role: Role, access: GrantAccess | null, as: Role][] = [
    ['owner', null, 'owner'],
    ['owner', 'write', 'owner'],
    ['owner', 'read', 'viewer'],
    ['admin', 'read', 'viewer'],
    ['viewer', 'write', 'viewer'],
  ]
  for (const [role, access, as] of roles) {
    test(`for an ${role}, allowed ${access}: as ${as}`, () => assert.equal(roleWithin(role, access), as))
  }

  test('never exceeds what its person may do when it is let in', () => {
    assert.deepEqual([grantable('viewer', 'write'), grantable('admin', 'write')], ['read', 'write'])
    assert.equal(grantable('owner', 'read'), 'read')
  })
})

describe('the request of a program to a person', () => {
  const GOOD = {
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    resource: `${SITE}/mcp`,
  }
  const read = (change: Record<string, string>) =>
    readAuthorization(new URLSearchParams({ ...GOOD, ...change }), SITE)

  test('is read whole', () => {
    assert.deepEqual(read({}), { challenge: GOOD.code_challenge, resource: 'mcp', access: 'write' })
  })

  const resources: [asked: string, resource: string | null][] = [
    ['', 'mcp'],
    [`${SITE}/mcp/`, 'mcp'],
    ['HTTPS://UP.example.com/mcp', 'mcp'],
    [`${SITE}:443/api/v1`, 'api'],
    [SITE, null],
    [`${SITE}/mcp?x=1`, null],
    [`${SITE}/mcp#x`, null],
    ['https://up.example.com@evil.example/mcp', null],
    ['https://evil.example/mcp', null],
    ['mcp', null],
  ]
  for (const [asked, resource] of resources) {
    test(`at ${asked || 'no resource'}: ${resource}`, () => {
      if (resource) assert.equal(read({ resource: asked }).resource, resource)
      else assert.throws(() => read({ resource: asked }), { code: 'invalid_target' })
    })
  }

  test('is bounded, and each parameter stands there once', () => {
    assert.throws(() => read({ scope: 'x'.repeat(501) }), /scope must be at most 500 characters, got 501/)
    const twice = new URLSearchParams('state=1&state=2')
    assert.throws(() => readParameter(twice, 'state'), /state must be sent once, got 2 of it/)
    assert.throws(() => readParameter(new URLSearchParams({ state: 'x'.repeat(1_001) }), 'state'), /1000/)
  })

  test('is refused in words that OAuth lets stand there', () => {
    assert.throws(
      () => read({ response_type: '"é\\' }),
      (error) => error instanceof OauthRefusal && /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(error.message),
    )
  })

  test('begins with a challenge that leads to the metadata', () => {
    assert.equal(
      challengeOf(SITE, 'mcp'),
      'Bearer resource_metadata="https://up.example.com/.well-known/oauth-protected-resource/mcp"',
    )
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask, type Told } from '../support/services/http.ts'
import { type ServiceHere, startServiceHere } from '../support/services/service-here.ts'

const SITE = 'https://up.example.com'
const PAGE = { accept: 'text/html' }

/** Answers of every kind, whoever gives them: pages of ours and refusals. */
const PAGES = [
  '/',
  '/setup',
  '/docs',
  '/docs/search?q=ping',
  '/set-password/none',
  '/verify-email/none',
  '/nowhere',
]
const JSON_ANSWERS = [
  '/api/v1/team',
  '/api/v1/nowhere',
  '/auth/session',
  '/app/teams/1/overview',
  '/health',
  '/mcp',
]
const KEPT = [
  ['/api/v1/openapi.json', /^public, max-age=300$/],
  ['/.well-known/oauth-authorization-server', /^public, max-age=300$/],
  ['/badge/none/status.json', /^no-store$/],
] as const

describe('the headers of answers', () => {
  let service: ServiceHere

  before(async () => {
    service = await startServiceHere({
      ROLES: 'api',
      SITE_URL: SITE,
      SECURITY_CONTACT: 'security@example.com',
    })
  })
  after(() => service.close())

  const get = (path: string, headers = {}): Promise<Told> => ask(service.url + path, { headers })

  it('JSON keeps its media type, and is never cached', async () => {
    for (const path of JSON_ANSWERS) {
      const { headers } = await get(path)
      assert.match(headers.get('content-type') ?? '', /json/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.equal(headers.get('cache-control'), 'no-store', path)
    }
  })

  it('status pages have what all answers have, and run nothing that is not ours', async () => {
    const { headers } = await get('/status/nowhere')
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; .*frame-ancestors 'none'$/,
    )
  })

  it('cacheable answers say for how long', async () => {
    for (const [path, caching] of KEPT) {
      const { headers } = await get(path)
      assert.match(headers.get('cache-control') ?? '', caching, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
  })

  it('pages may use no device, and no other window reaches into them', async () => {
    for (const path of PAGES) {
      const { headers } = await get(path, PAGE)
      assert.match(headers.get('content-type') ?? '', /^text\/html/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path)
      assert.match(
        headers.get('permissions-policy') ?? '',
        /camera=\(\).*fullscreen=\(self\), screen-wake-lock=\(self\).*publickey-credentials-get=\(self\)/,
        path,
      )
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
    }
  })

  it('everything is to come by TLS only, where the service has it', async () => {
    const site = await startServiceHere({ ROLES: 'api' })
    for (const path of [...PAGES, ...JSON_ANSWERS, '/ping/none', '/robots.txt']) {
      const { headers } = await get(path)
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path)
      const plain = await ask(site.url + path)
      assert.equal(plain.headers.get('strict-transport-security'), null, path)
    }
    assert.equal((await ask(`${site.url}/.well-known/security.txt`)).status, 404)
    await site.close()
  })

  it('security.txt names the contact for vulnerabilities where one is set', async () => {
    const { status, headers, text } = await get('/.well-known/security.txt')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(text, /^Contact: mailto:security@example\.com$/m)
    assert.match(text, /^Canonical: https:\/\/up\.example\.com\/\.well-known\/security\.txt$/m)
    const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '')
    const days = (expires - Date.now()) / 86_400_000
    assert.ok(days > 90 && days < 365, String(days))
  })
})

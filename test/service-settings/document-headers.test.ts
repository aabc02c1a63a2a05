import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DOCUMENT_HEADERS, type DocumentKind } from '../../src/core/document-headers.ts'
import { MACHINE_PATHS } from '../../src/core/status-pages/documents/machine-documents.ts'
import { PAGE_FILES } from '../../src/pages/status-pages/files.ts'
import { replaceLogo } from '../../src/store/status-pages/page-secrets.ts'
import { pageChanged } from '../../src/store/status-pages/pages.ts'
import { ask, type Told } from '../support/services/http.ts'
import { peopleOf } from '../support/services/people.ts'
import { type ServiceHere, startServiceHere } from '../support/services/service-here.ts'
import { samplePng } from '../support/status-pages/sample-images.ts'
import { storePage, storePost } from '../support/status-pages/stored-pages.ts'
import { until } from '../support/until.ts'

const SITE = 'upbeat.example.com'
const OWN = { public: 'status.example.org', password: 'closed.example.org' }
const PASSWORD = 'open sesame please'
const FEED_TOKEN = '6f4f0c52-55f8-4f5c-9a3f-2f2a1f0e9d11'
const NAMES = [
  'x-content-type-options',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
]

/** Headers of the kinds, written out: the table of the code is compared with this one. */
const EXPECTED: Record<DocumentKind, (RegExp | string | null)[]> = {
  page: ['nosniff', /camera=\(\).*fullscreen=\(self\)/, 'same-origin', 'same-origin'],
  framed: ['nosniff', /camera=\(\).*fullscreen=\(\)/, 'same-origin', 'cross-origin'],
  shared: ['nosniff', null, null, 'cross-origin'],
  own: ['nosniff', null, null, 'same-origin'],
}

type Row = [kind: DocumentKind, path: string, more?: { host?: string; cookie?: string; method?: string }]

describe('every kind of document has the headers of its kind', () => {
  let service: ServiceHere
  let pass: string
  let ownPass: string
  let postId: number

  before(async () => {
    service = await startServiceHere({
      ROLES: 'api',
      SITE_URL: `http://${SITE}`,
      SECURITY_CONTACT: 'a@b.example',
    })
    const { services } = service
    const team = await peopleOf(service).team()
    const image = { image: samplePng(), type: 'image/png' } as const
    for (const kind of ['public', 'password', 'members'] as const) {
      const settings = { slug: `headers-${kind}`, visibility: kind, allows_subscribers: true }
      const domain = kind === 'members' ? {} : { domain: OWN[kind] }
      const { id } = await storePage(services, team.id, settings, {
        ...{ items: [{ component: { monitor_id: null, name: 'Part' } }], password: PASSWORD },
        ...{ ...(kind === 'password' && { feedToken: FEED_TOKEN }), ...domain },
      })
      await replaceLogo(services.db.query, team.id, id, image)
      const post = await storePost(services, team.id, id, { title: 'Post', at: new Date() })
      if (kind === 'public') postId = post
    }
    await until('the pages are known', async () => {
      const found = await Promise.all(
        [OWN.public, OWN.password].map((host) => ask(`${service.url}/`, { headers: { host } })),
      )
      return (
        found.map(({ status }) => status).join() === '200,403' &&
        (await get('/status/headers-public')).status === 200
      )
    })
    pass = await enter(SITE, '/status/headers-password/sign-in')
    ownPass = await enter(OWN.password, '/sign-in')
  })
  after(() => service.close())

  async function enter(host: string, path: string): Promise<string> {
    const body = new URLSearchParams({ password: PASSWORD }).toString()
    const { headers } = await ask(service.url + path, { method: 'POST', headers: { host }, body })
    return (headers.get('set-cookie') as string).split(';')[0] as string
  }

  const get = (path: string, { host = SITE, cookie = '', method = 'GET' }: Row[2] = {}): Promise<Told> =>
    ask(service.url + path, {
      method,
      headers: { host, accept: 'text/html, */*', ...(cookie && { cookie }) },
    })

  function rows(): Row[] {
    const month = new Date().toISOString().slice(0, 7)
    const ofPages = ['', '/', '/subscribe', `/history/${month}`, `/posts/${postId}`, '?lang=de', '/nothing']
    const closed = '/status/headers-password'
    const paths = (kind: DocumentKind, list: string[], more: Row[2] = {}): Row[] =>
      list.map((path) => [kind, path, more])
    return [
      ...paths(
        'page',
        ofPages.map((below) => `/status/headers-public${below}`),
      ),
      ...paths(
        'page',
        ofPages.map((below) => below || '/'),
        { host: OWN.public },
      ),
      ...paths('page', ['/', '/history/1999-01', '/posts/1'], { host: OWN.password }),
      ...paths('page', ['/'], { host: OWN.password, cookie: ownPass }),
      ...paths('page', [closed, `${closed}/sign-in`, `${closed}/nothing`]),
      ...paths('page', [closed, `${closed}/subscribe`], { cookie: pass }),
      ...paths('page', [
        '/status/headers-members',
        '/status/nobody',
        '/status/headers-public/subscriptions/none',
      ]),
      ...paths('framed', ['/status/headers-public?embed']),
      ...paths('framed', ['/?embed'], { host: OWN.public }),
      ...paths('framed', [`${closed}?embed`], { cookie: pass }),
      ...paths(
        'shared',
        MACHINE_PATHS.map((name) => `/status/headers-public/${name}`),
      ),
      ...paths(
        'shared',
        MACHINE_PATHS.map((name) => `/${name}`),
        { host: OWN.public },
      ),
      ...paths(
        'own',
        MACHINE_PATHS.map((name) => `${closed}/private/${FEED_TOKEN}/${name}`),
      ),
      ...paths(
        'own',
        MACHINE_PATHS.map((name) => `${closed}/${name}`),
        { cookie: pass },
      ),
      ...paths('shared', ['/status/headers-public/logo']),
      ...paths('own', [`${closed}/logo`], { cookie: pass }),
      ...paths(
        'shared',
        PAGE_FILES.map(({ path }) => path),
      ),
      ...paths(
        'shared',
        ['status', 'uptime', 'response'].flatMap((kind) => [`/badge/x/${kind}.svg`, `/badge/x/${kind}.json`]),
      ),
      // Pages of the service, and those that mailed links lead to.
      ...paths('page', [
        '/',
        '/setup',
        '/docs',
        '/docs/search?q=ping',
        '/nowhere',
        '/set-password/x',
        '/verify-email/x',
      ]),
      ...paths('page', ['/agree/x', '/ack/x', '/confirm-sign-up/x', '/report-mails/x']),
      ...paths('own', [
        '/docs/style.css',
        '/docs/llms.txt',
        '/docs/changelog.atom',
        '/robots.txt',
        '/setup/link.js',
      ]),
      ...paths('own', [
        '/.well-known/security.txt',
        '/api/v1/openapi.json',
        '/health',
        '/api/v1/team',
        '/mcp',
      ]),
      ...paths('own', [
        '/.well-known/oauth-authorization-server',
        '/auth/session',
        '/server/x/install',
        '/icon.svg',
      ]),
    ]
  }

  it('as one table of them says', async () => {
    const wrong: string[] = []
    const seen = new Set<string>()
    for (const [kind, path, more = {}] of rows()) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await get(path, { ...more, method })
        const got = NAMES.map((name) => headers.get(name))
        const isRight = EXPECTED[kind].every((one, index) =>
          one instanceof RegExp ? one.test(got[index] ?? '') : one === got[index],
        )
        const as = `${method} ${more.host ?? ''}${path} (${status}, ${kind}): ${got.join(' | ')}`
        if (!isRight) wrong.push(as)
        if (!headers.get('content-type')) wrong.push(`${as} has no type`)
        const policy = headers.get('content-security-policy') ?? ''
        const frames = { page: /frame-ancestors 'none'/, framed: /frame-ancestors \*/ }[kind as 'page']
        if (frames && !frames.test(policy)) wrong.push(`${as} may be framed: ${policy}`)
        if (kind !== 'own' && !policy.includes("default-src 'none'")) wrong.push(`${as} has no policy`)
        if (kind === 'page' || kind === 'framed') {
          if (!/^(no-referrer|same-origin)$/.test(headers.get('referrer-policy') ?? ''))
            wrong.push(`${as} tells its address`)
        }
      }
      seen.add(kind)
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual([...seen].sort(), Object.keys(DOCUMENT_HEADERS).sort())
  })

  it('and a logo that was stored before its kind was refused is not shown', async () => {
    const { services } = service
    const team = await peopleOf(service).team()
    const { id } = await storePage(services, team.id, { slug: 'headers-old' })
    const image = samplePng(2, 2, { width: 60_000, height: 60_000 })
    await replaceLogo(services.db.query, team.id, id, { image, type: 'image/png' })
    await pageChanged(services.db.query, team.id, id)
    await until('the page is known', async () => (await get('/status/headers-old')).text.includes('/logo?v='))
    assert.equal((await get('/status/headers-old/logo')).status, 404)
  })

  it('also when the reader has it already', async () => {
    const { headers } = await get('/status/headers-public')
    const again = await ask(`${service.url}/status/headers-public`, {
      headers: { host: SITE, 'if-none-match': headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304)
    assert.equal(again.headers.get('cross-origin-opener-policy'), 'same-origin')
  })

  it('and closed pages hand nothing to scripts of other sites', async () => {
    for (const name of MACHINE_PATHS) {
      const open = await get(`/status/headers-public/${name}`)
      const closed = await get(`/status/headers-password/${name}`, { cookie: pass })
      assert.equal(open.headers.get('access-control-allow-origin'), '*')
      assert.equal(closed.headers.get('access-control-allow-origin'), null)
    }
  })
})

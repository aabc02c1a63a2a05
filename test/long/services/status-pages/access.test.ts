// npm test leaves this out: it asks for every path of pages of every kind, on each host (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { MACHINE_PATHS } from '../../../../src/core/status-pages/documents/machine-documents.ts'
import {
  type PageAccess,
  type PageViewer,
  pageAccess,
} from '../../../../src/core/status-pages/serving/page-access.ts'
import { accessedRoute, pageRoute } from '../../../../src/core/status-pages/serving/page-route.ts'
import type { PageVisibility } from '../../../../src/core/status-pages/status-page.ts'
import { replaceLogo } from '../../../../src/store/status-pages/page-secrets.ts'
import { deletePage } from '../../../../src/store/status-pages/pages.ts'
import { addRow } from '../../../support/records/rows.ts'
import { ask, type Told } from '../../../support/services/http.ts'
import { peopleOf, type Team } from '../../../support/services/people.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { pngChunk, samplePng } from '../../../support/status-pages/sample-images.ts'
import { storePage, storePost } from '../../../support/status-pages/stored-pages.ts'
import { until } from '../../../support/until.ts'

const SITE = 'upbeat.example.com'
const FOREIGN = 'other.example.net'
const PASSWORD = 'open sesame please'
const NETWORK = '2001:db8:1::/48'
const SECRET = 'Confidential'
/** A picture that says the secret, too. */
const LOGO = samplePng(2, 2, undefined, [pngChunk('teXt', Buffer.from(SECRET))])
const AT = new Date()
const MONTH = AT.toISOString().slice(0, 7)

const KINDS = ['public', 'password', 'members', 'networks', 'unpublished', 'deleted'] as const
type Kind = (typeof KINDS)[number]
type Page = { kind: Kind; id: number; slug: string; domain: string; feedToken: string; postId: number }

const VIEWERS = ['stranger', 'member', 'guest', 'neighbor'] as const
type Viewer = (typeof VIEWERS)[number]

/** Every path below a page, and some that no page has. */
function pathsOf({ postId, feedToken }: Page): string[] {
  return [
    ...['', '/', '?embed', '?lang=de', '/logo', '/sign-in', '/subscribe', '/subscriptions/none'],
    ...[
      `/history/${MONTH}`,
      '/history/1999-01',
      `/posts/${postId}`,
      '/posts/999999',
      '/nothing',
      '/assets/nothing.js',
    ],
    ...MACHINE_PATHS.map((name) => `/${name}`),
    ...MACHINE_PATHS.map((name) => `/private/${feedToken}/${name}`),
    '/private/00000000-0000-4000-8000-000000000000/feed.rss',
  ]
}

describe('status pages over HTTP', () => {
  let service: ServiceHere
  let team: Team
  let other: Team
  const pages = new Map<Kind, Page>()
  const passes = new Map<string, string>()

  before(async () => {
    service = await startServiceHere({ ROLES: 'api', SITE_URL: `http://${SITE}`, TRUST_PROXY: '1' })
    const people = peopleOf(service)
    team = await people.team()
    other = await people.team()
    await Promise.all([team.viewer.signIn(), other.owner.signIn()])
    for (const kind of KINDS) pages.set(kind, await addPage(kind))
    const { id } = pages.get('deleted') as Page
    await until(
      'all pages are known',
      async () => (await get('', pages.get('unpublished') as Page, SITE, 'member')).status === 200,
    )
    await deletePage(service.services.db.query, team.id, id)
    await until(
      'it is gone',
      async () => (await get('', pages.get('deleted') as Page, SITE, 'stranger')).status === 404,
    )
    const { slug, domain } = pages.get('password') as Page
    passes.set(SITE, await enter(SITE, `/status/${slug}/sign-in`))
    passes.set(domain, await enter(domain, '/sign-in'))
  })
  after(() => service.close())

  async function addPage(kind: Kind): Promise<Page> {
    const isPublished = kind !== 'unpublished'
    const visibility: PageVisibility = kind === 'unpublished' || kind === 'deleted' ? 'public' : kind
    const domain = `${kind}.example.org`
    const feedToken = crypto.randomUUID()
    const { services } = service
    const settings = { slug: `page-${kind}`, name: `${SECRET} ${kind}`, visibility, networks: [NETWORK] }
    const items = [{ component: { monitor_id: null, name: `${SECRET} part` } }]
    const own = { items, isPublished, domain, feedToken, password: PASSWORD }
    const { id, slug } = await storePage(services, team.id, settings, own)
    await replaceLogo(services.db.query, team.id, id, { image: LOGO, type: 'image/png' })
    const postId = await storePost(services, team.id, id, { title: `${SECRET} post`, at: AT })
    return { kind, id, slug, domain, feedToken, postId }
  }

  async function enter(host: string, path: string): Promise<string> {
    const body = new URLSearchParams({ password: PASSWORD }).toString()
    const { status, headers } = await ask(service.url + path, { method: 'POST', headers: { host }, body })
    assert.equal(status, 303)
    return (headers.get('set-cookie') as string).split(';')[0] as string
  }

  function get(below: string, page: Page, host: string, viewer: Viewer, method = 'GET'): Promise<Told> {
    const path = host === page.domain ? below || '/' : `/status/${page.slug}${below}`
    const cookie =
      viewer === 'member'
        ? team.viewer.cookie()
        : viewer === 'guest'
          ? (passes.get(host) ?? passes.get(SITE))
          : null
    const forwarded = viewer === 'neighbor' ? '2001:db8:1::7' : '198.51.100.7'
    const headers = { host, 'x-forwarded-for': forwarded, ...(cookie && { cookie }) }
    return ask(service.url + (path.startsWith('?') ? `/${path}` : path), { method, headers })
  }

  function expected(page: Page, host: string, viewer: Viewer, below: string): PageAccess {
    const { kind, feedToken } = page
    const route = pageRoute(below.replace(/\?.*$/, ''))
    if (
      route === null ||
      (route.kind === 'document' && route.feedToken !== null && route.feedToken !== feedToken)
    ) {
      return 'not_found'
    }
    const visibility = kind === 'unpublished' || kind === 'deleted' ? 'public' : kind
    const terms = { isPublished: kind !== 'unpublished', visibility, networks: [NETWORK] }
    const seen: PageViewer = {
      isMember: viewer === 'member',
      passedPassword: viewer === 'guest',
      clientAddress: viewer === 'neighbor' ? '2001:db8:1::7' : '198.51.100.7',
      hasFeedToken: route.kind === 'document' && route.feedToken !== null,
    }
    const hostKind = host === SITE ? 'service' : host === page.domain ? 'own_domain' : 'foreign'
    const access = accessedRoute(route)
    return access === null
      ? 'not_found'
      : pageAccess(kind === 'deleted' ? null : terms, hostKind, seen, access)
  }

  /** Everything of an answer that a visitor can tell one from another by. */
  const looks = ({ status, headers, text }: Told) => {
    const { date, ...rest } = Object.fromEntries(headers)
    return { status, headers: rest, text }
  }

  for (const kind of KINDS) {
    it(`show a page that is ${kind} to those who may see it, on each host, and are nothing to others`, async () => {
      const page = pages.get(kind) as Page
      const none = { ...page, slug: 'no-such-page' }
      const nowhere = looks(await get('', none, SITE, 'stranger'))
      const nirgends = looks(await get('?lang=de', none, SITE, 'stranger'))
      assert.deepEqual([nowhere.status, nirgends.status], [404, 404])
      for (const host of [SITE, page.domain, FOREIGN]) {
        for (const viewer of VIEWERS) {
          for (const below of pathsOf(page)) {
            const what = `${viewer} at ${host}${below}`
            // A deleted page's domain is a host like any other, where the rest of the service answers.
            if (kind === 'deleted' && host === page.domain) continue
            const told = await get(below, page, host, viewer)
            const access = expected(page, host, viewer, below)
            if (access === 'not_found') {
              assert.deepEqual(looks(told), below === '?lang=de' ? nirgends : nowhere, what)
            } else if (access === 'password_form') {
              assert.equal(told.status, 403, what)
              assert.match(told.text, /type="password"/, what)
            } else if (told.status !== 200) {
              // Some of what may be seen is not there.
              assert.match(below, /sign-in|999999|1999|none/, what)
            }
            if (access !== 'shown') assert.ok(!told.text.includes(SECRET), what)
          }
        }
      }
    })
  }

  it('are nothing to members of other teams, whatever they ask', async () => {
    const nowhere = await ask(`${service.url}/status/no-such-page`, {
      headers: { host: SITE, cookie: other.owner.cookie() },
    })
    for (const kind of ['members', 'unpublished', 'networks'] as const) {
      const { slug } = pages.get(kind) as Page
      const headers = { host: SITE, cookie: other.owner.cookie() }
      const told = await ask(`${service.url}/status/${slug}`, { headers })
      assert.deepEqual(looks(told), looks(nowhere))
    }
  })

  it('leave nothing else of the service on an own domain', async () => {
    const { domain } = pages.get('public') as Page
    const nowhere = looks(await get('/nothing', pages.get('public') as Page, domain, 'stranger'))
    for (const path of [
      '/health',
      '/metrics',
      '/sign-in',
      '/api/v1/monitors',
      '/mcp',
      '/docs',
      '/setup',
      '/auth/session',
      '/app/teams/1/overview',
      '/status/page-public',
      '/status-domains/allowed?domain=a.example.org',
      '/.well-known/security.txt',
      '/icon.svg',
      '/service-worker.js',
      '/manifest.webmanifest',
    ]) {
      for (const method of ['GET', 'POST']) {
        const told = await ask(service.url + path, {
          method,
          headers: { host: domain, cookie: team.owner.cookie() },
        })
        assert.deepEqual(looks(told), nowhere, `${method} ${path}`)
      }
    }
    const health = await ask(`${service.url}/health/live`, { headers: { host: FOREIGN } })
    assert.equal(health.status, 200)
  })

  it('take no method but those that read', async () => {
    const page = pages.get('public') as Page
    for (const method of ['PUT', 'DELETE', 'POST']) {
      assert.equal((await get('', page, SITE, 'stranger', method)).status, 405)
      assert.equal((await get('', pages.get('members') as Page, SITE, 'stranger', method)).status, 404)
    }
  })

  it('forget a browser when the password changes, and count wrong ones by client and page', async () => {
    const page = pages.get('password') as Page
    const send = (password: string, forwarded = '203.0.113.50') =>
      ask(`${service.url}/status/${page.slug}/sign-in`, {
        method: 'POST',
        headers: { host: SITE, 'x-forwarded-for': forwarded },
        body: new URLSearchParams({ password }).toString(),
      })
    for (let tries = 0; tries < 10; tries++) assert.equal((await send('wrong password')).status, 403)
    const refused = await send(PASSWORD)
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    // However many clients fail, others have some tries left.
    const { perPage } = service.services.limits
    await Promise.all(Array.from({ length: 500 }, () => perPage.take(page.id)))
    for (let tries = 0; tries < 3; tries++)
      assert.equal((await send('wrong password', '203.0.113.52')).status, 403)
    assert.equal((await send(PASSWORD, '203.0.113.52')).status, 429)
    const entered = await send(PASSWORD, '203.0.113.51')
    assert.equal(entered.status, 303)
    const cookie = entered.headers.get('set-cookie') as string
    assert.match(cookie, /; Path=\/status\/page-password; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const look = () =>
      ask(`${service.url}/status/${page.slug}`, {
        headers: { host: SITE, cookie: cookie.split(';')[0] as string },
      })
    assert.equal((await look()).status, 200)
    await team.owner.data(team.id, 'PUT', `/status-pages/${page.id}/password`, {
      password: 'eleven geese on a pond',
    })
    await until('the cookie ended', async () => (await look()).status === 403)
  })

  it('tell a proxy which domains it may get certificates for: those that are proved', async () => {
    const { domain } = pages.get('public') as Page
    await addRow(service.services.db, 'status_domains', {
      ...{ domain: 'unproved.example.org', page_id: (pages.get('public') as Page).id, team_id: team.id },
      ...{ proof: 'upbeat-status=x', proved_at: null, looked_at: null },
    })
    const allowed = async (name: string) =>
      (
        await ask(`${service.url}/status-domains/allowed?domain=${name}`, {
          headers: { host: 'upbeat:3000' },
        })
      ).status
    assert.equal(await allowed(domain), 200)
    assert.equal(await allowed(domain.toUpperCase()), 200)
    for (const name of [
      'unproved.example.org',
      SITE,
      FOREIGN,
      'deleted.example.org',
      '',
      'localhost',
      `${domain}/x`,
    ]) {
      assert.equal(await allowed(name), 404, name)
    }
  })

  it('tell nothing of a page that not everybody sees by what they refuse at its mailed links', async () => {
    const path = (slug: string) => `${service.url}/status/${slug}/subscriptions/guessed`
    for (const kind of ['members', 'networks', 'unpublished'] as const) {
      for (const method of ['PUT', 'OPTIONS', 'POST', 'GET']) {
        const [nowhere, told] = await Promise.all(
          ['no-such-page', (pages.get(kind) as Page).slug].map((slug) =>
            ask(path(slug), { method, headers: { host: SITE } }),
          ),
        )
        assert.deepEqual(looks(told as Told), looks(nowhere as Told), `${method} ${kind}`)
      }
    }
    const open = path((pages.get('public') as Page).slug)
    assert.equal((await ask(open, { method: 'PUT', headers: { host: SITE } })).status, 405)
    assert.equal((await ask(open, { method: 'POST', headers: { host: SITE } })).status, 400)
  })

  it('take forms from their own host only, so that no site makes readers in a network send one', async () => {
    const networks = pages.get('networks') as Page
    const at = {
      [SITE]: `/status/${networks.slug}/subscribe`,
      [networks.domain]: '/subscribe',
    }
    for (const [host, path] of Object.entries(at)) {
      const send = (headers: Record<string, string>) =>
        ask(service.url + path, {
          method: 'POST',
          headers: { host, 'x-forwarded-for': '2001:db8:1::7', ...headers },
          body: 'email=nobody',
        })
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `http://${host}.evil.example` },
        { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        assert.equal((await send(headers)).status, 403, JSON.stringify([host, headers]))
      }
      for (const headers of [{}, { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }]) {
        assert.equal((await send(headers)).status, 422, JSON.stringify([host, headers]))
      }
    }
    const { slug } = pages.get('password') as Page
    const headers = { host: SITE, origin: 'https://evil.example' }
    const entered = await ask(`${service.url}/status/${slug}/sign-in`, {
      ...{ method: 'POST', headers, body: `password=${encodeURIComponent(PASSWORD)}` },
    })
    assert.deepEqual([entered.status, entered.headers.get('set-cookie')], [403, null])
  })

  it('let scripts of other sites read what everybody sees, and nothing else', async () => {
    for (const kind of ['public', 'networks'] as const) {
      const page = pages.get(kind) as Page
      const told = await get('/api/v2/summary.json', page, SITE, 'neighbor')
      const allowed = told.headers.get('access-control-allow-origin')
      assert.deepEqual([told.status, allowed], [200, kind === 'public' ? '*' : null])
      const html = await get('', page, SITE, 'neighbor')
      assert.equal(html.headers.get('access-control-allow-origin'), null)
    }
  })

  it('say nothing in the log of whoever goes away in the middle of a form', async () => {
    const { slug } = pages.get('public') as Page
    const before = service.output().length
    for (const path of ['subscribe', 'sign-in', 'subscriptions/guessed']) {
      const page = path === 'sign-in' ? (pages.get('password') as Page).slug : slug
      const sent = request(`${service.url}/status/${page}/${path}`, {
        method: 'POST',
        headers: { host: SITE, 'content-length': '1000', expect: '100-continue' },
      })
      sent.on('error', () => {})
      // The service reads the form.
      await new Promise((resolve) => sent.once('continue', resolve).flushHeaders())
      const closed = new Promise((resolve) => sent.once('close', resolve))
      sent.destroy()
      await closed
    }
    // Answered after the others were given up.
    await ask(`${service.url}/status/${slug}`, { headers: { host: SITE } })
    assert.equal(service.output().slice(before), '')
  })

  it('make no page for who sends wrong forms all the time', async () => {
    const { slug } = pages.get('public') as Page
    const send = (client: string) =>
      ask(`${service.url}/status/${slug}/subscribe`, {
        method: 'POST',
        headers: { host: SITE, 'x-forwarded-for': client },
        body: 'email=nobody',
      })
    const told = await Promise.all(Array.from({ length: 130 }, () => send('203.0.113.80')))
    const refused = told.filter(({ status }) => status === 429)
    assert.ok(refused.length > 0 && refused.every(({ text }) => text === ''))
    assert.equal((await send('203.0.113.81')).status, 422)
  })

  it('refuse a form that is too large', async () => {
    const { slug } = pages.get('password') as Page
    const told = await ask(`${service.url}/status/${slug}/sign-in`, {
      method: 'POST',
      headers: { host: SITE },
      body: `password=${'x'.repeat(20_000)}`,
    })
    assert.equal(told.status, 413)
  })
})

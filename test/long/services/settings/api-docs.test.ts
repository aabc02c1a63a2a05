// npm test leaves this out: it follows every link of the documentation, in two services of its own (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CONTACTS, MONITORS } from '../../../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../../../support/services/api-client.ts'
import { assertInvalid, assertProblem } from '../../../support/services/api-problems.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'

describe('the addresses in answers', () => {
  describe('of a service as it comes', () => {
    let service: AskedService

    before(async () => {
      service = await startServiceHere({ ROLES: 'api' })
    })
    after(() => service?.close())

    const pageAt = async (url: string) => {
      const { pathname } = new URL(url)
      const response = await fetch(service.url + pathname)
      assert.equal(response.status, 200, url)
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
      return response.text()
    }

    it('lead to a page for each type of problem, and for the end of PUT', async () => {
      const { siteUrl, docsUrl } = service.services
      assert.equal(docsUrl, `${siteUrl}/docs`)
      const team = await service.createTeam('free')
      const api = apiClient(service, team.id)
      const invalid = await api.post('/monitors', {})
      assertProblem(invalid, 422, docsUrl)
      assert.match(await pageAt(invalid.body.type), /validation failed/i)
      for (let i = 0; i < 10; i++) await api.post('/monitors', MONITORS.http)
      const full = await api.post('/monitors', MONITORS.http)
      assertProblem(full, 402, docsUrl)
      assert.match(await pageAt(full.body.type), /limit/i)
      assert.match(await pageAt(`${docsUrl}/changelog`), /2027-04-07/)
      await pageAt(docsUrl)
    })

    it('lead from the documentation to every page that it links to', async () => {
      const index = await pageAt(service.services.docsUrl)
      const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(index) ?? []
      const links = [...main.matchAll(/ href="(\/docs\/[^"#]+)"/g)].map(([, path]) => service.url + path)
      assert.ok(links.length >= 3, index)
      for (const link of links) await pageAt(link)
      assert.doesNotMatch(main, /href="[^"]*\.md"/)
    })

    it('lead nowhere but to pages that exist', async () => {
      for (const path of [
        '/docs/problems/other',
        '/docs/nowhere',
        '/docs/../package.json',
        '/problems/validation-failed',
      ]) {
        const response = await fetch(service.url + path)
        assert.equal(response.status, 404, path)
        assert.equal(response.headers.get('content-type'), 'application/problem+json')
      }
    })
  })

  describe('of a service with a public address, documentation elsewhere and private targets denied', () => {
    const SITE_URL = 'https://status.example.com:8443'
    const DOCS_URL = 'https://docs.example.com/guide'
    let service: AskedService
    let api: ApiClient

    before(async () => {
      service = await startServiceHere({
        ROLES: 'api',
        SITE_URL: `${SITE_URL}/`,
        DOCS_URL,
        PRIVATE_TARGETS: 'deny',
      })
      api = apiClient(service, (await service.createTeam('free')).id)
    })
    after(() => service?.close())

    const monitor = { ...MONITORS.http, url: 'https://example.com/' }

    it('begin with the public address', async () => {
      const created = await api.post('/monitors', monitor)
      const path = `${SITE_URL}/api/v1/monitors`
      assert.equal(created.headers.get('location'), `${path}/${created.body.data.id}`)
      const contact = await api.post('/notification-contacts', CONTACTS.email)
      const location = `${SITE_URL}/api/v1/notification-contacts/${contact.body.data.id}`
      assert.equal(contact.headers.get('location'), location)
      const job = await api.post('/monitors', MONITORS.heartbeat)
      assert.equal(job.body.data.heartbeat_url, `${SITE_URL}/ping/${job.body.data.heartbeat_token}`)
      const { links, meta } = (await api.get('/monitors?per_page=1')).body
      assert.equal(meta.path, path)
      for (const url of [links.first, links.last, links.next, meta.links[1].url]) {
        assert.ok(url.startsWith(`${path}?`), url)
      }
    })

    it('name the documentation in the type of a problem, and serve none here', async () => {
      assertProblem(await api.post('/monitors', {}), 422, DOCS_URL)
      let last = await api.post('/monitors', monitor)
      for (let i = 0; last.status === 201; i++) {
        assert.ok(i < 10)
        last = await api.post('/monitors', monitor)
      }
      assertProblem(last, 402, DOCS_URL)
      assert.equal((await fetch(`${service.url}/docs`)).status, 404)
    })

    it('are refused in monitors and contacts when policy refuses them as they are written', async () => {
      const hosts = [
        '127.0.0.1',
        '10.0.0.1',
        '192.168.1.1:8080',
        '[::1]',
        '[::ffff:10.0.0.1]',
        '169.254.169.254',
        '2130706433',
      ]
      for (const host of hosts) {
        const url = `https://${host}/secret`
        for (const type of ['http', 'keyword', 'ssl', 'tcp', 'icmp'] as const) {
          assertInvalid(await api.post('/monitors', { ...MONITORS[type], url }), ['url'])
        }
        assertInvalid(await api.post('/notification-contacts', { ...CONTACTS.webhook, config: { url } }), [
          'config.url',
        ])
        for (const type of ['slack', 'discord'] as const) {
          const body = { ...CONTACTS[type], config: { webhook_url: url } }
          assertInvalid(await api.post('/notification-contacts', body), ['config.webhook_url'])
        }
      }
      const existing = (await api.get('/monitors')).body.data.find(
        ({ type }: { type: string }) => type === 'http',
      )
      assertInvalid(await api.patch(`/monitors/${existing.id}`, { url: 'http://127.0.0.1/' }), ['url'])
    })
  })
})

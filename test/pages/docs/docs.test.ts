import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { Hono } from 'hono'
import { contract } from '../../../src/contract/contract.ts'
import { PROBLEMS } from '../../../src/core/errors.ts'
import { CONTENTS, PROBLEM_PAGES } from '../../../src/pages/docs/contents.ts'
import { addDocs } from '../../../src/pages/docs/docs.ts'
import { renderMarkdown } from '../../../src/pages/docs/markdown.ts'
import { docsFiles } from '../../support/documents/docs-blocks.ts'

const SITE = 'https://watch.example.org'
const DOCS = `${SITE}/docs`
const ENTRIES = [...CONTENTS.flatMap(({ entries }) => entries), ...PROBLEM_PAGES]

/** Forty questions of newcomers, each with the pages that answer it. */
const QUESTIONS: [question: string, ...pages: string[]][] = [
  ['how do I add a monitor', 'first-monitor', 'monitors'],
  ['why was I not alerted?', 'troubleshooting'],
  ['rotate a token', 'people', 'api'],
  ['sign in with Google', 'accounts', 'troubleshooting'],
  ['time zone', 'dashboard'],
  ['permission for ICMP', 'troubleshooting', 'containers'],
  ['custom domain for my status page', 'status-pages'],
  ['forgot password', 'accounts'],
  ['https reverse proxy', 'self-hosting'],
  ['retry before alert', 'confirmation'],
  ['how do I monitor a cron job?', 'heartbeats'],
  ['send alerts to Slack', 'alerts'],
  ['back up the database', 'self-hosting', 'containers'],
  ['invite a colleague', 'people'],
  ['migrating from Uptime Kuma', 'moving-in'],
  ['what counts as downtime', 'monitors'],
  ['certificate expires', 'monitors', 'alerts', 'sites'],
  ['mute alerts during a deploy', 'maintenance'],
  ['docker compose', 'containers'],
  ['how do I upgrade', 'self-hosting', 'containers'],
  ['on-call schedule', 'on-call'],
  ['acknowledge an incident', 'on-call'],
  ['quiet hours at night', 'alerts'],
  ['test smtp', 'mail', 'configuration', 'troubleshooting', 'alerts'],
  ['prometheus metrics', 'prometheus'],
  ['rate limit of the API', 'api', 'problems'],
  ['disk full alert of a server', 'servers'],
  ['broken links', 'sites', 'crawler'],
  ['uptime badge in my readme', 'badges'],
  ['monthly report as pdf', 'reports'],
  ['change the port', 'configuration'],
  ['what does degraded mean', 'monitors'],
  ['check from several locations', 'scaling-out', 'remote-probes'],
  ['how often are monitors checked', 'monitors'],
  ['self-signed certificate', 'troubleshooting', 'failures'],
  ['check a login form', 'monitors', 'monitors-web'],
  ['password protected status page', 'status-pages'],
  ['false alarms', 'confirmation'],
  ['raspberry pi', 'containers'],
  ['localhost from docker is refused', 'troubleshooting'],
]

/** Things that people ask for and Upbeat does not have. */
const ABSENT = ['playwright', 'voice calls', 'SAML', 'terraform', 'scripted checks', 'whatsapp', 'sqlite']

/** The site as a visitor sees it: every page by its path below the site. */
async function openDocs(docsUrl = DOCS) {
  const app = new Hono({ strict: false })
  const { pathname } = new URL(docsUrl)
  const services = { siteUrl: SITE, docsUrl, apiVersion: '2026-11-21' }
  await addDocs(app, pathname.replace(/\/$/, ''), services)
  const get = async (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })
  const read = async (path: string) => {
    const response = await get(path)
    assert.equal(response.status, 200, path)
    return response.text()
  }
  return { get, read }
}

describe('the documentation', () => {
  let docs: Awaited<ReturnType<typeof openDocs>>
  const pages = new Map<string, string>()

  before(async () => {
    docs = await openDocs()
    for (const { path } of ENTRIES) pages.set(`/docs${path}`, await docs.read(`/docs${path}`))
  })

  it('has a page for every text in its folder', () => {
    const shown = ENTRIES.filter(({ generate, file }) => !generate && file.startsWith('docs/'))
    assert.deepEqual(shown.map(({ file }) => file).sort(), docsFiles())
  })

  it('leads nowhere but to pages, headings and files that exist', async () => {
    const wrong: string[] = []
    for (const [path, html] of pages) {
      for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { origin, pathname, search, hash } = new URL(href, SITE + path)
        // The dashboard's own.
        if (origin !== SITE || pathname === '/' || /^\/(icon\.svg$|assets\/)/.test(pathname)) continue
        if (pathname.startsWith('/api/') || pathname === '/mcp') continue
        const target = pages.get(pathname)
        if (target === undefined && (await docs.get(pathname + search)).status !== 200)
          wrong.push(`${path}: ${href}`)
        if (hash && !target?.includes(` id="${hash.slice(1)}"`)) wrong.push(`${path}: ${href}`)
      }
    }
    assert.deepEqual(wrong, [])
  })

  it('has ids that stand once on a page', () => {
    for (const [path, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.deepEqual([...new Set(ids)], ids, path)
    }
  })

  it('loads nothing from elsewhere, and runs one script of ours', async () => {
    for (const [path, html] of pages) {
      assert.equal(html.match(/<script/g)?.length, 1, path)
      assert.match(html, /<script src="\/docs\/script\.js\?v=[\w-]{22}"><\/script>/, path)
      assert.doesNotMatch(html, /<iframe| style=| on[a-z]+="/, path)
      assert.doesNotMatch(html, /(?:src|rel="(?:stylesheet|icon)" href)="(?:https?:)?\/\//, path)
    }
    assert.doesNotMatch(await docs.read('/docs/style.css'), /url\(["']?(?!\/assets\/)|@import/)
    const { headers } = await docs.get('/docs')
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action/,
    )
  })

  it('marks the words of code by their kind, and finds them whole', async () => {
    const html = pages.get('/docs/webhooks') ?? ''
    assert.match(html, /<figure class="code of-json"><figcaption>JSON[\s\S]*?<span class="c-var">&quot;/)
    const { html: code, sections } = renderMarkdown(
      '```sh\ncurl --retry 3 "$UPBEAT_URL/x" # <b>\n```',
      String,
    )
    assert.ok(
      code.includes('<span class="c-var">$UPBEAT_URL</span><span class="c-str">/x&quot;</span>'),
      code,
    )
    assert.ok(code.includes('<span class="c-cmnt"># &lt;b&gt;</span>'), code)
    assert.equal(sections[0]?.content, 'curl --retry 3 "$UPBEAT_URL/x" # <b>')
    assert.match(renderMarkdown('```caddy\na < b\n```', String).html, /<code>a &lt; b<\/code>/)
  })

  it('says on each page where one is, and what comes before and after it', () => {
    const listed = CONTENTS.flatMap(({ entries }) => entries).map(({ path }) => `/docs${path}`)
    for (const [index, path] of listed.entries()) {
      const html = pages.get(path) ?? ''
      assert.equal(html.match(/<h1/g)?.length, 1, path)
      assert.match(html, new RegExp(`<a href="${path}" aria-current="page">`))
      const turn = (rel: string) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(html)?.[1]
      assert.deepEqual([turn('prev'), turn('next')], [listed[index - 1], listed[index + 1]], path)
    }
    for (const { path } of PROBLEM_PAGES) {
      assert.match(pages.get(`/docs${path}`) ?? '', /<a href="\/docs\/problems" aria-current="page">/)
    }
  })

  it('leads from its first page to every other one', () => {
    const [, main = ''] = /<main[^>]*>(.*?)<\/main>/s.exec(pages.get('/docs') ?? '') ?? []
    const listed = CONTENTS.flatMap(({ entries }) => entries).map(({ path }) => `/docs${path}`)
    const missing = listed.filter((path) => path !== '/docs' && !main.includes(`href="${path}"`))
    assert.deepEqual(missing, [])
  })

  it('is in groups of the same names on each page, in the order in which people need them', () => {
    const groups = [
      'Start',
      'Monitors',
      'Alerts',
      'On-call',
      'Status pages',
      'Servers and sites',
      'API',
      'Operate',
    ]
    for (const [path, html] of pages) {
      const [, list = ''] = /<nav class="pages side"[^>]*>(.*?)<\/nav>/s.exec(html) ?? []
      assert.deepEqual(
        [...list.matchAll(/<p>([^<]+)<\/p><ul><li>/g)].map(([, group]) => group),
        groups,
        path,
      )
    }
  })

  it('writes the address of the service that shows it', () => {
    for (const [path, html] of pages) {
      assert.doesNotMatch(html, /https:\/\/upbeat\.example\.com/, path)
    }
    assert.match(pages.get('/docs/ai-agents') ?? '', /https:\/\/watch\.example\.org\/mcp/)
  })

  it('is sent once, and packed where that is understood', async () => {
    const { headers } = await docs.get('/docs/failures')
    const etag = headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]{22}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      assert.equal((await docs.get('/docs/failures', { 'if-none-match': known })).status, 304, known)
    }
    assert.equal((await docs.get('/docs/failures', { 'if-none-match': '"other"' })).status, 200)
    const packed = await docs.get('/docs/failures', { 'accept-encoding': 'gzip' })
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    const table: [accepted: string, encoding: string | null][] = [
      ['gzip, deflate, br', 'br'],
      ['br;q=0, GZIP;q=0.5', 'gzip'],
      ['gzip;q=0', null],
      ['*', null],
      ['brotli', null],
    ]
    for (const [accepted, encoding] of table) {
      const { headers } = await docs.get('/docs/failures', { 'accept-encoding': accepted })
      assert.equal(headers.get('content-encoding'), encoding, accepted)
    }
    assert.equal((await docs.get('/docs/failures', { 'if-none-match': `W/${etag}` })).status, 304)
  })

  it('has each page as Markdown, whose links lead to Markdown', async () => {
    for (const { path } of ENTRIES) {
      const response = await docs.get(`/docs${path || '/index'}.md`)
      assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8')
      const text = await response.text()
      assert.match(text, /^# \S/m, path)
      for (const [, href = ''] of text.matchAll(/\]\((?!#|http|mailto)([^)]+)\)/g))
        assert.fail(`${path}: ${href}`)
    }
    const text = await docs.read('/docs/index.md')
    assert.ok(text.includes(`[The first monitor](${DOCS}/first-monitor.md)`), text)
  })

  it('has a page at the address of each problem type, and one with every status', () => {
    const errors = pages.get('/docs/problems') ?? ''
    for (const problem of Object.values(PROBLEMS)) {
      assert.match(errors, new RegExp(`<td>${problem.status}</td>`))
      if ('page' in problem) assert.ok(pages.has(`/docs${problem.page}`), problem.page)
    }
    const withPage = Object.values(PROBLEMS).flatMap((problem) => ('page' in problem ? [problem.page] : []))
    assert.deepEqual(PROBLEM_PAGES.map(({ path }) => path).sort(), withPage.sort())
  })

  it('has every operation in its reference, with what it takes, answers and refuses', () => {
    const reference = (pages.get('/docs/reference') ?? '').replaceAll(/<\/?span[^>]*>/g, '')
    for (const [id, { method, path }] of Object.entries(contract)) {
      const text = reference.split(` id="${id}"`)[1]?.split(/<h[23]/)[0] ?? ''
      assert.ok(text.includes(`<code>${method} ${path}</code>`), id)
      if (method === 'PUT') continue
      for (const part of ['curl -sS', 'Authorization: Bearer', '<td>401</td>'])
        assert.ok(text.includes(part), id)
    }
    assert.doesNotMatch(reference, /undefined|\[object|NaN/)
    const created = reference.split(' id="createMonitor"')[1]?.split('<h3')[0] ?? ''
    for (const part of [
      '1 to 255 characters.',
      '100 to 599 each.',
      '<code>port</code> where <code>type</code> is <code>tcp</code>',
      '<td>402</td>',
      '<code>Location</code>',
    ]) {
      assert.ok(created.includes(part), part)
    }
  })

  it('has a feed of the changelog', async () => {
    const response = await docs.get('/docs/changelog.atom')
    assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    const feed = await response.text()
    const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
    const dates = [...changelog.matchAll(/^### (\d{4}-\d{2}-\d{2})/gm)].map(([, date]) => date as string)
    const updated = [...feed.matchAll(/<updated>([^<]+)<\/updated>/g)].map(([, time]) => time)
    assert.deepEqual(
      updated,
      [dates[0], ...dates].map((date) => `${date}T00:00:00Z`),
    )
    assert.ok(feed.includes(`<link rel="self" type="application/atom+xml" href="${DOCS}/changelog.atom"/>`))
    for (const date of dates) {
      assert.ok(feed.includes(`<id>${DOCS}/changelog#${date}</id>`))
      assert.ok(pages.get('/docs/changelog')?.includes(` id="${date}"`))
    }
    assert.match(
      pages.get('/docs') ?? '',
      /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/docs\/changelog\.atom">/,
    )
  })

  it('tells agents and crawlers where everything is', async () => {
    const text = await docs.read('/llms.txt')
    assert.equal(await docs.read('/docs/llms.txt'), text)
    // The format of llmstxt.org: a title, a summary, and sections of links.
    assert.match(text, /^# Upbeat\n\n> [^\n]+\n/)
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, href]) => href as string)
    for (const { path } of CONTENTS.flatMap(({ entries }) => entries)) {
      assert.ok(links.includes(`${DOCS}${path || '/index'}.md`), path)
    }
    assert.ok(links.includes(`${SITE}/api/v1/openapi.json`))
    const map = await docs.read('/docs/sitemap.xml')
    for (const { path } of ENTRIES) assert.ok(map.includes(`<loc>${DOCS}${path}</loc>`), path)
    const robots = await docs.read('/robots.txt')
    for (const path of ['/ping/', '/hc/', '/api/', '/calendars/']) {
      assert.ok(robots.split('\n').includes(`Disallow: ${path}`), path)
    }
  })

  it('can live at the root of its site', async () => {
    const { read } = await openDocs(SITE)
    assert.match(await read('/alerts'), /<a href="\/webhooks">Webhooks<\/a>/)
    assert.match(await read('/problems/validation-failed'), /Status 422/)
    assert.match(await read('/llms.txt'), /https:\/\/watch\.example\.org\/index\.md/)
  })

  describe('search', () => {
    const search = async (query: string) => docs.get(`/docs/search?q=${encodeURIComponent(query)}`)
    const hrefs = async (query: string) => {
      const html = await (await search(query)).text()
      const [, list = ''] = html.split('<ol class="found">')
      return [...(list.split('</ol>')[0]?.matchAll(/<a href="([^"]+)"/g) ?? [])].map(([, href]) => href)
    }

    it('finds the section that is about it first', async () => {
      const cases: [query: string, href: string][] = [
        ['systemd', '/docs/heartbeats#systemd'],
        ['KUBERNETES cronjob', '/docs/heartbeats#kubernetes'],
        ['secret key', '/docs/self-hosting#the-secret-key'],
        ['webhook signature', '/docs/webhooks#signatures'],
        ['monitor limit reached', '/docs/problems/monitor-limit-reached'],
      ]
      for (const [query, href] of cases) assert.equal((await hrefs(query))[0], href, query)
    })

    it('finds the section first whose heading is what was typed', async () => {
      for (const [typed, href] of [
        ['why was I not alerted', '/docs/troubleshooting#why-was-i-not-alerted'],
        ['Quiet hours', '/docs/alerts#quiet-hours'],
      ] as const)
        assert.equal((await hrefs(typed))[0], href, typed)
    })

    it('answers what newcomers ask with the page about it among the first three, each page once', async () => {
      const wrong: string[] = []
      for (const [question, ...pages] of QUESTIONS) {
        const found = (await hrefs(question)).map((href = '') =>
          href.replace(/#.*/, '').replace('/docs/', ''),
        )
        assert.deepEqual(found, [...new Set(found)], question)
        const first = found.slice(0, 3)
        if (!first.some((page) => pages.includes(page))) wrong.push(`${question}: ${first.join(', ')}`)
      }
      assert.deepEqual(wrong, [])
    })

    it('says of what there is not that it is not there, first', async () => {
      const wrong: string[] = []
      for (const question of ABSENT) {
        const [first = 'nothing'] = await hrefs(question)
        if (!first.startsWith('/docs/not-available')) wrong.push(`${question}: ${first}`)
      }
      assert.deepEqual(wrong, [])
    })

    it('has guides before pages that list everything', async () => {
      for (const query of ['create monitor', 'notification contact', 'acknowledge', 'webhook', 'interval']) {
        const found = await hrefs(query)
        const places = ['/docs/reference', '/docs/changelog', '/docs/benchmarks'].map((page) =>
          found.findIndex((href) => href?.split('#')[0] === page),
        )
        assert.ok(
          places.every((place) => place === -1 || place > 1),
          `${query}: ${found.join(', ')}`,
        )
      }
    })

    it('wants every word, marks their forms, and shows at most twenty places', async () => {
      assert.equal((await hrefs('the')).length, 20)
      const html = await (await search('invited colleagues')).text()
      assert.match(html, /An owner <mark>invites<\/mark> an address/)
      assert.match(await (await search('proxy_buffering')).text(), /<mark>proxy_buffering<\/mark> off/)
    })

    it('shows what has some of the words, or similar ones, where nothing has all', async () => {
      const html = await (await search('systemd nowhere-to-be-found')).text()
      assert.match(html, /No results for all the words of “systemd nowhere-to-be-found”\. These have some/)
      assert.match((await hrefs('systemd nowhere-to-be-found'))[0] ?? '', /systemd$/)
      assert.match((await hrefs('kubernets'))[0] ?? '', /#kubernetes$/)
      assert.deepEqual(await hrefs('xyzzyplugh'), [])
      assert.match(await (await search('xyzzyplugh')).text(), /No results for “xyzzyplugh”/)
    })

    it('shows what was typed as text', async () => {
      const html = await (await search('<script>alert(1)</script> & "quotes"')).text()
      assert.doesNotMatch(html, /<script(?! src=)/)
      assert.match(html, /&lt;script&gt;/)
      assert.match(await (await search('a\0b')).text(), /“a b”/)
      // No pattern, and no words.
      assert.deepEqual(await hrefs('.*(((['), [])
    })

    it('takes up to 100 characters, and asks for some where there are none', async () => {
      assert.equal((await search('é'.repeat(100))).status, 200)
      const refused = await search('é'.repeat(101))
      assert.equal(refused.status, 422)
      assert.match(await refused.text(), /q must be at most 100 characters, got 101/)
      assert.match(await (await docs.get('/docs/search')).text(), /Type a search term/)
      assert.match(await (await search('  ')).text(), /Type a search term/)
    })
  })
})

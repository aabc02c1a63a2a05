import { gzipSync } from 'node:zlib'
import type { FindingKind } from '../../../src/core/sites/site-finding.ts'
import type { Pages, Responder, Web } from './web.ts'

/** A fault that a crawl has to find, where it stands. */
export type Planted = { kind: FindingKind; address: string; page: string; label: string }

export const SITE = 'https://site.example'
const OTHER = 'https://other.example'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
export const HOSTS = [
  'site.example',
  'other.example',
  'assets.example',
  'bad.example',
  'busy.example',
  'walled.example',
  'xn--bcher-kva.example',
]

/** `isFrugal`: neither what takes a request's time limit, nor what is large. */
type Options = { plainPages: number; isFrugal: boolean }

const status =
  (code: number, headers: Record<string, string> = {}): Responder =>
  (_, response) =>
    response.writeHead(code, { 'Content-Type': 'text/html', ...headers }).end('<p>So it is')

/** A site with all kinds of faults and of what merely looks like one, and the hosts around it. */
export function plantWeb({ pages, withPorts }: Web, { plainPages, isFrugal }: Options): Planted[] {
  const planted: Planted[] = []
  const contents: string[] = []
  let places = 0

  /** A page of the site that holds this, among other things of no interest. */
  function place(html: string): string {
    const path = `/at/${places++}`
    pages.set(`${SITE}${path}`, `<html><head><title>Place</title></head><body>${html}<p>More`)
    contents.push(`<a href="${path}">place</a>`)
    return `${SITE}${path}`
  }
  /** A link to an address that answers so. */
  function link(kind: FindingKind | null, address: string, answer?: Responder | string, written = address) {
    if (answer !== undefined) pages.set(address, answer)
    const label = `text of ${places}`
    const page = place(`<a href="${written}">text of <b>${places}</b></a>`)
    if (kind) planted.push({ kind, address, page, label })
  }
  function element(kind: FindingKind, html: string, address: string, label: string) {
    planted.push({ kind, address, page: place(html), label })
  }
  const to = (location: string, code = 302) => {
    const answer: Responder = (_, response) =>
      response.writeHead(code, { Location: withPorts(location) }).end()
    return answer
  }

  plantBroken(link, element, to)
  plantUnsure(link, to)
  plantMixed(pages, element, place)
  planted.push(...plantParts(pages, element, place))
  plantHarmless(pages, link, place)
  if (!isFrugal) plantCostly(pages, link)
  planted.push(...plantSitemaps(pages, withPorts, isFrugal))

  for (let page = 0; page < plainPages; page++) {
    const next = `/plain/${page + 1}`
    const links = page + 1 < plainPages ? `<a href="${next}">next</a><a href="/">home</a>` : 'the last'
    // Pages have shapes of their own, as those of sites do, and lie within few levels.
    if (page % 20 === 0) contents.push(`<a href="/plain/${page}">plain</a>`)
    const list = Array.from({ length: 20 }, (_, n) => `<a href="/plain/${page + n}">p</a>`)
    pages.set(
      `${SITE}/plain/${page}`,
      `<title>Plain</title>${page % 20 === 0 && page + 20 <= plainPages ? list.join('') : links}`,
    )
  }
  pages.set(`${SITE}/robots.txt`, (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/plain' })
      .end(
        withPorts(
          `User-agent: *\nDisallow: /private/\nSitemap: ${SITE}/sitemap-index.xml.gz\nSitemap: ${SITE}/no-sitemap.xml\n`,
        ),
      ),
  )
  pages.set(`${SITE}/`, `<title>Home</title><a href="/contents?utm_source=home#top">contents</a>`)
  const list = `<title>Contents</title><a href="/">home</a>${contents.join('\n')}`
  pages.set(`${SITE}/contents`, list)
  pages.set(`${SITE}/contents?utm_source=home`, list)
  return planted
}

type Link = (kind: FindingKind | null, address: string, answer?: Responder | string, written?: string) => void
type Element = (kind: FindingKind, html: string, address: string, label: string) => void
type To = (location: string, code?: number) => Responder

function plantBroken(link: Link, element: Element, to: To): void {
  const broken = (address: string, answer?: Responder, written?: string) =>
    link('broken_link', address, answer, written)
  broken(`${SITE}/gone-404`)
  broken(`${SITE}/gone-410`, status(410))
  for (const code of [400, 500, 502, 503, 504]) broken(`${SITE}/error-${code}`, status(code))
  broken(`${SITE}/loop`, to(`${SITE}/loop`))
  broken(`${SITE}/circle`, to(`${OTHER}/circle`))
  broken(`${OTHER}/circle`, to(`${SITE}/circle`))
  for (let step = 1; step < 8; step++) broken(`${SITE}/chain/${step}`, to(`${SITE}/chain/${step + 1}`))
  broken(`${SITE}/leads-to-404`, to(`${SITE}/gone-404`))
  broken(`${SITE}/leads-nowhere`, status(302))
  broken(`${SITE}/hangs-up`, (request) => request.socket.destroy())
  broken('http://unknown.example/')
  broken('https://bad.example/')
  broken(`${OTHER}/missing`)
  broken(`${OTHER}/error`, status(500))
  broken(`${SITE}/stra%C3%9Fe`, undefined, '/straße')
  broken('https://xn--bcher-kva.example/fehlt', undefined, 'https://bücher.example/fehlt')
  const tracked = '/tracked?q=a%20b&utm_medium=mail&page=1&PHPSESSID=3'
  broken(`${SITE}${tracked}`, undefined, tracked)
  broken(`${SITE}/show?sid=12`)
  element('broken_link', '<base href="/deep/"><a href="gone">deep</a>', `${SITE}/deep/gone`, 'deep')
  element('broken_link', '<img src="/no.png">', `${SITE}/no.png`, '<img src>')
  element(
    'broken_link',
    '<img srcset="https://site.example/ 1x, /no-2x.png 2x">',
    `${SITE}/no-2x.png`,
    '<img srcset>',
  )
  element('broken_link', '<script src="/no.js"></script>', `${SITE}/no.js`, '<script src>')
  element('broken_link', '<link rel="stylesheet" href="/no.css">', `${SITE}/no.css`, '<link rel=stylesheet>')
  element('broken_link', '<iframe src="/no-frame"></iframe>', `${SITE}/no-frame`, '<iframe src>')
  element('broken_link', '<video poster="/no.jpg"></video>', `${SITE}/no.jpg`, '<video poster>')
  element(
    'broken_link',
    '<link rel="canonical" href="/no-canonical">',
    `${SITE}/no-canonical`,
    '<link rel=canonical>',
  )
  element('broken_link', '<link rel="next" href="/no-next">', `${SITE}/no-next`, '<link rel=next>')
  element('broken_link', '<a href="http://">n</a>', 'http://', 'n')
  element('broken_link', '<a href="https://exa mple/">n</a>', 'https://exa mple/', 'n')
  element('broken_link', '<a href="/no-alt"><img alt="A picture" src="/"></a>', `${SITE}/no-alt`, 'A picture')
}

/** Hints, and what could not be judged. */
function plantUnsure(link: Link, to: To): void {
  link('soft_404', `${SITE}/soft`, '<title>404 – Not found</title>')
  link('soft_404', `${SITE}/deep/old`, to(`${SITE}/`))
  link('soft_404', `${SITE}/members/page`, to(`${SITE}/login`))
  link(null, `${SITE}/login`, '<title>Sign in</title>')
  link('redirect_hint', `${SITE}/moved-301`, to(`${SITE}/contents`, 301))
  link('redirect_hint', `${SITE}/moved-308`, to(`${SITE}/contents`, 308))
  link('unjudged', `${SITE}/private/page`, status(500))
  link('unjudged', `${OTHER}/cloud`, status(403, { 'cf-mitigated': 'challenge' }))
  link('unjudged', `${OTHER}/rules`, status(406))
  link('unjudged', `${OTHER}/captcha`, status(405, { 'x-amzn-waf-action': 'captcha' }))
  link('unjudged', `${OTHER}/cookies`, (_, response) =>
    response.writeHead(302, { Location: '/cookies', 'Set-Cookie': 'seen=1' }).end(),
  )
  link('unjudged', `${OTHER}/maintenance`, status(503, { 'Retry-After': '0' }))
  for (const code of [401, 403, 451, 999]) link('unjudged', `${OTHER}/wall-${code}`, status(code))
  link('unjudged', 'https://busy.example/a', status(429, { 'Retry-After': '1' }))
  link('unjudged', 'https://busy.example/b', status(429, { 'Retry-After': '1' }))
  link('unjudged', 'https://walled.example/forbidden/page', status(404))
}

function plantMixed(pages: Pages, element: Element, place: (html: string) => string): void {
  const asset = (name: string) => {
    pages.set(`http://assets.example/${name}`, 'fine')
    return `http://assets.example/${name}`
  }
  const active = (html: (address: string) => string, label: string, name: string) =>
    element('mixed_active', html(asset(name)), asset(name), label)
  const passive = (html: (address: string) => string, label: string, name: string) =>
    element('mixed_passive', html(asset(name)), asset(name), label)
  active((a) => `<script src="${a}"></script>`, '<script src>', 'a.js')
  active((a) => `<link rel="stylesheet" href="${a}">`, '<link rel=stylesheet>', 'a.css')
  active((a) => `<iframe src="${a}"></iframe>`, '<iframe src>', 'frame')
  passive((a) => `<form action="${a}"></form>`, '<form action>', 'form')
  passive((a) => `<form><button formaction="${a}"></button></form>`, '<button formaction>', 'formaction')
  passive((a) => `<img src="${a}">`, '<img src>', 'a.png')
  active((a) => `<img srcset="/ 1x, ${a} 2x">`, '<img srcset>', 'b.png')
  active((a) => `<link rel=preload as=script href="${a}">`, '<link rel=preload>', 'b.js')
  active((a) => `<style>@font-face { src: url(${a}) }</style>`, '<style> @font-face', 'a.woff2')
  passive((a) => `<p style="background: url(${a})">x`, '<p style> url()', 'd.png')
  passive((a) => `<video src="${a}"></video>`, '<video src>', 'a.mp4')
  pages.set(
    `${SITE}/upgrading`,
    `<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests"><img src="${asset('c.png')}">`,
  )
  place('<a href="/upgrading">a page that asks for everything securely</a>')
  place(`<a href="${asset('page')}">a link is no mixed content</a>`)
}

/** Parts that pages load, which load more in turn, and ways that lead on without being links. */
function plantParts(pages: Pages, element: Element, place: (html: string) => string): Planted[] {
  const set = (path: string, type: string, body: string) =>
    pages.set(`${SITE}${path}`, (_, response) => response.writeHead(200, { 'Content-Type': type }).end(body))
  const css = `@import "more.css"; /* url(/comment.png) */
    @font-face { font-family: F; src: url(no-font.woff2) format("woff2") }
    p { background: url("no\\2d image.png") } q { fill: url(#here); background: url(data:image/png;base64,AA==) }`
  set('/style/main.css', 'text/css; charset=utf-8', css)
  set('/style/more.css', 'text/css', 'p { background: image-set("no-set.png" 1x) }')
  place('<link rel=stylesheet href="/style/main.css"><link rel=manifest href="/app.webmanifest">')
  set(
    '/app.webmanifest',
    'application/octet-stream',
    '{ "start_url": "/no-start", "icons": [{ "src": "no-icon.png" }] }',
  )
  element(
    'broken_link',
    '<style>p { background: url(/no-style.png) }</style>',
    `${SITE}/no-style.png`,
    '<style> url()',
  )
  element(
    'broken_link',
    '<p style="background: url(/no-attribute.png)">',
    `${SITE}/no-attribute.png`,
    '<p style> url()',
  )
  element(
    'broken_link',
    '<meta http-equiv=refresh content="9; url=/no-refresh">',
    `${SITE}/no-refresh`,
    '<meta http-equiv=refresh>',
  )
  element('broken_link', '<svg><a xlink:href="/no-svg">drawn</a></svg>', `${SITE}/no-svg`, 'drawn')
  element(
    'broken_link',
    '<iframe srcdoc="<a href=/no-inner>inner</a>"></iframe>',
    `${SITE}/no-inner`,
    'inner',
  )
  place('<form><button formaction="/never-asked"></button></form><a ping="/never-pinged" href="/">p</a>')
  place('<template><a href="/not-there-yet">t</a></template>')
  const of = (page: string, address: string, label: string): Planted => ({
    kind: 'broken_link',
    address: `${SITE}${address}`,
    page: `${SITE}${page}`,
    label,
  })
  return [
    of('/style/main.css', '/style/no-font.woff2', '@font-face'),
    of('/style/main.css', '/style/no-image.png', 'url()'),
    of('/style/more.css', '/style/no-set.png', 'url()'),
    of('/app.webmanifest', '/no-start', 'start_url'),
    of('/app.webmanifest', '/no-icon.png', 'icons'),
  ]
}

/** Looks like a fault to a hasty crawler. */
function plantHarmless(pages: Pages, link: Link, place: (html: string) => string): void {
  const noHead =
    (code: number): Responder =>
    ({ method }, response) =>
      response.writeHead(method === 'HEAD' ? code : 200, { 'Content-Type': 'text/html' }).end()
  for (const code of [403, 404, 405, 500, 501]) link(null, `${OTHER}/no-head-${code}`, noHead(code))
  link(null, `${SITE}/cdn-cgi/l/email-protection`, status(404))
  link(null, `${OTHER}/moved`, (_, response) => response.writeHead(301, { Location: '/no-head-404' }).end())
  pages.set('https://walled.example/robots.txt', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end('User-agent: *\nDisallow: /forbidden/'),
  )
  pages.set(`${OTHER}/robots.txt`, '<html>User-agent: *\nDisallow: /')
  place(
    '<a href="mailto:a@b.example">m</a><a href="tel:1">t</a><a href="javascript:x()">j</a><a href="#x">f</a><a href="">e</a>',
  )
  place(
    '<a href="/sorted?by=1">sorted</a><a href="/calendar/1">calendar</a><a href="/visit;jsessionid=A1">v</a>',
  )
  // Each variant leads to another one, of the same page.
  for (let by = 1; by < 30; by++)
    pages.set(
      `${SITE}/sorted?by=${by}`,
      `<link rel="canonical" href="/sorted"><a href="/sorted?by=${by + 1}">again</a>`,
    )
  pages.set(`${SITE}/sorted`, '<title>Sorted</title>')
  // Each visit leads to two others, for ever: they are one page, which is asked for by the first address that leads there.
  const visits = ['/visit;jsessionid=A1', '/visit;jsessionid=B2', '/visit?sid=0123456789abcdef']
  const again = visits.map((visit) => `<a href="${visit}">again</a>`).join('')
  for (const visit of visits) pages.set(`${SITE}${visit}`, `<title>Visit</title>${again}`)
  for (let month = 1; month < 60; month++)
    pages.set(`${SITE}/calendar/${month}`, `<title>Month</title><a href="/calendar/${month + 1}">next</a>`)
}

/** Takes a request's time limit, or its size. */
function plantCostly(pages: Pages, link: Link): void {
  link('broken_link', `${SITE}/silent`, () => {})
  link(null, `${SITE}/endless`, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.write('<title>Endless</title><a href="/below-endless">endless</a>')
    const more = () => {
      while (!response.destroyed && response.write('<p>more'.repeat(1_000)));
    }
    response.on('drain', more)
    more()
  })
  pages.set(`${SITE}/below-endless`, '<title>Below</title>')
}

/** An index, packed, that names several; one of them has faults of its own. */
function plantSitemaps(pages: Pages, withPorts: (text: string) => string, isFrugal: boolean): Planted[] {
  const set = (name: string, text: string | Buffer, type = 'application/xml') =>
    pages.set(`${SITE}/${name}`, (_, response) => response.writeHead(200, { 'Content-Type': type }).end(text))
  const index = (names: string[]) =>
    `<sitemapindex xmlns="${NAMESPACE}">${names.map((name) => `<sitemap><loc>${SITE}/${name}</loc></sitemap>`).join('')}</sitemapindex>`
  const urls = (addresses: string[]) =>
    `<urlset xmlns="${NAMESPACE}">${addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')}</urlset>`
  const names = [
    'map-a.xml',
    'map-b.xml.gz',
    'bomb.xml',
    'no-map.xml',
    'bad-map.xml',
    'raw-map.xml',
    'inner-index.xml',
  ]
  if (!isFrugal) names.push('zeros.xml.gz')
  set('sitemap-index.xml.gz', gzipSync(withPorts(index(names))), 'application/gzip')
  set('map-a.xml', withPorts(`<?xml version="1.0"?>${urls([`${SITE}/only-in-sitemap`, `${SITE}/gone-too`])}`))
  set('map-b.xml.gz', gzipSync(withPorts(urls([`${SITE}/gone-as-well`]))), 'application/gzip')
  const bomb = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(20)}">`)
  set(
    'bomb.xml',
    withPorts(
      `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY e0 "lol">${bomb.join('')}]><urlset xmlns="${NAMESPACE}"><!-- &e20; --><url><loc>${SITE}/</loc></url><note>&e20;</note></urlset>`,
    ),
  )
  set('no-map.xml', '<html>Not found</html>', 'text/html')
  set('bad-map.xml', withPorts(urls(['/relative', `${SITE}/`])))
  set('raw-map.xml', withPorts(urls([`${SITE}/only-in-raw?a=1&b=2`])))
  set('inner-index.xml', withPorts(index(['map-a.xml'])))
  pages.set(`${SITE}/only-in-raw?a=1&b=2`, '<title>Only there</title>')
  if (!isFrugal) set('zeros.xml.gz', gzipSync(Buffer.alloc(60 * 1_024 * 1_024)), 'application/gzip')
  pages.set(`${SITE}/only-in-sitemap`, '<title>Only here</title>')
  const fault = (name: string): Planted => ({
    kind: 'sitemap_fault',
    address: `${SITE}/${name}`,
    page: `${SITE}/${name}`,
    label: 'sitemap',
  })
  const gone = (address: string, map: string): Planted => ({
    kind: 'sitemap_fault',
    address: `${SITE}/${address}`,
    page: `${SITE}/${map}`,
    label: 'sitemap',
  })
  const faulty = [
    'no-sitemap.xml',
    'no-map.xml',
    'bad-map.xml',
    'raw-map.xml',
    'inner-index.xml',
    ...(isFrugal ? [] : ['zeros.xml.gz', 'zeros.xml.gz']),
  ]
  return [gone('gone-too', 'map-a.xml'), gone('gone-as-well', 'map-b.xml.gz'), ...faulty.map(fault)]
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostName, isServiceHost, siteHost } from '../../../../src/core/status-pages/serving/page-host.ts'
import {
  type PageRoute,
  pageRoute,
  splitPagePath,
} from '../../../../src/core/status-pages/serving/page-route.ts'

const TOKEN = '0b4f3c1e-6f0e-4d3a-9d5e-0a1b2c3d4e5f'

const ROUTES: [below: string, route: PageRoute | null][] = [
  ['', { kind: 'page' }],
  ['/', { kind: 'page' }],
  ['//', null],
  ['/logo', { kind: 'logo' }],
  ['/logo/', null],
  ['/sign-in', { kind: 'sign_in' }],
  ['/subscribe', { kind: 'subscribe' }],
  ['/history/2026-11', { kind: 'month', month: '2026-11' }],
  ['/history/2026-13', null],
  ['/history/2026-00', null],
  ['/history/2026-11/x', null],
  ['/posts/41', { kind: 'post', id: 41 }],
  ['/posts/2147483647', { kind: 'post', id: 2_147_483_647 }],
  ['/posts/2147483648', null],
  ['/posts/041', null],
  ['/posts/x', null],
  [`/subscriptions/${TOKEN}`, { kind: 'subscription', token: TOKEN }],
  ['/subscriptions/', null],
  ['/assets/status-page.js', { kind: 'file', path: '/assets/status-page.js' }],
  ['/api/v2/summary.json', { kind: 'document', name: 'api/v2/summary.json', feedToken: null }],
  [
    '/api/v2/incidents/unresolved.json',
    { kind: 'document', name: 'api/v2/incidents/unresolved.json', feedToken: null },
  ],
  ['/api/v2/', null],
  ['/feed.rss', { kind: 'document', name: 'feed.rss', feedToken: null }],
  [`/private/${TOKEN}/feed.rss`, { kind: 'document', name: 'feed.rss', feedToken: TOKEN }],
  [`/private/${TOKEN}/`, null],
  [`/private/${TOKEN}/logo`, null],
  ['/private/feed.rss', null],
  ['/constructor', null],
]

describe('the path below a status page', () => {
  for (const [below, route] of ROUTES) {
    it(`'${below}' is ${route?.kind ?? 'nothing'}`, () => assert.deepEqual(pageRoute(below), route))
  }
})

const PATHS: [path: string, split: ReturnType<typeof splitPagePath>][] = [
  ['/status/acme', { slug: 'acme', below: '' }],
  ['/status/acme/', { slug: 'acme', below: '/' }],
  ['/status/acme-2/posts/1', { slug: 'acme-2', below: '/posts/1' }],
  ['/status', null],
  ['/status/', null],
  ['/status/Acme', null],
  ['/status/%61cme', null],
  ['/statuses/acme', null],
  ['/x/status/acme', null],
]

describe('the path of a status page', () => {
  for (const [path, split] of PATHS) {
    it(`${path} is ${split === null ? 'of no page' : `of ${split.slug}`}`, () =>
      assert.deepEqual(splitPagePath(path), split))
  }
})

const HOSTS: [header: string | undefined, name: string | null, isService: boolean][] = [
  ['upbeat.example.com', 'upbeat.example.com', true],
  ['UPBEAT.example.com.:443', 'upbeat.example.com', true],
  ['status.example.com', 'status.example.com', false],
  ['upbeat.example.com.evil.example', 'upbeat.example.com.evil.example', false],
  ['evil.example@upbeat.example.com', null, false],
  ['localhost:3000', 'localhost', true],
  ['127.0.0.1:3000', '127.0.0.1', true],
  ['203.0.113.9', '203.0.113.9', true],
  ['[::1]:3000', '::1', true],
  ['[2001:db8::1]', '2001:db8::1', true],
  ['', null, false],
  [undefined, null, false],
  ['a b', null, false],
]

describe('the host of a request', () => {
  for (const [header, name, isService] of HOSTS) {
    it(`'${header}' is ${isService ? "the service's own" : 'another'}`, () => {
      assert.equal(hostName(header), name)
      assert.equal(isServiceHost(hostName(header), siteHost('https://Upbeat.example.com:8443/')), isService)
    })
  }
})

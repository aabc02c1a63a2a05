import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AccessedRoute,
  type AccessTerms,
  type HostKind,
  type PageAccess,
  type PageViewer,
  pageAccess,
} from '../../../../src/core/status-pages/serving/page-access.ts'

const STRANGER: PageViewer = {
  isMember: false,
  passedPassword: false,
  clientAddress: '198.51.100.7',
  hasFeedToken: false,
}
const VIEWERS = {
  stranger: STRANGER,
  member: { ...STRANGER, isMember: true },
  guest: { ...STRANGER, passedPassword: true },
  neighbor: { ...STRANGER, clientAddress: '2001:db8:1::7' },
  reader: { ...STRANGER, hasFeedToken: true },
} satisfies Record<string, PageViewer>
type Viewer = keyof typeof VIEWERS

const pageOf = (visibility: AccessTerms['visibility'], isPublished = true): AccessTerms => ({
  isPublished,
  visibility,
  networks: ['192.0.2.0/24', '2001:db8:1::/48'],
})
const PAGES = {
  public: pageOf('public'),
  password: pageOf('password'),
  members: pageOf('members'),
  networks: pageOf('networks'),
  unpublished: pageOf('public', false),
  deleted: null,
}
type Page = keyof typeof PAGES

const HOSTS: HostKind[] = ['service', 'own_domain', 'foreign']
const ROUTES: AccessedRoute[] = ['page', 'document', 'sign_in', 'subscription']
const ALL = Object.keys(VIEWERS) as Viewer[]

/** All that is seen, as page, host and route, and by whom; everything else is not found. */
const SEEN: Record<string, Partial<Record<PageAccess, Viewer[]>>> = {
  'public service page': { shown: ALL },
  'public service document': { shown: ALL },
  'public service subscription': { shown: ALL },
  'public own_domain page': { shown: ALL },
  'public own_domain document': { shown: ALL },
  'public own_domain subscription': { shown: ALL },
  'password service page': { shown: ['member', 'guest'], password_form: ['stranger', 'neighbor', 'reader'] },
  'password service document': { shown: ['member', 'guest', 'reader'] },
  'password service sign_in': {
    shown: ['member', 'guest'],
    password_form: ['stranger', 'neighbor', 'reader'],
  },
  'password service subscription': { shown: ALL },
  'password own_domain page': {
    shown: ['guest'],
    password_form: ['stranger', 'member', 'neighbor', 'reader'],
  },
  'password own_domain document': { shown: ['guest', 'reader'] },
  'password own_domain sign_in': {
    shown: ['guest'],
    password_form: ['stranger', 'member', 'neighbor', 'reader'],
  },
  'password own_domain subscription': { shown: ALL },
  'members service page': { shown: ['member'] },
  'members service document': { shown: ['member', 'reader'] },
  'members service subscription': { shown: ALL },
  'networks service page': { shown: ['member', 'neighbor'] },
  'networks service document': { shown: ['member', 'neighbor', 'reader'] },
  'networks service subscription': { shown: ALL },
  'networks own_domain page': { shown: ['neighbor'] },
  'networks own_domain document': { shown: ['neighbor', 'reader'] },
  'networks own_domain subscription': { shown: ALL },
  'unpublished service page': { shown: ['member'] },
  'unpublished service document': { shown: ['member'] },
}

describe('access to a status page', () => {
  for (const page of Object.keys(PAGES) as Page[]) {
    for (const host of HOSTS) {
      for (const route of ROUTES) {
        it(`is decided for the ${route} of a page that is ${page}, on the host: ${host}`, () => {
          const told = SEEN[`${page} ${host} ${route}`] ?? {}
          for (const viewer of ALL) {
            const expected =
              (['shown', 'password_form'] as const).find((access) => told[access]?.includes(viewer)) ??
              'not_found'
            assert.equal(pageAccess(PAGES[page], host, VIEWERS[viewer], route), expected, viewer)
          }
        })
      }
    }
  }
})

/** A network, an address, and whether it is in. */
const NETWORKS: [network: string, address: string, isIn: boolean][] = [
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['192.0.2.0/24', '::ffff:192.0.2.9', true],
  ['192.0.2.0/24', '::ffff:c000:209', true],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['0.0.0.0/0', '203.0.113.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '2001:db8::1', true],
  ['::/0', '192.0.2.1', false],
  ['2001:db8:1::/48', '2001:DB8:1:ffff::1', true],
  ['2001:db8:1::/48', '2001:db8:2::1', false],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1', true],
  ['2001:db8::1', '2001:db8::2', false],
  ['::ffff:192.0.2.0/120', '192.0.2.77', true],
  ['::ffff:192.0.2.0/120', '192.0.3.77', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['192.0.2.0/24', '', false],
  ['192.0.2.0/24', 'unknown', false],
  ['192.0.2.0/24', '192.0.2.1, 10.0.0.1', false],
]

describe('a network that sees a page', () => {
  for (const [network, clientAddress, isIn] of NETWORKS) {
    it(`${network} ${isIn ? 'holds' : 'does not hold'} '${clientAddress}'`, () => {
      const page: AccessTerms = {
        isPublished: true,
        visibility: 'networks',
        networks: ['203.0.113.77', network],
      }
      const access = pageAccess(page, 'service', { ...STRANGER, clientAddress }, 'page')
      assert.equal(access, isIn ? 'shown' : 'not_found')
    })
  }
})

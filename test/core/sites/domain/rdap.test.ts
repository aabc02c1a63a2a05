import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptServices, rdapAddress, readRdap } from '../../../../src/core/sites/domain/rdap.ts'

const DATE = '2027-05-06T07:08:09Z'
const ended = (eventDate: unknown, eventAction = 'expiration') => ({ eventAction, eventDate })
const OTHERS = [
  { eventAction: 'registration', eventDate: '2020-05-06T07:08:09Z' },
  { eventAction: 'last update of RDAP database', eventDate: '2026-11-21T00:00:00Z' },
]
const about = (events: unknown, more: object = {}) => ({ ldhName: 'shop.com', events, ...more })

/** In the forms of registries: what is different about each, the answer, and what it says. */
const ANSWERS: [what: string, body: unknown, expected: string, statusCode?: number][] = [
  ['as gTLDs answer', about([...OTHERS, ended(DATE)]), '2027-05-06T07:08'],
  ['with the date first', about([ended(DATE), ...OTHERS]), '2027-05-06T07:08'],
  ['with the name in capitals', about([ended(DATE)], { ldhName: 'SHOP.COM' }), '2027-05-06T07:08'],
  ['with a final dot', about([ended(DATE)], { ldhName: 'shop.com.' }), '2027-05-06T07:08'],
  ['without a name', { events: [ended(DATE)] }, '2027-05-06T07:08'],
  ['with fractions of seconds', about([ended('2027-05-06T07:08:09.123456Z')]), '2027-05-06T07:08'],
  ['with an offset', about([ended('2027-05-06T09:08:09+02:00')]), '2027-05-06T07:08'],
  ['with an offset west of Greenwich', about([ended('2027-05-06T03:08:09-04:00')]), '2027-05-06T07:08'],
  ['without a zone, which is UTC', about([ended('2027-05-06T07:08:09')]), '2027-05-06T07:08'],
  ['with a day alone', about([ended('2027-05-06')]), '2027-05-06T00:00'],
  ['with a blank instead of T', about([ended('2027-05-06 07:08:09')]), '2027-05-06T07:08'],
  ['with a capital letter', about([ended(DATE, 'Expiration')]), '2027-05-06T07:08'],
  ['of a registrar', about([ended(DATE, 'registrar expiration')]), '2027-05-06T07:08'],
  [
    'of both, where the registry counts',
    about([ended('2026-12-01T00:00:00Z', 'registrar expiration'), ended(DATE)]),
    '2027-05-06T07:08',
  ],
  ['that ended before', about([ended('2026-01-01T00:00:00Z')]), '2026-01-01T00:00'],
  ['with events of unknown kinds', about([{ eventAction: 'x' }, {}, ended(DATE)]), '2027-05-06T07:08'],
  ['with statuses', about([ended(DATE)], { status: ['active', 'auto renew period'] }), '2027-05-06T07:08'],
  ['with statuses that are none', about([ended(DATE)], { status: 'active' }), '2027-05-06T07:08'],
  [
    'with all that a registry says',
    about([ended(DATE)], { entities: [{ roles: ['registrar'] }], secureDNS: {} }),
    '2027-05-06T07:08',
  ],
  ['that publishes no end', about(OTHERS), 'undated'],
  ['without events', { ldhName: 'shop.com', status: ['active'] }, 'undated'],
  ['with events that are none', about('none'), 'undated'],
  ['with a date that is none', about([ended('soon')]), 'undated'],
  ['with a date that no registration has', about([ended('9999-12-31T00:00:00Z')]), 'undated'],
  ['with a date of another type', about([ended(1_800_000_000)]), 'undated'],
  ['about another domain', about([ended(DATE)], { ldhName: 'other.com' }), 'unknown'],
  ['that is no object', [], 'unknown'],
  ['that is a page', '<html>', 'unknown'],
  ['that does not know the domain', { errorCode: 404 }, 'unregistered', 404],
  ['that is asked too often', { errorCode: 429 }, 'unknown', 429],
  ['that fails', '', 'unknown', 503],
  ['that refuses', { errorCode: 403 }, 'unknown', 403],
]

describe('an answer over RDAP', () => {
  for (const [what, body, expected, statusCode = 200] of ANSWERS)
    test(`${what}: ${expected}`, () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const found = readRdap({ statusCode, body: text }, 'shop.com')
      assert.equal(found.kind === 'dated' ? found.expiresAt.toISOString().slice(0, 16) : found.kind, expected)
    })
})

describe('the list of registries', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `tld${index}`)
  const list = (publication: string, tlds = names) => ({
    publication,
    services: [
      [tlds, ['http://plain.example', 'https://rdap.example/v1']],
      [['com'], ['https://com.example/']],
    ],
  })
  const known = acceptServices(JSON.stringify(list('2026-02-01T00:00:00Z')), {
    publication: '2026-01-01T00:00:00Z',
    services: [],
  })
  assert.ok(known)

  test('names the address for a domain, over TLS where it can', () => {
    assert.equal(rdapAddress(known, 'shop.com', 'com'), 'https://com.example/domain/shop.com')
    assert.equal(rdapAddress(known, 'a.tld7', 'tld7'), 'https://rdap.example/v1/domain/a.tld7')
    assert.equal(rdapAddress(known, 'shop.de', 'de'), null)
  })

  test('is replaced by one that is as new and whole, never by another', () => {
    const cases: [string, unknown, boolean][] = [
      ['a newer one', list('2026-03-01T00:00:00Z'), true],
      ['the same', list('2026-02-01T00:00:00Z'), true],
      ['an older one', list('2026-01-31T00:00:00Z'), false],
      ['one that is cut', list('2026-03-01T00:00:00Z', names.slice(0, 500)), false],
      [
        'one of other addresses',
        { ...list('2026-03-01T00:00:00Z'), services: [[names, ['file:///etc/passwd']]] },
        false,
      ],
      ['a page', '<html>', false],
    ]
    for (const [what, content, isAccepted] of cases)
      assert.equal(acceptServices(JSON.stringify(content), known) !== null, isAccepted, what)
  })
})

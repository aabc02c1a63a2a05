import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Registration } from '../../../../src/core/sites/domain/registration.ts'
import { readReferral, readWhois, whoisQuestion } from '../../../../src/core/sites/domain/whois.ts'

/** In short: the day of a date, or the kind. */
const shortOf = (found: Registration) =>
  found.kind === 'dated' ? found.expiresAt.toISOString().slice(0, 16) : found.kind

/** In the forms of registries, by their top-level domains; the names are made up. */
const ANSWERS: [topLevel: string, text: string, expected: string][] = [
  [
    'com',
    '   Domain Name: SHOP.COM\r\n   Updated Date: 2026-01-02T03:04:05Z\r\n   Registry Expiry Date: 2027-05-06T07:08:09Z\r\n   Domain Status: clientTransferProhibited\r\n',
    '2027-05-06T07:08',
  ],
  ['io', 'Domain Name: shop.io\nRegistry Expiry Date: 2027-05-06T07:08:09.0Z\n', '2027-05-06T07:08'],
  [
    'ru',
    'domain:        SHOP.RU\nstate:         REGISTERED\npaid-till:     2027-05-06T21:00:00Z\nfree-date:     2027-06-07\n',
    '2027-05-06T21:00',
  ],
  [
    'jp',
    '[Domain Name]                   SHOP.JP\n[Status]                        Active\n[Expires on]                    2027/05/06\n',
    '2027-05-06T00:00',
  ],
  [
    'cn',
    'Domain Name: shop.cn\nRegistration Time: 2020-05-06 07:08:09\nExpiration Time: 2027-05-06 07:08:09\n',
    '2027-05-06T07:08',
  ],
  [
    'kr',
    'Domain Name                 : shop.kr\nRegistered Date             : 2020. 05. 06.\nExpiration Date             : 2027. 05. 06.\n',
    '2027-05-06T00:00',
  ],
  [
    'it',
    'Domain:             shop.it\nStatus:             ok\nExpire Date:        2027-05-06\n',
    '2027-05-06T00:00',
  ],
  [
    'se',
    'state:            active\ndomain:           shop.se\nexpires:          2027-05-06\nmodified:         2026-05-06\n',
    '2027-05-06T00:00',
  ],
  [
    'uk',
    '    Relevant dates:\r\n        Registered on: 06-May-2020\r\n        Expiry date:  06-May-2027\r\n        Last updated:  01-May-2026\r\n',
    '2027-05-06T00:00',
  ],
  [
    'fi',
    'domain.............: shop.fi\nstatus.............: Registered\nexpires............: 6.5.2027 07:08:09\n',
    '2027-05-06T00:00',
  ],
  [
    'tr',
    '** Domain Name: shop.com.tr\nCreated on..............: 2020-May-06.\nExpires on..............: 2027-May-06.\n',
    '2027-05-06T00:00',
  ],
  [
    'mx',
    'Domain Name:       shop.mx\nCreated On:        2020-05-06\nExpiration Date:   2027-05-06\n',
    '2027-05-06T00:00',
  ],
  [
    'br',
    'domain:      shop.com.br\ncreated:     20200506 #1234\nexpires:     20270506\nstatus:      published\n',
    '2027-05-06T00:00',
  ],
  ['hk', 'Domain Name Commencement Date: 06-05-2020\nExpiry Date: 06-05-2027\n', '2027-05-06T00:00'],
  [
    'tw',
    'Domain Name: shop.tw\nRecord expires on 2027-05-06 07:08:09 (UTC+8)\nRecord created on 2020-05-06\n',
    '2027-05-06T07:08',
  ],
  [
    'dk',
    'Domain:               shop.dk\nRegistered:           2020-05-06\nExpires:              2027-05-06\n',
    '2027-05-06T00:00',
  ],
  [
    'pl',
    'DOMAIN NAME:           shop.pl\ncreated:               2020.05.06 07:08:09\nrenewal date:          2027.05.06 07:08:09\n',
    '2027-05-06T00:00',
  ],
  [
    'de',
    'Domain: shop.de\nNserver: ns1.shop.de\nStatus: connect\nChanged: 2026-05-06T07:08:09+02:00\n',
    'undated',
  ],
  ['eu', 'Domain: shop.eu\nScript: LATIN\n\nRegistrant:\n        NOT DISCLOSED!\n', 'undated'],
  ['ch', 'The domain name is not registered.\n', 'unregistered'],
  [
    'com',
    'No match for "SHOP.COM".\r\n>>> Last update of whois database: 2026-11-21T00:00:00Z <<<\r\n',
    'unregistered',
  ],
  ['de', 'Domain: shop.de\nStatus: free\n', 'unregistered'],
  ['nl', 'shop.nl is free\n', 'unregistered'],
  [
    'ai',
    'Domain Name: shop.ai\nDomain Status: No Object Found\n>>> Last update of WHOIS database: 2026-11-21T00:00:00Z <<<\n',
    'unregistered',
  ],
  ['org', 'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\n', 'unknown'],
  [
    'de',
    '% Error: 55000000002 Connection refused; access control limit exceeded. Try again later\n',
    'unknown',
  ],
  ['', ' \r\n', 'unknown'],
  [
    'fr',
    '%% RL Net [##########] - RL IP [..........]\n%%\n%% Too many requests...\n%%\n\n%% No entries found in the AFNIC Database.\n',
    'unknown',
  ],
  ['be', '% WHOIS shop.be\n% Maximum queries per hour reached (100)\n', 'unknown'],
  ['eu', '% WHOIS shop.eu\n-1: Still in grace period, wait 7777 seconds\n', 'unknown'],
  ['za', 'Please go away for 13 Seconds\n', 'unknown'],
  ['nz', 'domain_name: shop.co.nz\nquery_status: 440 Request Denied\n', 'unknown'],
  [
    'pe',
    'TERMS OF USE: You are not authorized to access or query our Whois\ndatabase by high-volume processes.\n\nQuery: shop.pe\nStatus: Active\n',
    'undated',
  ],
  [
    'pe',
    'TERMS OF USE: You are not authorized to access it.\nQuery: shop.pe\nStatus: Not Registered\n',
    'unregistered',
  ],
  ['pt', 'Data de expira\u00e7\u00e3o / Expiration Date (dd/mm/yyyy): 06/05/2027\n', '2027-05-06T00:00'],
  ['ug', 'Domain: shop.co.ug\nExpiry:             6th May, 2027\n', '2027-05-06T00:00'],
  ['fj', 'Expires:     6th May 2027\n', '2027-05-06T00:00'],
  ['mx', 'Expiration Date: 06-ago-2027\n', '2027-08-06T00:00'],
  ['es', '       Expiration Date:              06/05/27\n', '2027-05-06T00:00'],
  ['my', 'd [Record Expired]              06-MAY-2027\n', '2027-05-06T00:00'],
  ['ua', 'status:     OK-UNTIL 20270506121852\n', '2027-05-06T00:00'],
  ['ie', 'renewal:     06-May-2027\n', '2027-05-06T00:00'],
  ['tm', 'Expiry : 2027-05-06\n', '2027-05-06T00:00'],
  ['co.jp', '[State]                         Deleted (2027/05/06)\n', 'undated'],
  ['za', 'Available\nDomain: shop.co.za\n', 'unregistered'],
  ['cl', 'shop.cl: no existe\n', 'unregistered'],
  ['hu', 'Nincs tal\u00e1lat / No match\n', 'unregistered'],
  ['uz', 'Sorry, but domain: "shop.uz", not found in database\n', 'unregistered'],
  ['ch', 'We do not have an entry in our database matching your query.\n', 'unregistered'],
  [
    'ie',
    '% Not Registered - The domain you have requested is not a registered .ie domain name.\n',
    'unregistered',
  ],
  ['se', '"shop.se" not found.\n', 'unregistered'],
  ['com', 'Registry Expiry Date: 2027-02-31\nRegistry Expiry Date: 9999-01-01T00:00:00Z\n', 'undated'],
]

describe('an answer over WHOIS', () => {
  for (const [topLevel, text, expected] of ANSWERS)
    test(`of .${topLevel}: ${expected} (${text.trim().slice(0, 30).replace(/\s+/g, ' ')})`, () =>
      assert.equal(shortOf(readWhois(text)), expected))

  test('with a zone is read by it', () =>
    assert.equal(shortOf(readWhois('Expiry Date: 2027-05-06T01:00:00+0200')), '2027-05-05T23:00'))

  test('of IANA names the server of a top-level domain', () => {
    assert.equal(
      readReferral('domain: COM\nwhois:        WHOIS.registry.example\n'),
      'whois.registry.example',
    )
    for (const text of ['domain: ES\nstatus: ACTIVE\n', 'whois: localhost\n', 'whois: a;rm -rf\n', ''])
      assert.equal(readReferral(text), null, text)
  })

  test('is asked for as each registry wants it', () => {
    assert.equal(whoisQuestion('shop.com', 'com'), 'shop.com\r\n')
    assert.equal(whoisQuestion('shop.de', 'de'), '-T dn,ace shop.de\r\n')
  })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import * as z from 'zod'
import { readRdap } from '../../../../src/core/sites/domain/rdap.ts'
import type { Registration } from '../../../../src/core/sites/domain/registration.ts'
import { readWhois } from '../../../../src/core/sites/domain/whois.ts'

const RECORDED = new URL('./recorded/', import.meta.url)
const Answers = z.array(
  z.object({
    recordedBy: z.string(),
    domain: z.string(),
    statusCode: z.int(),
    answer: z.record(z.string(), z.unknown()),
  }),
)
const ANSWERS = Answers.parse(JSON.parse(readFileSync(new URL('rdap.json', RECORDED), 'utf8')))

/** Read by people: by recorder and domain. */
const RDAP: Record<string, string> = {
  'whodap abc.xyz': '2025-03-20 07:00',
  'whodap google.com': '2028-09-13 07:00',
  'whodap google.pw': '2022-02-10 08:00',
  'whodap amazon.cyou': '2021-05-14 00:00',
  'whodap amazon.ooo': '2021-10-23 00:00',
  'whodap bitcoin.org': '2029-08-18 13:19',
  'whodap bitcoin.top': '2021-11-17 16:00',
  'whodap deep.surf': '2021-07-01 14:05',
  'whodap you.tube': '2022-04-16 23:59',
  'whodap axe.pizza': '2027-01-13 06:23',
  'whodap bitcoin.cc': '2034-07-24 17:52',
  'whodap docs.new': '2026-11-29 20:20',
  'whodap namesilo.com': '2034-08-18 00:00',
  'whodap tesla.coffee': '2027-03-12 18:54',
  'icann-rdap home.moscow': '2024-10-19 19:28',
  'icann-rdap lemonde.fr': '2025-06-09 22:08',
  'icann-rdap nic.xyz': '2024-09-11 23:59',
  'icann-rdap microsoft.click': '2024-11-12 19:15',
  'icann-rdap afnic.fr': '2029-07-18 08:26',
  'openrdap example.cz': '2019-08-30 12:00',
  'whoisit themarquetry.com': '2022-03-16 17:07',
  'whoisit google.com': '2028-09-14 04:00',
  'whoisit example.com': '2021-08-13 04:00',
  'whoisit norway.no': 'undated',
  'markwatch bbc.co.uk': '2034-12-13 03:49',
  'markwatch google.ai': '2027-09-25 05:37',
  'markwatch google.info': '2027-07-31 23:57',
  'markwatch web.dev': '2027-10-29 15:57',
  'markwatch wikipedia.org': '2027-01-13 00:12',
  'markwatch markwatch-nonexistent-7f3kq9.org': 'unregistered',
  'uptime-kuma example.edu.kg': '2027-07-03 12:43',
  'uptime-kuma traficom.fi': 'undated',
}

const WHOIS: Record<string, string> = {
  'amazon.cz': '2021-10-28 00:00',
  'amazon.is': '2022-01-18 00:00',
  'amazon.tk': '2021-12-11 00:00',
  'google.by': '2023-02-09 00:00',
  'google.co.jp': '2024-03-31 00:00',
  'google.de': 'undated',
  'google.ee': '2020-11-09 00:00',
  'google.fi': '2020-07-04 00:00',
  'google.ge': '2021-07-29 00:00',
  'google.gg': 'undated',
  'google.ie': '2021-03-21 00:00',
  'google.nl': 'undated',
  'google.pl': '2022-09-18 00:00',
  'google.ru': '2021-03-04 21:00',
  'google.uk': '2020-06-11 00:00',
  'nobodys.kr': 'unregistered',
  'nobodys.nz': 'unregistered',
  'umich.edu': '2021-07-31 00:00',
}

const shortOf = (found: Registration) =>
  found.kind === 'dated' ? found.expiresAt.toISOString().slice(0, 16).replace('T', ' ') : found.kind

describe('an answer that a registry gave', () => {
  test('over RDAP is read as people read it', () => {
    const read = ANSWERS.map(({ recordedBy, domain, statusCode, answer }) => {
      const found = readRdap({ statusCode, body: JSON.stringify(answer) }, domain)
      return [`${recordedBy} ${domain}`, shortOf(found)]
    })
    assert.deepEqual(Object.fromEntries(read), RDAP)
    assert.ok(read.length >= 30)
  })

  test('over WHOIS is read as people read it', () => {
    const names = readdirSync(new URL('whois/', RECORDED))
    const read = names.map((name) => {
      const text = readFileSync(new URL(`whois/${name}`, RECORDED), 'utf8')
      return [name.replace(/\.txt$/, ''), shortOf(readWhois(text))]
    })
    assert.deepEqual(Object.fromEntries(read), WHOIS)
    assert.ok(read.length >= 15)
  })
})

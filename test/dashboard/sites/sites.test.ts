import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completeAddress, nameOfAddress } from '../../../dashboard/forms/sites/site-fields.ts'
import { dnsHistory } from '../../../dashboard/parts/sites/dns-changes.ts'
import { tabOf } from '../../../dashboard/parts/sites/finding-words.ts'
import { findingsCsv } from '../../../dashboard/parts/sites/findings-csv.ts'
import type { SiteFinding } from '../../../src/core/sites/site-finding.ts'

const at = (day: number) => `2026-11-0${day}T00:00:00.000000Z`

const FINDING: SiteFinding = {
  id: 1,
  area: 'links',
  kind: 'broken_link',
  address: 'https://e.com/a',
  detail: 'answered 404',
  sources: [
    { page: 'https://e.com/', label: '=HYPERLINK("x")' },
    { page: 'https://e.com/b', label: 'say "hi", twice' },
  ],
  first_seen_at: at(1),
  last_seen_at: at(2),
  confirmed_at: null,
  fixed_at: null,
  ignored_at: null,
  ignored_reason: null,
}

it('findings are exported with a line for each page, and no cell is a formula', () => {
  const [head, ...lines] = findingsCsv([FINDING]).trimEnd().split('\r\n')
  assert.equal(head?.split(',').length, 9)
  const times = `${at(1)},${at(2)},,`
  assert.deepEqual(lines, [
    `Broken link,https://e.com/a,answered 404,https://e.com/,"'=HYPERLINK(""x"")",${times}`,
    `Broken link,https://e.com/a,answered 404,https://e.com/b,"say ""hi"", twice",${times}`,
  ])
})

describe('findings are listed by what they mean', () => {
  for (const [tab, finding] of [
    ['told', {}],
    ['told', { kind: 'mixed_active' }],
    ['unjudged', { kind: 'unjudged' }],
    ['hints', { kind: 'soft_404' }],
    ['ignored', { ignored_at: at(3) }],
    ['fixed', { fixed_at: at(3), ignored_at: at(3) }],
  ] as const) {
    it(`${JSON.stringify(finding)}: ${tab}`, () => assert.equal(tabOf({ ...FINDING, ...finding }), tab))
  }
})

it('DNS records are shown as they stand, with what each change added and removed', () => {
  const set = (type: string, records: string[], first: number, last: number) => ({
    ...{ type, records, first_seen_at: at(first), last_seen_at: at(last) },
  })
  assert.deepEqual(
    dnsHistory([set('mx', ['b', 'c'], 3, 5), set('ns', ['n'], 1, 5), set('mx', ['a', 'b'], 1, 3)]),
    [
      {
        ...{ type: 'mx', records: ['b', 'c'], lastSeenAt: at(5) },
        changes: [{ at: at(3), added: ['c'], removed: ['a'] }],
      },
      { type: 'ns', records: ['n'], lastSeenAt: at(5), changes: [] },
    ],
  )
})

it('an address is completed as people type it, and gives the site a name', () => {
  assert.deepEqual(['e.com', ' https://e.com/ ', 'ftp://e.com', ''].map(completeAddress), [
    ...['https://e.com', 'https://e.com/', 'ftp://e.com', ''],
  ])
  assert.deepEqual(['https://www.e.com/a', 'nothing'].map(nameOfAddress), ['e.com', ''])
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { localeOf } from '../../dashboard/data/locale.ts'
import { type Checked, type Phases, phasesOf } from '../../dashboard/data/phases.ts'

describe('dates and numbers', () => {
  const cases: [language: string, locale: string, ago: string][] = [
    ['de-DE', 'en-GB', '29 minutes ago'],
    ['fr', 'en-GB', '29 minutes ago'],
    ['ja-JP', 'en-GB', '29 minutes ago'],
    ['en-US', 'en-US', '29 minutes ago'],
    ['en', 'en', '29 minutes ago'],
    ['en-US@posix', 'en-US', '29 minutes ago'],
    ['en-', 'en-GB', '29 minutes ago'],
    ['', 'en-GB', '29 minutes ago'],
  ]
  for (const [language, locale, ago] of cases) {
    it(`have English words in a browser that speaks ${language}, as everything around them`, () => {
      assert.equal(localeOf(language), locale)
      assert.equal(new Intl.RelativeTimeFormat(localeOf(language)).format(-29, 'minute'), ago)
    })
  }
})

describe('the phases of a check', () => {
  const phases = (...ms: (number | null)[]): Phases => {
    const [dns_ms = null, connect_ms = null, tls_ms = null, first_byte_ms = null, transfer_ms = null] = ms
    return { dns_ms, connect_ms, tls_ms, first_byte_ms, transfer_ms }
  }
  const plain: Checked = { type: 'http', target: 'http://shop.example' }
  const secure: Checked = { type: 'http', target: 'https://shop.example' }
  const cases: [what: string, of: Checked, status: 'up' | 'down', phases: Phases, shown: string][] = [
    ['one over plain http that passed', plain, 'up', phases(1, 2, null, 3), 'dns connect first_byte'],
    ['one over TLS that passed', secure, 'up', phases(1, 2, 3, 4), 'dns connect tls first_byte'],
    ['one over plain http that got no connection', plain, 'down', phases(1), 'dns connect first_byte'],
    ['one over TLS that got no connection', secure, 'down', phases(1), 'dns connect tls first_byte'],
    ['one of a redirect to TLS', plain, 'up', phases(1, 2, 3, 4), 'dns connect tls first_byte'],
    ['one of a port', { type: 'tcp', target: 'db:5432' }, 'down', phases(1), 'dns connect'],
    [
      'one of a page',
      { ...secure, type: 'keyword' },
      'down',
      phases(1, 2, 3, 4),
      'dns connect tls first_byte transfer',
    ],
    ['one of an address', plain, 'up', phases(null, 2, null, 3), 'connect first_byte'],
  ]
  for (const [what, of, status, measured, shown] of cases) {
    it(`of ${what}: ${shown}`, () => {
      const names = phasesOf(of, { status, phases: measured })
      assert.equal(names.map((name) => name.replace('_ms', '')).join(' '), shown)
    })
  }
})

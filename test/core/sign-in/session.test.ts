import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isOwnOrigin, sessionExpiry } from '../../../src/core/sign-in/session.ts'

const SITE = 'https://up.example.com/upbeat'

/** Origin and Host of a request, and whether it comes from our own pages. */
const ORIGINS: [origin: string | undefined, host: string | undefined, isOwn: boolean][] = [
  ['https://up.example.com', 'up.example.com', true],
  ['https://up.example.com', 'internal:3000', true],
  ['https://10.0.0.5:3000', '10.0.0.5:3000', true],
  [undefined, 'up.example.com', true],
  ['https://evil.example', 'up.example.com', false],
  ['https://up.example.com.evil.example', 'up.example.com', false],
  ['http://up.example.com', 'up.example.com', false],
  ['https://up.example.com:8443', 'up.example.com', false],
  ['null', 'up.example.com', false],
  ['', 'up.example.com', false],
  ['https://evil.example', undefined, false],
]

describe('a request from our own pages', () => {
  for (const [origin, host, isOwn] of ORIGINS) {
    it(`${isOwn ? 'is' : 'is not'} one with the origin ${origin} at the host ${host}`, () => {
      assert.equal(isOwnOrigin(origin, host, SITE), isOwn)
    })
  }
})

describe('a session', () => {
  const created = new Date('2026-01-01T00:00:00Z')
  const cases: [usedAt: string, ends: string][] = [
    ['2026-01-01T00:00:00Z', '2026-01-15T00:00:00.000Z'],
    ['2026-03-18T00:00:00Z', '2026-04-01T00:00:00.000Z'],
    ['2026-03-18T00:00:01Z', '2026-04-01T00:00:00.000Z'],
    ['2026-03-31T23:59:59Z', '2026-04-01T00:00:00.000Z'],
  ]
  for (const [usedAt, ends] of cases) {
    it(`of January that is used at ${usedAt} ends at ${ends}`, () => {
      assert.equal(sessionExpiry(created, new Date(usedAt)).toISOString(), ends)
    })
  }
})

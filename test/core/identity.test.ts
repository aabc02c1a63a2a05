import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mayClaim, safeReturnPath } from '../../src/core/identity.ts'

describe('after a sign-in one goes to a path of this service and nowhere else', () => {
  const table: [asked: string | null | undefined, path: string][] = [
    ['/', '/'],
    ['/monitors/7?tab=checks#newest', '/monitors/7?tab=checks#newest'],
    ['/a//b', '/a//b'],
    ['', '/'],
    [null, '/'],
    [undefined, '/'],
    ['monitors', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/x\\evil', '/'],
    ['\\\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/\t/evil.example', '/'],
    ['/\r\nset-cookie:x', '/'],
    [' /x', '/'],
    ['/é', '/'],
    [`/${'x'.repeat(1_499)}`, `/${'x'.repeat(1_499)}`],
    [`/${'x'.repeat(1_500)}`, '/'],
  ]
  for (const [asked, path] of table) {
    test(`${JSON.stringify(asked)?.slice(0, 40)} leads to ${path.slice(0, 40)}`, () => {
      assert.equal(safeReturnPath(asked), path)
      assert.equal(new URL(`https://up.example.com${path}`).origin, 'https://up.example.com')
      assert.equal(new URL(path, 'https://up.example.com').origin, 'https://up.example.com')
    })
  }
})

describe('whose account an address opens', () => {
  const at = new Date('2026-11-21T09:30:00Z')
  const table: [what: string, emailVerifiedAt: Date | null, signedUpAt: Date | null, may: boolean][] = [
    ['one that somebody else made, confirmed', at, null, true],
    ['one that somebody else made, not confirmed', null, null, true],
    ['one made for oneself, confirmed', at, at, true],
    ['one made for oneself, not confirmed', null, at, false],
  ]
  for (const [what, emailVerifiedAt, signedUpAt, may] of table) {
    test(`${what}: ${may}`, () => assert.equal(mayClaim({ emailVerifiedAt, signedUpAt }), may))
  }
})

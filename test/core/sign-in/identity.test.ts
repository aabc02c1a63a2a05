import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { safeReturnPath } from '../../../src/core/sign-in/identity.ts'

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

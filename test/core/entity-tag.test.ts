import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchesEtag } from '../../src/core/entity-tag.ts'

describe('a version is known to who names its tag', () => {
  const table: [ifNoneMatch: string | undefined, is: boolean][] = [
    [undefined, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['"a-gzip"', false],
    ['a', false],
    ['', false],
  ]
  for (const [ifNoneMatch, is] of table) {
    test(`${ifNoneMatch}: ${is}`, () => assert.equal(matchesEtag(ifNoneMatch, '"a"'), is))
  }
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codePoints, cut, label, text, withoutEnd } from '../../src/core/text.ts'

describe('text that a person reads', () => {
  const table: [value: string, fault: string | null][] = [
    ['Shop', null],
    ['日本語 👩‍🚀', null],
    ['x'.repeat(10), null],
    ['👍'.repeat(10), null],
    ['x'.repeat(11), 'must be at most 10 characters, got 11'],
    ['👍'.repeat(11), 'must be at most 10 characters, got 11'],
    ['', 'must not be empty'],
    [' \t ', 'must not be empty'],
    ['a\nb', 'must not contain control or invisible characters, got U+000A at position 2'],
    ['a\u0085b', 'must not contain control or invisible characters, got U+0085 at position 2'],
    ['a\u007fb', 'must not contain control or invisible characters, got U+007F at position 2'],
    ['a\ud800b', 'must be valid Unicode, got a lone surrogate'],
  ]
  for (const [value, fault] of table) {
    test(`${JSON.stringify(value)}: ${fault ?? 'fine'}`, () => {
      const parsed = label(10).safeParse(value)
      assert.equal(parsed.error?.issues[0]?.message ?? null, fault)
    })
  }
})

test('any other text may have lines, but no NUL', () => {
  assert.equal(text(10).safeParse('a\nb\t').success, true)
  assert.equal(text(10).safeParse('').success, true)
  assert.equal(text(10).safeParse('a\0b').error?.issues[0]?.message, 'must not contain a NUL character')
})

test('lengths count code points, and cutting never parts one', () => {
  assert.equal(codePoints('a👍é'), 3)
  assert.equal(cut('👍👍👍', 3), '👍👍👍')
  assert.equal(cut('👍👍👍👍', 3), '👍👍…')
})

test('repetitions at an end are taken away as fast as they are read', () => {
  assert.equal(withoutEnd('a\n\n\n', '\n'), 'a')
  assert.equal(withoutEnd('\n\n', '\n'), '')
  const inTheMiddle = `${'\n'.repeat(1_000_000)}x`
  assert.equal(withoutEnd(inTheMiddle, '\n'), inTheMiddle)
})

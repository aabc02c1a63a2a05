import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createTextSearch } from '../../../src/probes/bodies/text-search.ts'

const UTF8 = 'text/html; charset=utf-8'

/** Whether a text is found in bytes that arrive in pieces which end there. */
function isFound(wanted: string, bytes: Buffer, ends: readonly number[], contentType = UTF8): boolean {
  const search = createTextSearch(wanted, contentType)
  const places = [...new Set([...ends, bytes.length])]
    .filter((end) => end <= bytes.length)
    .sort((a, b) => a - b)
  let from = 0
  for (const end of places) {
    if (search.add(bytes.subarray(from, end))) return true
    from = end
  }
  return search.end()
}

describe('a text in pieces', () => {
  const word = 'Zoë, tiếng Việt, 한국어, Å'
  const forms = [word, word.normalize('NFD'), `${word.normalize('NFD').slice(0, -2)}\u212b`]

  for (const [index, written] of forms.entries()) {
    for (const [asked, wanted] of forms.entries()) {
      test(`is found in form ${asked} when it is written in form ${index}, wherever it is cut`, () => {
        const bytes = Buffer.from(`--- ${written} ---`)
        for (let end = 1; end < bytes.length; end++) assert.ok(isFound(wanted, bytes, [end]), `cut at ${end}`)
        const each = Array.from(bytes, (_, at) => at)
        assert.ok(isFound(wanted, bytes, each), 'byte by byte')
      })
    }
  }

  test('is found where it is, as it is or composed, and nowhere else', () => {
    const letter = fc.constantFrom(
      'a',
      'e',
      'é',
      'e\u0301',
      '\u0301',
      '\u0323',
      'ẹ',
      '가',
      '\u1100',
      '\u1161',
      '\u{2f800}',
    )
    const text = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(''))
    const wantedText = fc.array(letter, { minLength: 1, maxLength: 3 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(text, wantedText, fc.array(fc.nat(40), { maxLength: 5 }), (written, wanted, ends) => {
        const bytes = Buffer.from(`x${written}x`)
        const isThere =
          written.includes(wanted) || `x${written}x`.normalize('NFC').includes(wanted.normalize('NFC'))
        // A keyword begins with a letter, not with the mark of another.
        fc.pre(!/^[\u0301\u0323\u1161]/.test(wanted))
        // Cut apart, the beginning of what composes with the next piece may be found before that comes.
        if (isThere) assert.ok(isFound(wanted, bytes, ends))
        assert.equal(isFound(wanted, bytes, []), isThere)
      }),
      { seed: 34, numRuns: 5_000 },
    )
  })

  test('is found at once, before an encoding could be declared', () => {
    for (const contentType of [UTF8, '']) {
      const search = createTextSearch('Zoë', contentType)
      assert.equal(search.add(Buffer.from('<p>Zoe')), false)
      assert.equal(search.add(Buffer.from('\u0308')), true)
    }
  })

  test('is read by a declaration within the first 8 kB, and as UTF-8 by one behind', () => {
    const page = (before: number) =>
      Buffer.from(`${' '.repeat(before)}<meta charset=latin1>${' '.repeat(9_000)}Zoë`, 'latin1')
    for (const ends of [[], [100], [100, 5_000, 8_191], [8_192]]) {
      assert.ok(isFound('Zoë', page(8_000), ends, 'text/html'))
      assert.ok(!isFound('Zoë', page(8_192), ends, 'text/html'))
    }
  })
})

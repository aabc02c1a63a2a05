import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  hiddenCharacter,
  hiddenFault,
  shownLine,
  shownLines,
  shownTexts,
} from '../../../src/core/language/hidden-characters.ts'
import { label } from '../../../src/core/text.ts'

describe('characters that hide or turn others', () => {
  const HIDDEN: [what: string, text: string, code: string, shown: string][] = [
    ['an override of the direction', 'abc\u202egnp.exe', 'U+202E', 'abc�gnp.exe'],
    ...[...'\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c'].map(
      (character): [string, string, string, string] => [
        'a control of the direction',
        `abc${character}d`,
        `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
        'abc�d',
      ],
    ),
    ['no width', 'abc\u200bd', 'U+200B', 'abc�d'],
    ['a joiner between Latin letters', 'abc\u200dd', 'U+200D', 'abc�d'],
    ['a non-joiner between Latin letters', 'abc\u200cd', 'U+200C', 'abc�d'],
    ['a word joiner', 'abc\u2060d', 'U+2060', 'abc�d'],
    ['a byte order mark', 'abc\ufeffd', 'U+FEFF', 'abc�d'],
    ['a soft hyphen', 'abc\u00add', 'U+00AD', 'abcd'],
    ['a bell', 'abc\u0007d', 'U+0007', 'abc d'],
    ['a control of Latin-1', 'abc\u0085d', 'U+0085', 'abc d'],
    ['a line separator', 'abc\u2028d', 'U+2028', 'abc d'],
    ['a paragraph separator', 'abc\u2029d', 'U+2029', 'abc d'],
    ['a tag without a flag', 'abc\u{e0041}', 'U+E0041', 'abc�'],
    ['an annotation', 'abc\ufff9d', 'U+FFF9', 'abc�d'],
    ['a filler', 'abc\u3164d', 'U+3164', 'abc�d'],
    ['a selector behind a letter', 'abc\ufe0fd', 'U+FE0F', 'abc�d'],
    ['a selector of text behind a letter', 'abc\ufe0e', 'U+FE0E', 'abc�'],
    ['a selector of mathematics behind a letter', 'abc\ufe00d', 'U+FE00', 'abc�d'],
    ['a selector behind a digit that is no key', 'ab1\ufe0f', 'U+FE0F', 'ab1�'],
    ['a selector behind a mark', 'abe\u0301\ufe0f'.normalize('NFC'), 'U+FE0F', 'abé�'],
    ['a selector of Chinese characters behind a letter', 'abc\u{e0100}', 'U+E0100', 'abc�'],
    ['a selector of Mongolian behind a letter', 'abc\u180b', 'U+180B', 'abc�'],
    ['a blank of Braille behind a letter', 'abc\u2800', 'U+2800', 'abc�'],
    ['a null notehead', 'abc\u{1d159}d', 'U+1D159', 'abc�d'],
    ['a place of an object', 'abc\ufffcd', 'U+FFFC', 'abc�d'],
    ['a filler of Khitan', 'abc\u{16fe4}', 'U+16FE4', 'abc�'],
    ['a blank hieroglyph', 'abc\u{13441}', 'U+13441', 'abc�'],
    ['half a blank hieroglyph', 'abc\u{13442}d', 'U+13442', 'abc�d'],
    ['a second selector', 'a❤\ufe0f\ufe0f', 'U+FE0F', 'a❤\ufe0f�'],
  ]
  for (const [what, text, code, shown] of HIDDEN) {
    it(`are named by their code and place, and seen where they stand: ${what}, ${code}`, () => {
      const position = [...'abc'].length + 1
      assert.deepEqual(hiddenCharacter(text, 'line'), { code, position })
      assert.equal(hiddenCharacter(text, 'lines')?.code, code)
      assert.equal(shownLine(text), shown)
      assert.equal(hiddenCharacter(shownLine(text), 'line'), null)
    })
  }

  it('are no name alone, whatever letters and signs are drawn as nothing', () => {
    const name = label(255)
    const every = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
    const blank = every.filter(
      (character) => /[\p{L}\p{S}\p{N}\p{Z}]/u.test(character) && /[\s\p{DI}]/u.test(character),
    )
    assert.ok(
      ['\u115f', '\u1160', '\u3164', '\uffa0', '\u3000', '\u00a0'].every((one) => blank.includes(one)),
    )
    for (const one of [...blank, '\u2800', '\u{1d159}', '\ufffc', '\u{16fe4}', '\u{13441}', '\u{13442}']) {
      for (const text of [one, one.repeat(8), ` ${one}\u3000${one}`]) {
        assert.equal(name.safeParse(text).success, false, `U+${one.codePointAt(0)?.toString(16)}`)
      }
    }
  })

  it('are counted in code points', () => {
    const fault = hiddenFault('😀😀\u202e', 'line')
    assert.deepEqual(fault?.values, { code: 'U+202E', position: 3 })
  })

  const AT_HOME: [what: string, text: string][] = [
    ['a family', '👨‍👩‍👧'],
    ['a person with a colour and a job', '👩🏽‍🚀'],
    ['flags', '🏳️‍🌈🏴‍☠️🇩🇪'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a key', '1️⃣'],
    ['Persian', 'می\u200cخواهم'],
    ['Hindi', 'क्\u200dष क्\u200cष'],
    ['Bengali', 'র\u200d্য'],
    ['Sinhala', 'ක්\u200dර'],
    ['a variant of a Chinese character', '葛\u{e0100}'],
    ['variants of signs', '✓\ufe0f ©\ufe0e ‼\ufe0f →\ufe0e ∩\ufe00 #️⃣'],
    ['Mongolian', 'ᠠ\u180b'],
    ['Braille', '\u2800⠓⠊\u2800⠞⠓⠑⠗⠑\u2800\u2800'],
    ['a note of stems', '\u{1d159}\u{1d165}'],
    ['hieroglyphs', '\u{13000}\u{13441}'],
    ['Hebrew, Arabic, Japanese, Thai', 'שלום مرحبا 日本語 สวัสดี'],
    ['marks apart from their letter', 'e\u0301'],
    ['spaces of typography', '1\u00a0000\u202f€\u2009–'],
  ]
  for (const [what, text] of AT_HOME) {
    it(`are left where they belong to what is written: ${what}`, () => {
      assert.equal(hiddenCharacter(text, 'line'), null)
      assert.equal(shownLine(text), text)
    })
  }

  it('do not stand in prose either, which has lines and tabs', () => {
    const prose = '# Disk\r\n\r\n\t- full\n'
    assert.equal(hiddenCharacter(prose, 'lines'), null)
    assert.equal(hiddenCharacter(prose, 'line')?.code, 'U+000D')
    assert.equal(shownLines(`${prose}\u202e`), `${prose}�`)
    assert.equal(shownLine(prose), '# Disk - full ')
  })

  it('are seen in every text of an answer, except in what is compared or sent as it is', () => {
    const plain = { name: 'Shop', tags: ['a'] }
    const at = new Date(0)
    const answer = {
      list: [plain, { name: 'a\u202eb', at }],
      url: 'https://shop.example/\u202ex',
      expected_keyword: 'a\u200eb',
      request_headers: { 'x-a': 'a\u200eb' },
      options: { send: 'a\u200eb', assertions: [{ source: 'body', target: 'a\u200eb' }] },
    }
    const shown = shownTexts(answer)
    assert.deepEqual(shown, {
      list: [plain, { name: 'a�b', at }],
      url: 'https://shop.example/%E2%80%AEx',
      expected_keyword: 'a\u200eb',
      request_headers: { 'x-a': 'a\u200eb' },
      options: { send: 'a\u200eb', assertions: [{ source: 'body', target: 'a\u200eb' }] },
    })
    assert.equal(new URL(shown.url).href, new URL(answer.url).href)
    assert.equal(shown.list[0], plain)
    assert.equal(shownTexts(plain), plain)
  })
})

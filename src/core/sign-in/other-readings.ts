/*
 * A password as an attacker's list has it: without what an estimate takes for hard and people add by habit. Each reading
 * is judged like the password itself.
 */

import { codePoints } from '../text.ts'

export const SIGNS = /[^\p{L}\p{M}\p{N}]+/gu
const ACCENTS = /(?<=\p{Script=Latin}\p{M}*)\p{M}/gu
/** A longer name stands before its beginning. */
const MONTH =
  /january|januar|jan|february|februar|feb|march|märz|maerz|mar|april|apr|may|mai|june|juni|jun|july|juli|jul|august|aug|september|sept|sep|october|oktober|oct|okt|november|nov|december|dezember|dec|dez/i

/** The accent of Greek words, which marks the stress in Russian ones. */
const STRESS = /\u0301/g

/** Years at the beginning or the end, with the signs around them. */
const YEARS =
  /^(?:[^\p{L}\p{M}\p{N}]*(?:19|20)\d\d(?!\d))+[^\p{L}\p{M}\p{N}]*|[^\p{L}\p{M}\p{N}]*(?:(?<!\d)(?:19|20)\d\d[^\p{L}\p{M}\p{N}]*)+$/gu

/** Letters of other keyboards, and what the same keys write on a Latin one. */
const LAYOUTS: readonly (readonly [letters: string, keys: string])[] = [
  ['йцукенгшщзхъфывапролджэячсмитьбюё', "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"],
  ['іїєґў', "s]'\\o"],
  ['ςερτυθιοπασδφγηξκλζχψωβνμ', 'wertyuiopasdfghjklzxcvbnm'],
  ['קראטוןםפשדגכעיחלךףזסבהנמצתץ', 'ertyuiopasdfghjkl;zxcvbnm,.'],
  ['ضصثقفغعهخحجدشسيبلاتنمكطئءؤرىةوز', "qwertyuiop[]asdfghjkl;'zxcvnm,."],
]

/** Cyrillic and Greek letters, and how their words are written in Latin ones. */
const SOUNDS: readonly (readonly [letters: string, sounds: string])[] = [
  [
    'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў',
    "a b v g d e e zh z i y k l m n o p r s t u f h ts ch sh shch ' y ' e yu ya i yi ye g u",
  ],
  ['αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'],
]

const KEYS = tableOf(LAYOUTS.map(([letters, keys]) => [letters, [...keys]]))
const LATIN = tableOf(SOUNDS.map(([letters, sounds]) => [letters, sounds.split(' ')]))

/**
 * The readings that differ from the password: without accents, in Latin letters, by its keys, each also without years at
 * its ends; without a separator between all characters or between the same word again; and with a month as figures where
 * it is the only word.
 */
export function otherReadings(password: string): string[] {
  const plain = password.normalize('NFD').replaceAll(ACCENTS, '').normalize('NFC')
  const spellings = [plain, written(plain, LATIN), written(plain, KEYS)]
  const readings = [...spellings, ...spellings.map((spelling) => spelling.replaceAll(YEARS, ''))]
  const pieces = password.toLowerCase().split(SIGNS).filter(Boolean)
  const isSpelt = pieces.length > 2 && pieces.every((piece) => codePoints(piece) === 1)
  const isRepeated = pieces.length > 1 && new Set(pieces).size === 1
  if (isSpelt || isRepeated) readings.push(pieces.join(''))
  const asFigures = password.replace(MONTH, '01')
  if (!/\p{L}/u.test(asFigures)) readings.push(asFigures.replaceAll(SIGNS, ''))
  return [...new Set(readings)].filter((reading) => reading !== password)
}

function written(password: string, table: ReadonlyMap<string, string>): string {
  return Array.from(password, (character) => {
    const letter = character.toLowerCase().normalize('NFD').replaceAll(STRESS, '').normalize('NFC')
    return table.get(letter) ?? character
  }).join('')
}

function tableOf(rows: [letters: string, replacements: string[]][]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(([letters, replacements]) =>
      Array.from(letters, (letter, index) => [letter, replacements[index] ?? ''] as const),
    ),
  )
}

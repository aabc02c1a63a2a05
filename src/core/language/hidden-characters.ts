import { type Said, said } from './said.ts'

/*
 * Characters that nobody sees, but that change what is read: they turn the direction of their neighbours, hide a
 * difference between two names, end a line or move a cursor. The properties are Unicode's: controls, line and paragraph
 * separators, `Bidi_Control`, `Default_Ignorable_Code_Point`, and the interlinear annotations. No property tells of letters and
 * signs that are drawn as nothing, though they are no spaces.
 */

/**
 * The object replacement character, the blank of Braille, the null notehead of music, the filler of Khitan, and the blanks
 * of Egyptian hieroglyphs. Fillers of Hangul are ignorable by their property.
 */
const BLANK = String.raw`\ufffc\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}`
const HIDDEN = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb${BLANK}]`

/** Letters of scripts whose letters join, in which U+200C keeps two of them apart. */
const JOINING = String.raw`(?=\p{L})[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Adlm}\p{scx=Rohg}]`

/** Marks that join two consonants: canonical combining class 9 (virama). */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]`

const FLAG_TAGS = String.raw`[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]`

/** Where such a character belongs to what is written, as one look-ahead each. */
const AT_HOME = [
  // RFC 5892, appendix A.1 and A.2 (CONTEXTJ), and Bengali, which writes U+200D before the virama.
  `(?<=${VIRAMA})[\\u200c\\u200d]`,
  `[\\u200c\\u200d](?=${VIRAMA})`,
  `(?<=${JOINING}\\p{Mn}*)\\u200c(?=\\p{Mn}*${JOINING})`,
  // UTS #51: parts of an emoji, and flags of regions.
  String.raw`(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})`,
  // One selector of a variant, behind what may have variants: elsewhere it is seen by nobody and tells two names apart.
  String.raw`(?<=[\p{S}\p{Extended_Pictographic}])[\ufe0e\ufe0f]`,
  String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=[\p{S}\p{scx=Han}\p{scx=Mymr}\p{scx=Phag}])[\ufe00-\ufe0d]`,
  String.raw`(?<=\p{L}(?<=\p{scx=Mong}))[\u180b-\u180d\u180f]`,
  String.raw`(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}]`,
  // Blanks beside what is written with them.
  String.raw`(?<=[\u2801-\u28ff]\u2800*)\u2800`,
  String.raw`\u2800(?=\u2800*[\u2801-\u28ff])`,
  String.raw`\u{1d159}(?=[\u{1d165}-\u{1d172}])`,
  String.raw`(?<=\p{scx=Kits})\u{16fe4}`,
  String.raw`(?<=[\u{13000}-\u{1342f}][\u{13430}-\u{13446}]*)[\u{13441}\u{13442}]`,
  String.raw`(?<=\u{1f3f4}${FLAG_TAGS}{0,6})${FLAG_TAGS}`,
  String.raw`(?<=\u{1f3f4}${FLAG_TAGS}{1,6})\u{e007f}`,
]

const ANY = new RegExp(HIDDEN, 'u')
/** Most texts are such, which is seen many times faster than by the properties of Unicode. */
const IS_PRINTABLE_ASCII = /^[ -~]*$/
const ANYWHERE = new RegExp(`(?!${AT_HOME.join('|')})${HIDDEN}`, 'gu')
/** Texts of several lines have these. */
const IS_LAYOUT = /^[\t\n\r]$/
const SEPARATES = /[\p{Cc}\p{Zl}\p{Zp}]/u
/** The hint where a word may be divided is no part of it. */
const SOFT_HYPHEN = '\u00ad'

export type TextKind = 'line' | 'lines'

/** The first hidden character, as `U+202E`, and its place, counted in code points from 1; null if there is none. */
export function hiddenCharacter(text: string, kind: TextKind): { code: string; position: number } | null {
  for (const { 0: character, index } of matchesOf(text)) {
    if (kind === 'lines' && IS_LAYOUT.test(character)) continue
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return { code: `U+${code}`, position: [...text.slice(0, index)].length + 1 }
  }
  return null
}

/** The fault of a text that is being written; null if there is none. */
export function hiddenFault(text: string, kind: TextKind): Said | null {
  const found = hiddenCharacter(text, kind)
  return (
    found &&
    said('must not contain control or invisible characters, got {code} at position {position}', found)
  )
}

/**
 * Text from outside, or from before the rule, on one line: what separates becomes a space, and what would hide or turn
 * its neighbours becomes `�`, so that it is seen.
 */
export function shownLine(text: string): string {
  return hasHidden(text) ? replaced(text, () => false).replaceAll(/ {2,}/g, ' ') : text
}

/** The same with its lines and tabs. */
export function shownLines(text: string): string {
  if (!hasHidden(text)) return text
  return replaced(text, (character) => IS_LAYOUT.test(character))
}

function replaced(text: string, isKept: (character: string) => boolean): string {
  return text.replaceAll(ANYWHERE, (character) => {
    if (isKept(character)) return character
    if (character === SOFT_HYPHEN) return ''
    return SEPARATES.test(character) ? ' ' : '\ufffd'
  })
}

function hasHidden(text: string): boolean {
  return !IS_PRINTABLE_ASCII.test(text) && ANY.test(text)
}

function matchesOf(text: string): Iterable<RegExpExecArray> {
  return hasHidden(text) ? text.matchAll(ANYWHERE) : []
}

/** Members whose text is compared or sent as it is, and comes back when a record is saved. */
const EXACT: ReadonlySet<string> = new Set([
  'expected_keyword',
  'username',
  'password',
  'request_headers',
  'options',
])

/**
 * All texts of a value as `shownLines` shows them, in place of those that need it; the rest is the same object. In an
 * address the characters are percent-encoded, which leads to the same place.
 */
export function shownTexts<Value>(value: Value): Value {
  return shown(value) as Value
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return hasHidden(value) ? shownText(value) : value
  if (typeof value !== 'object' || value === null) return value
  // Answers pass here one by one and have nothing to replace: only what has is copied.
  if (Array.isArray(value)) return value.some((member) => shown(member) !== member) ? value.map(shown) : value
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  let copy: Record<string, unknown> | null = null
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    const text = EXACT.has(key) ? member : shown(member)
    if (text === member) continue
    copy ??= { ...value }
    copy[key] = text
  }
  return copy ?? value
}

function shownText(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text)
    ? text.replaceAll(ANYWHERE, (character) => encodeURIComponent(character.toWellFormed()))
    : shownLines(text)
}

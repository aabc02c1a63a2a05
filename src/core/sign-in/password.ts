import { issueOf, type Said, said } from '../language/said.ts'
import { codePoints, text } from '../text.ts'
import { otherReadings, SIGNS } from './other-readings.ts'

export const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 1_024
/** Estimating takes more than linear time; what begins with so many hard characters is hard. */
const MAX_ESTIMATED_LENGTH = 48
/** As many guesses as for eight random characters. Argon2id and the limits of signing in do the rest. */
const MIN_GUESSES_LOG10 = 7.99
/** The least that must be left of a password without the names that anybody would begin with. */
const MIN_REST_LOG10 = 5.99
/** Shorter parts of names are in too many words. */
const MIN_NAME_PART = 3
const MAX_NAMES = 100
/** Between two letters of a name that is written apart. */
const MAX_SIGNS_BETWEEN = 3

/** A password as entered: any text, because the rules apply only when a password is set. */
export const TriedPassword = text(MAX_PASSWORD_LENGTH)

/** A password being set. `passwordFault` applies the rules that depend on the account. */
export const Password = text(MAX_PASSWORD_LENGTH).superRefine((value, context) => {
  if (codePoints(value) < MIN_PASSWORD_LENGTH) {
    context.addIssue(issueOf(said('must have at least {min} characters', { min: MIN_PASSWORD_LENGTH })))
  }
})

/** The kind of which most of a password is: the same again and again, neighbours on a keyboard, `abcd`, … */
export type GuessedBy = 'repeat' | 'keyboard' | 'sequence' | 'common' | 'own' | 'date' | 'words'

/** How many guesses a password takes, as a power of ten, and what makes them few. */
export type Guesses = { log10: number; by: GuessedBy }

/** Estimates at most 48 characters, knowing the names that an attacker knows. */
export type EstimateGuesses = (password: string, names: readonly string[]) => Promise<Guesses>

const FAULTS: Record<GuessedBy, Said> = {
  repeat: said(
    'must be harder to guess: the same characters come again and again. Four random words are good; a password manager is better',
  ),
  keyboard: said(
    'must be harder to guess: its keys are next to each other. Four random words are good; a password manager is better',
  ),
  sequence: said(
    'must be harder to guess: its characters follow each other, as in abcd or 1234. Four random words are good; a password manager is better',
  ),
  common: said(
    'must be harder to guess: it is a common password, or one with little added. Four random words are good; a password manager is better',
  ),
  own: said(
    'must be harder to guess: little is left of it without names that others know here. Four random words are good; a password manager is better',
  ),
  date: said(
    'must be harder to guess: dates and years are tried early. Four random words are good; a password manager is better',
  ),
  words: said(
    'must be harder to guess: few words and names with little added are tried early. Four random words are good; a password manager is better',
  ),
}

/**
 * Why a password is too easy to guess; null if it is not. `names` are those that an attacker would try: the person's,
 * their address, their teams', the site's.
 */
export async function passwordFault(
  password: string,
  names: readonly string[],
  estimate: EstimateGuesses,
): Promise<Said | null> {
  const written = password.normalize('NFKC')
  if (written.trim() === '') return FAULTS.repeat
  const parts = namedParts(names)
  const rest = withoutParts(written, parts)
  // Signs alone that are left around a name add nothing to it.
  if (!/[\p{L}\p{N}]/u.test(rest) && rest !== written) return FAULTS.own
  for (const reading of [written, ...otherReadings(written)]) {
    const { log10, by } = await estimate(cutForEstimate(reading), parts)
    if (log10 < MIN_GUESSES_LOG10) return FAULTS[by]
  }
  if (rest === written) return null
  const { log10 } = await estimate(cutForEstimate(rest), [])
  return log10 < MIN_REST_LOG10 ? FAULTS.own : null
}

function cutForEstimate(text: string): string {
  return [...text].slice(0, MAX_ESTIMATED_LENGTH).join('')
}

/** Names and addresses without their signs, and the words of both, in lower case, longest first. */
function namedParts(names: readonly string[]): string[] {
  const parts = names.slice(0, MAX_NAMES).flatMap((name) => {
    const written = name.slice(0, 1_000).normalize('NFKC').toLowerCase()
    // Endings of hosts such as `com` are in too many words.
    const named = /[@.]/.test(written) ? written.replace(/\.\p{L}+$/u, '') : written
    return [written.replaceAll(SIGNS, ''), ...named.split(SIGNS)]
  })
  const long = parts.filter((part) => codePoints(part) >= MIN_NAME_PART && !/^\d+$/.test(part))
  return [...new Set(long)].sort((a, b) => b.length - a.length)
}

/**
 * Takes the names out, also where a few signs stand between their letters. It compares character by character: a pattern
 * with a class of Unicode between any two letters takes seconds to compile as soon as a password has an emoji.
 */
function withoutParts(password: string, parts: readonly string[]): string {
  return parts.reduce((left, part) => {
    const wanted = [...part]
    const written = Array.from(left)
    if (wanted.length > written.length) return left
    const lower = written.map((character) => character.toLowerCase())
    const kept: string[] = []
    for (let at = 0; at < written.length; ) {
      const end = endOfPart(lower, at, wanted)
      if (end === null) kept.push(written[at] as string)
      at = end ?? at + 1
    }
    return kept.join('')
  }, password)
}

/** The end of a part that begins at a place; null if it does not. */
function endOfPart(written: readonly string[], start: number, wanted: readonly string[]): number | null {
  let at = start
  for (const [index, character] of wanted.entries()) {
    let signs = 0
    while (index > 0 && written[at] !== character && signs < MAX_SIGNS_BETWEEN && isSign(written[at])) {
      at++
      signs++
    }
    if (written[at] !== character) return null
    at++
  }
  return at
}

function isSign(character: string | undefined): boolean {
  return character !== undefined && !/[\p{L}\p{N}]/u.test(character)
}

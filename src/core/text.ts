import * as z from 'zod'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Lengths count Unicode code points, as a person counts characters (near enough), not UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Cuts to at most `max` code points, the last one an ellipsis where something was cut. */
export function cut(text: string, max: number): string {
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

/** Of monitors, contacts, teams and people, in code points. */
export const MAX_NAME_LENGTH = 255

/** Text of one line that a person reads: no control characters, not blank. */
export function label(maxCodePoints: number) {
  return text(maxCodePoints)
    .superRefine((value, context) => {
      if (value.trim() === '') context.addIssue('must not be empty')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
      else if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) {
        context.addIssue('must not contain control characters')
      }
    })
    .meta({ minLength: 1 })
}

/** Any text PostgreSQL can keep unchanged: no NUL, no lone surrogate, bounded. */
export function text(maxCodePoints: number) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = codePoints(value)
      if (length > maxCodePoints)
        context.addIssue(`must be at most ${maxCodePoints} characters, got ${length}`)
      if (value.includes('\0')) context.addIssue('must not contain a NUL character')
      if (!value.isWellFormed()) context.addIssue('must be valid Unicode, got a lone surrogate')
    })
    .meta({ maxLength: maxCodePoints })
}

/** A word, or a sentence, that begins with a capital letter. */
export function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

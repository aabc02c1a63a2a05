import * as z from 'zod'
import { hiddenFault } from './language/hidden-characters.ts'
import { issueOf, type Said, said } from './language/said.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Length in Unicode code points: closer to what a person counts than UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Truncates to at most `max` code points, ending in an ellipsis if anything was cut. */
export function cut(text: string, max: number): string {
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

/** The text without repetitions of one character at its end, in linear time: a pattern would look behind each of many in the middle. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** Names of monitors, contacts, teams and people, in code points. */
export const MAX_NAME_LENGTH = 255

/** A single line of readable text: nothing in it that is not seen, not blank. */
export function label(maxCodePoints: number) {
  return text(maxCodePoints)
    .superRefine((value, context) => {
      if (value.trim() === '') return context.addIssue(issueOf(said('must not be empty')))
      const fault = hiddenFault(value, 'line')
      if (fault !== null) context.addIssue(issueOf(fault))
    })
    .meta({ minLength: 1 })
}

/** The same, or nothing. */
export function optionalLabel(maxCodePoints: number) {
  return text(maxCodePoints).superRefine((value, context) => {
    const fault = hiddenFault(value, 'line')
    if (fault !== null && !value.includes('\0')) context.addIssue(issueOf(fault))
  })
}

/** Readable text of any number of lines. */
export function prose(maxCodePoints: number) {
  return text(maxCodePoints).superRefine((value, context) => {
    const fault = hiddenFault(value, 'lines')
    if (fault !== null && !value.includes('\0')) context.addIssue(issueOf(fault))
  })
}

/** The fault of an address that is not read as it is written; null if there is none. */
export function unreadableFault(url: string): Said | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these silently
  if (/[\u0000-\u0020\u007f]/.test(url)) return said('must not contain spaces or control characters')
  return hiddenFault(url, 'line')
}

/** Text that PostgreSQL stores unchanged: no NUL, no lone surrogates, bounded in length. */
export function text(maxCodePoints: number) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = codePoints(value)
      if (length > maxCodePoints)
        context.addIssue(
          issueOf(said('must be at most {max} characters, got {length}', { max: maxCodePoints, length })),
        )
      if (value.includes('\0')) context.addIssue(issueOf(said('must not contain a NUL character')))
      if (!value.isWellFormed())
        context.addIssue(issueOf(said('must be valid Unicode, got a lone surrogate')))
    })
    .meta({ maxLength: maxCodePoints })
}

export function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ')
}

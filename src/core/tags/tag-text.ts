import { hiddenFault } from '../language/hidden-characters.ts'
import { codePoints } from '../text.ts'

export const MAX_TAG_KEY_LENGTH = 32
export const MAX_TAG_VALUE_LENGTH = 64

export const TAG_KEY = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** A tag in lower case, without needless spaces. `value`: null for a key alone. */
export function splitTag(text: string): { key: string; value: string | null } {
  const written = text.trim().toLowerCase().replaceAll(/ +/g, ' ')
  const colon = written.indexOf(':')
  if (colon < 0) return { key: written, value: null }
  return { key: written.slice(0, colon).trimEnd(), value: written.slice(colon + 1).trimStart() }
}

export function isTagKey(key: string): boolean {
  return key.length <= MAX_TAG_KEY_LENGTH && TAG_KEY.test(key)
}

export function isReadableValue(value: string): boolean {
  return value !== '' && !value.includes(',') && value.isWellFormed() && hiddenFault(value, 'line') === null
}

/** The tag that a text stands for; null for none. */
export function tagOf(text: string): string | null {
  const { key, value } = splitTag(text)
  if (!isTagKey(key)) return null
  if (value === null) return key
  return isReadableValue(value) && codePoints(value) <= MAX_TAG_VALUE_LENGTH ? `${key}:${value}` : null
}

export function keyOf(tag: string): string {
  return tag.split(':', 1)[0] ?? tag
}

/** Null for a tag that is a key alone. */
export function tagValue(tag: string): string | null {
  const colon = tag.indexOf(':')
  return colon < 0 ? null : tag.slice(colon + 1)
}

export function sortedTags(tags: Iterable<string>): string[] {
  return [...new Set(tags)].sort()
}

/** The tags of a text that separates them with commas. */
export function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

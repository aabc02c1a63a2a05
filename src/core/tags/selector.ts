import { keyOf, sortedTags, splitTags, tagOf, tagValue } from './tag-text.ts'

/** The bound of one filter. */
export const MAX_SELECTORS = 10

/** Whether a subject carries all that is asked for: `env:prod` is that tag, `env` one with this key, whatever its value. */
export function carries(tags: readonly string[], selectors: readonly string[]): boolean {
  return selectors.every((selector) => tags.some((tag) => matches(tag, selector)))
}

export function matches(tag: string, selector: string): boolean {
  return tagValue(selector) === null ? keyOf(tag) === selector : tag === selector
}

/** Selectors as a query compares them: tags in full, and keys alone. */
export function partsOf(selectors: readonly string[]): { exact: string[]; keys: string[] } {
  const hasValue = (selector: string) => tagValue(selector) !== null
  return {
    exact: selectors.filter(hasValue),
    keys: selectors.filter((selector) => !hasValue(selector)),
  }
}

/** Selectors as an address has them: `env:prod,team`. Null if any of them is none. */
export function readSelectors(text: string): string[] | null {
  const read = splitTags(text).map(tagOf)
  const selectors = read.filter((tag) => tag !== null)
  return read.length > MAX_SELECTORS || selectors.length < read.length ? null : sortedTags(selectors)
}

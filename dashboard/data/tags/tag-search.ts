import { readSelectors } from '../../../src/core/tags/selector.ts'
import { isTagKey, keyOf } from '../../../src/core/tags/tag-text.ts'

/** The part of a list's address that is about tags. */
export type TagSearch = {
  /** All of which are carried: `env:prod,team`. */
  tags?: string | undefined
  /** The key whose tags make groups. */
  group?: string | undefined
}

/** Keeps the valid parts. The router reads a tag such as 2027 as a number. */
export function readTagSearch({ tags, group }: Record<string, unknown>): TagSearch {
  const selectors = tags === undefined ? null : readSelectors(String(tags))
  const key = String(group ?? '')
  return {
    tags: selectors && selectors.length > 0 ? selectors.join(',') : undefined,
    group: isTagKey(key) ? key : undefined,
  }
}

export function selectorsOf({ tags }: TagSearch): string[] {
  return tags === undefined ? [] : (readSelectors(tags) ?? [])
}

/** The filter narrowed to one more tag, which takes the place of any with its key. */
export function withSelector(search: TagSearch, tag: string): TagSearch {
  const others = selectorsOf(search).filter((selector) => keyOf(selector) !== keyOf(tag))
  return { tags: [...others, tag].sort().join(',') }
}

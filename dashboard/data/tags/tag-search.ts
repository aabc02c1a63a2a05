import { readSelectors } from '../../../src/core/tags/selector.ts'
import { keyOf } from '../../../src/core/tags/tag-text.ts'

/** The part of a list's address that is about tags. */
export type TagSearch = {
  /** All of which are carried: `env:prod,team`. */
  tags?: string | undefined
  /** The key whose tags make groups. */
  group?: string | undefined
}

export function selectorsOf({ tags }: TagSearch): string[] {
  return tags === undefined ? [] : (readSelectors(tags) ?? [])
}

/** The filter narrowed to one more tag, which takes the place of any with its key. */
export function withSelector(search: TagSearch, tag: string): { tags: string } {
  const others = selectorsOf(search).filter((selector) => keyOf(selector) !== keyOf(tag))
  return { tags: [...others, tag].sort().join(',') }
}

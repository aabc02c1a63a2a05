import { shownLine } from '../core/language/hidden-characters.ts'
import { MAX_TAGS, readTag, withTags } from '../core/tags/tag.ts'
import { MAX_TAG_KEY_LENGTH, MAX_TAG_VALUE_LENGTH } from '../core/tags/tag-text.ts'
import { cut } from '../core/text.ts'
import { type Fields, textOf } from './fields.ts'

/**
 * Tags of another service, as far as a tag here can say the same: other characters of a name become hyphens, and of two
 * values of one name the last stays.
 */
export function importedTags(tags: readonly Fields[]): { tags?: string[] } {
  const read = tags.flatMap((tag) => {
    const key = textOf(tag.name)
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, MAX_TAG_KEY_LENGTH)
      .replace(/-$/, '')
    const value = cut(shownLine(textOf(tag.value)).replaceAll(/[ ,]+/g, ' ').trim(), MAX_TAG_VALUE_LENGTH)
    const result = readTag(value === '' ? key : `${key}:${value}`)
    return 'tag' in result ? [result.tag] : []
  })
  const kept = withTags([], read).slice(0, MAX_TAGS)
  return kept.length > 0 ? { tags: kept } : {}
}

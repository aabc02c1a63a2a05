import { readTag } from '../../../src/core/tags/tag.ts'
import type { TagInUse } from '../../../src/core/tags/tag-change.ts'
import { keyOf, tagValue } from '../../../src/core/tags/tag-text.ts'
import { sayKindCounts } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'

const MAX_SHOWN = 8

/** A line below a tag input. */
export type Suggestion = { tag: string; said: string }

/**
 * The tags in use that what was typed may become, those that begin with it first. `selects`: keys are offered, too, and
 * nothing new.
 */
export function suggestionsFor(
  typed: string,
  inUse: readonly TagInUse[],
  chosen: readonly string[],
  selects: boolean,
): Suggestion[] {
  const text = typed.trim().toLowerCase()
  const known = inUse.map((one) => ({ tag: one.tag, said: sayUse(one) }))
  const offered = (selects ? [...keysAmong(inUse), ...known] : known).filter(
    ({ tag }) => tag.includes(text) && !chosen.includes(tag),
  )
  const found = offered
    .sort((one, other) => Number(other.tag.startsWith(text)) - Number(one.tag.startsWith(text)))
    .slice(0, MAX_SHOWN)
  const read = readTag(text)
  const isNew =
    !selects && 'tag' in read && !chosen.includes(read.tag) && !known.some(({ tag }) => tag === read.tag)
  return isNew ? [...found, { tag: read.tag, said: t('New tag') }] : found
}

/** Keys of which there is more than one value. */
function keysAmong(inUse: readonly TagInUse[]): Suggestion[] {
  const byKey = Map.groupBy(inUse, ({ tag }) => keyOf(tag))
  return [...byKey]
    .filter(([, tags]) => tags.some(({ tag }) => tagValue(tag) !== null) && tags.length > 1)
    .map(([key]) => ({ tag: key, said: t('Any value') }))
}

function sayUse(tag: TagInUse): string {
  return sayKindCounts((kind) => tag[`${kind}s`]).join(', ')
}

import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { issueOf, type Said, said, saidOf } from '../language/said.ts'
import { describe } from '../validation.ts'
import { MAX_SELECTORS } from './selector.ts'
import {
  isReadableValue,
  isTagKey,
  keyOf,
  MAX_TAG_KEY_LENGTH,
  MAX_TAG_VALUE_LENGTH,
  sortedTags,
  splitTag,
  TAG_KEY,
  tagOf,
} from './tag-text.ts'

/** The bound of one subject. */
export const MAX_TAGS = 20
/** Different ones in a team. */
export const MAX_TEAM_TAGS = 500

/**
 * A tag as it is kept: lower case, without needless spaces. A key has letters a to z, digits and hyphens, so that each
 * makes a label of Prometheus of its own; a value has any characters but commas, which separate tags.
 */
export function readTag(text: string): { tag: string } | { fault: Said } {
  const tag = tagOf(text)
  return tag === null ? { fault: faultOf(text) } : { tag }
}

function faultOf(text: string): Said {
  const { key, value } = splitTag(text)
  if (!isTagKey(key)) {
    return TAG_KEY.test(key)
      ? said('a key has at most {max} characters', { max: MAX_TAG_KEY_LENGTH })
      : said('a key takes letters a to z, digits and single hyphens')
  }
  if (value === '') return said('the value after the colon is missing')
  return value !== null && !isReadableValue(value)
    ? said('a value takes no commas and no control characters')
    : said('a value has at most {max} characters', { max: MAX_TAG_VALUE_LENGTH })
}

export const SubjectTag = z
  .string()
  .transform((text, context) => {
    const read = readTag(text)
    if ('tag' in read) return read.tag
    context.addIssue(issueOf(tagFault(text, read.fault)))
    return z.NEVER
  })
  .meta({ format: 'tag' })

/** The same within what answers repeat, whose documents cannot say what a schema makes of a value. */
export const AnsweredTag = z
  .string()
  .superRefine((text, context) => {
    const read = readTag(text)
    if ('fault' in read) context.addIssue(issueOf(tagFault(text, read.fault)))
  })
  .overwrite((text) => tagOf(text) ?? text)
  .meta({ format: 'tag', maxLength: MAX_TAG_KEY_LENGTH + 1 + MAX_TAG_VALUE_LENGTH })

function tagFault(text: string, reason: Said): Said {
  const form = phrase('must be a key such as env, or a key and a value such as env:prod; {reason}, got {got}')
  return saidOf(form, { reason, got: describe(text) })
}

/** All tags of a subject: one for each key, sorted. */
export const TagSet = z
  .array(SubjectTag)
  .max(MAX_TAGS)
  .superRefine((tags, context) => {
    for (const [key, same] of Map.groupBy(new Set(tags), keyOf)) {
      if (same.length > 1)
        context.addIssue(
          issueOf(
            said('must have one value for each key, got {values} for {key}', {
              values: same.join(' and '),
              key,
            }),
          ),
        )
    }
  })
  .transform((tags) => sortedTags(tags))

/** Tags, or keys alone for any value, all of which a subject must carry. */
export const TagSelectors = z
  .array(SubjectTag)
  .max(MAX_SELECTORS)
  .transform((selectors) => sortedTags(selectors))

/** Tags with some more, each of which takes the place of the one with its key. */
export function withTags(tags: readonly string[], added: readonly string[]): string[] {
  const byKey = new Map([...tags, ...added].map((tag) => [keyOf(tag), tag]))
  return sortedTags(byKey.values())
}

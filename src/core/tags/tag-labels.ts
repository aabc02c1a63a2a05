import { keyOf, tagValue } from './tag-text.ts'

/**
 * Tags as labels of Prometheus: `env:prod` as `tag_env="prod"`, a key alone as `tag_legacy="true"`, since an empty label is
 * none. Keys differ in more than hyphens, as they have no underscores: no two make one label.
 */
export function tagLabels(tags: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    tags.map((tag) => [`tag_${keyOf(tag).replaceAll('-', '_')}`, tagValue(tag) ?? 'true']),
  )
}

import { splitTags } from '../../../src/core/tags/tag-text.ts'

/** How a draft holds members that go by tags; otherwise it holds IDs, as lists of monitors do. */
const BY_TAGS = 'tags:'

export function holdTags(tags: readonly string[]): string {
  return BY_TAGS + tags.join(', ')
}

/** The tags that members carry; null where they are chosen one by one. */
export function tagsHeld(held: unknown): string[] | null {
  const text = String(held ?? '')
  return text.startsWith(BY_TAGS) ? splitTags(text.slice(BY_TAGS.length)) : null
}

export function holdMembers(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  const { tags } = (value ?? {}) as { tags?: string[] }
  return tags ? holdTags(tags) : ''
}

/** `all`, or the name of an amount and the amount, as in `at_least 2`. */
export function holdRule(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.entries(value).flat().join(' ')
}

export function ruleHeld(held: unknown): { kind: string; amount: string } {
  const [, kind = '', amount = ''] = /^(\S*) ?(.*)$/s.exec(String(held ?? '')) ?? []
  return { kind, amount }
}

/** The rule as the API takes it; `usual` stands for none. */
export function readRule(held: unknown, amounts: readonly string[], usual: string): unknown {
  const { kind, amount } = ruleHeld(held)
  if (kind === '' || kind === usual) return null
  if (!amounts.includes(kind)) return kind
  return { [kind]: /^\d{1,9}$/.test(amount) ? Number(amount) : amount }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Orders names as people count: `grow-2` before `grow-10`. Capitals, accents and zeros in front decide only where nothing else does. */
export function byNaturalOrder(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
}

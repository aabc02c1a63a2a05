import type { SiteRow } from '../../../src/core/sites/shown-site.ts'

/** The sites whose name or address has all words of a search, in the order given. */
export function sitesFound(rows: readonly SiteRow[], search: string): SiteRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ name, url }) => {
    const text = `${name} ${url}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

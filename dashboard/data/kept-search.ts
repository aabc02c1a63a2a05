/**
 * The search parameters that a screen reads. The router merges them over all that the address has, so dropped ones are
 * set to undefined: otherwise an old link would lead to an error.
 */
export function keptSearch<Search extends object>(
  names: readonly (keyof Search & string)[],
  kept: Search,
): { [Name in keyof Search]: Search[Name] | undefined } {
  return Object.fromEntries(names.map((name) => [name, kept[name]])) as Search
}

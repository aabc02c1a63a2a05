/**
 * What a screen reads of its address. The router lays it over all that stands there: what was not kept is named, too, or
 * an old link would lead to an error.
 */
export function keptSearch<Search extends object>(
  names: readonly (keyof Search & string)[],
  kept: Search,
): { [Name in keyof Search]: Search[Name] | undefined } {
  return Object.fromEntries(names.map((name) => [name, kept[name]])) as Search
}

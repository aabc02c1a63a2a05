/** Two kinds may be chosen; more are a list of all of them. */
const MOST_CHOSEN = 2
const LIST = /\b\w+, (?:(?:an? )?\w+, )*(?:an? )?\w+ (?:and|or) (?:an? )?\w+\b/gi

/** The lists in a text that name several kinds of subjects: `monitors, servers and sites`. */
export function kindLists(text: string, kinds: readonly string[]): { list: string; lacks: string[] }[] {
  const lists = text.replaceAll(/\s+(?:\*|\/\/)?\s*/g, ' ').match(LIST) ?? []
  return lists.flatMap((list) => {
    const lacks = kinds.filter((kind) => !new RegExp(`\\b${kind}s?\\b`, 'i').test(list))
    return kinds.length - lacks.length > MOST_CHOSEN ? [{ list, lacks }] : []
  })
}

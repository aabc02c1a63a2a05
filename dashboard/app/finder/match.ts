/** The letters of a text without their case and accents. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim()
}

const LOOSE = 10

/**
 * How well what was typed finds a text: the less, the better, and null where it does not. Best is the beginning, then the
 * beginning of a word, then any place, then all words in any order, then the letters with others between them.
 */
export function scoreOf(typed: string, text: string): number | null {
  const wanted = fold(typed)
  const all = fold(text)
  const at = all.indexOf(wanted)
  if (at === 0) return 0
  if (at > 0) return beginsWord(all, at) ? 1 : 2
  const words = wanted.split(/\s+/)
  if (words.length > 1 && words.every((word) => all.includes(word))) return 3
  const left = lettersLeftOut(wanted.replaceAll(/\s/g, ''), all)
  return left === null ? null : LOOSE + left
}

/** Letters between those of a word that begins with the first; null where one is missing or the word is another. */
function lettersLeftOut(wanted: string, all: string): number | null {
  let best: number | null = null
  for (
    let start = all.indexOf(wanted.charAt(0));
    start >= 0;
    start = all.indexOf(wanted.charAt(0), start + 1)
  ) {
    if (!beginsWord(all, start)) continue
    let at = start
    for (const letter of wanted.slice(1)) {
      at = all.indexOf(letter, at + 1)
      if (at < 0) break
    }
    if (at < 0) continue
    const left = at - start + 1 - wanted.length
    // Few letters can be found anywhere: they must lie close together.
    if (left <= wanted.length && (best === null || left < best)) best = left
  }
  return best
}

function beginsWord(all: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(all.charAt(at - 1))
}

/** The items that are found, the best first; of equals the one used last, then in their order. */
export function ranked<Item>(
  items: readonly Item[],
  typed: string,
  { text, usedAt }: { text: (item: Item) => string; usedAt: (item: Item) => number },
): Item[] {
  return items
    .flatMap((item) => {
      const score = scoreOf(typed, text(item))
      return score === null ? [] : [{ item, score, used: usedAt(item) }]
    })
    .sort((a, b) => a.score - b.score || b.used - a.used)
    .map(({ item }) => item)
}

import { shownLine } from '../language/hidden-characters.ts'
import { type Said, said } from '../language/said.ts'
import { MAX_WINDOWS } from '../maintenance/window.ts'
import { codePoints, cut, MAX_NAME_LENGTH } from '../text.ts'

/**
 * Makes a valid name that is not taken, as close to the wanted one as possible. It must be deterministic: a second
 * import of the same export finds its records by name. `numbers`: the highest that was given to each name, where names are
 * only added; otherwise ten thousand equal names would be tried fifty million times.
 */
export function unusedName(
  wanted: string,
  taken: { has(name: string): boolean },
  numbers: Map<string, number> = new Map(),
): string {
  const line = shownLine(wanted.toWellFormed())
  const name = cut(line.trim() || 'unnamed', MAX_NAME_LENGTH)
  if (!taken.has(name)) return name
  for (let number = (numbers.get(name) ?? 1) + 1; ; number++) {
    const suffix = ` (${number})`
    const numbered = `${cut(name, MAX_NAME_LENGTH - codePoints(suffix))}${suffix}`
    if (taken.has(numbered)) continue
    numbers.set(name, number)
    return numbered
  }
}

/** How skipped windows and notes on windows are named, beside monitors and contacts. */
export function windowLabel(name: string): Said {
  return said('maintenance window {name}', { name })
}

export function pageLabel(name: string): Said {
  return said('status page {name}', { name })
}

export const TOO_MANY_WINDOWS = said('a team has at most {max} maintenance windows', { max: MAX_WINDOWS })

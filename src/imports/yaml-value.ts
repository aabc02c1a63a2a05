import { type Document, isAlias, isMap, isPair, isSeq, type Node } from 'yaml'
import { english, type Said, said } from '../core/language/said.ts'

/**
 * Far more than a file of 10,000 monitors holds, and little enough to keep in memory once later steps copy what aliases
 * share: ten nested lines can stand for billions of values.
 */
const MAX_EXPANDED_VALUES = 5_000_000

/** Why the aliases of a document cannot be followed; a clause without the file's name. */
export class AliasFault extends Error {
  readonly fault: Said

  constructor(fault: Said) {
    super(english(fault))
    this.fault = fault
  }
}

/**
 * The value of a YAML document, whose aliases may stand as often as the file likes, as Go's and JavaScript's common
 * readers take it: what is bounded is the size that they expand to. Throws an `AliasFault`.
 */
export function plainValue(document: Document): unknown {
  countValues(document.contents as Node | null, new Map())
  return document.toJS({ maxAliasCount: -1 })
}

/** The number of values in a node with its aliases expanded. `anchors`: null while what an anchor names goes on. */
function countValues(node: unknown, anchors: Map<string, number | null>): number {
  if (isAlias(node)) {
    const count = anchors.get(node.source)
    if (count === undefined)
      throw new AliasFault(
        said('an alias names nothing that stands before it: *{name}', { name: node.source }),
      )
    if (count === null) throw new AliasFault(said('an alias stands inside of what it names'))
    return count
  }
  const anchor = (node as Node | null)?.anchor
  if (anchor !== undefined) anchors.set(anchor, null)
  let count = 1
  for (const part of partsOf(node)) {
    count += countValues(part, anchors)
    if (count > MAX_EXPANDED_VALUES) {
      throw new AliasFault(said('its aliases expand to more than {max} values', { max: MAX_EXPANDED_VALUES }))
    }
  }
  if (anchor !== undefined) anchors.set(anchor, count)
  return count
}

function partsOf(node: unknown): unknown[] {
  if (isPair(node)) return [node.key, node.value]
  return isMap(node) || isSeq(node) ? node.items : []
}

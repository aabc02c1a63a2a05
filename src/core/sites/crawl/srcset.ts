import { withoutEnd } from '../../text.ts'

/** Candidates of one attribute. */
const MAX_CANDIDATES = 50

/** The addresses of candidates: each ends at white space, or at a comma that white space follows (HTML, srcset attributes). */
export function addressesOfSrcset(srcset: string): string[] {
  const addresses: string[] = []
  const candidate = /[\s,]*(\S+)([^,]*)/g
  for (let found = candidate.exec(srcset); found; found = candidate.exec(srcset)) {
    const [, address = ''] = found
    if (address === '') break
    // A comma at its end means that no descriptor follows: the next candidate begins behind it.
    const bare = withoutEnd(address, ',')
    if (bare !== address) candidate.lastIndex = found.index + found[0].indexOf(address) + address.length
    if (bare !== '') addresses.push(bare)
    if (addresses.length >= MAX_CANDIDATES) break
  }
  return addresses
}

import { createRequire } from 'node:module'
import { domainToASCII } from 'node:url'

type Trie = { labelText: string; edgeLength: Uint8Array; edgeStart: Uint16Array; rulesRoot: number }

/** Every top-level domain of the Public Suffix List, in ASCII: the first labels of the trie in `tldts-icann`. */
export function topLevelDomains(): string[] {
  const require = createRequire(import.meta.url)
  const trie = require('tldts-icann/dist/cjs/src/data/trie.js') as Trie
  const first = trie.edgeStart[trie.rulesRoot] ?? 0
  const end = trie.edgeStart[trie.rulesRoot + 1] ?? 0
  let at = trie.edgeLength.subarray(0, first).reduce((sum, length) => sum + length, 0)
  const labels = Array.from(trie.edgeLength.subarray(first, end), (length) => {
    at += length
    return domainToASCII(trie.labelText.slice(at - length, at))
  })
  return [...new Set(labels)].filter((label) => label !== '' && label !== '*').sort()
}

import fs from 'node:fs'
import net from 'node:net'
import { codeOf, ownTrouble } from '../own-trouble.ts'

const RECHECK_AFTER_MS = 1_000

/** Addresses that the hosts file lists for a name (lower case, no final dot); empty when there are none. */
export type HostsFile = (name: string) => readonly string[]

/**
 * Reads `path` again when it has changed, checking at most once a second. Reads synchronously: the file is local and
 * short, and name servers must not be asked before it is known.
 */
export function openHostsFile(path: string, monotonicMs: () => number): HostsFile {
  let entries = new Map<string, string[]>()
  let modifiedAt: number | null = null
  let lookedAt = Number.NEGATIVE_INFINITY

  return (name) => {
    if (monotonicMs() - lookedAt >= RECHECK_AFTER_MS) {
      lookedAt = monotonicMs()
      const current = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
      const text = current === modifiedAt ? null : current === null ? '' : read(path)
      if (text !== null) {
        entries = parseHosts(text)
        modifiedAt = current
      }
    }
    return entries.get(name) ?? []
  }
}

/** Parses lines of `address name name… # comment`, as in hosts(5). */
export function parseHosts(text: string): Map<string, string[]> {
  const entries = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (!net.isIP(address)) continue
    for (const name of names.map((n) => n.toLowerCase().replace(/\.$/, ''))) {
      const known = entries.get(name) ?? []
      if (!known.includes(address)) entries.set(name, [...known, address])
    }
  }
  return entries
}

/**
 * A hosts file that cannot be read counts as empty, as in the system's own resolver. Null on a momentary problem (no
 * free descriptor): the entries read before stay valid.
 */
function read(path: string): string | null {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    return ownTrouble(codeOf(error)) === null ? '' : null
  }
}

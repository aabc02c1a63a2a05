import { createFaults, isAddress, judgeNumber } from './sitemap-faults.ts'
import { MAX_SITEMAP_ADDRESSES, type ReadSitemap, type SitemapReader } from './sitemap-file.ts'

/** Longer lines are no addresses. */
const MAX_LINE_LENGTH = 4_096

/** A text file with an address a line, and nothing else. */
export function createLineReader(): SitemapReader {
  const faults = createFaults()
  const read: ReadSitemap = { kind: 'none', addresses: [], faults: [] }
  let number = 0
  let rest = ''
  const take = (lines: string[]) => {
    for (const line of lines) {
      const address = line.trim()
      if (address === '' || !isAddress(address, faults) || ++number > MAX_SITEMAP_ADDRESSES) continue
      read.addresses.push(address)
    }
  }
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH)
      take(lines)
    },
    end(fault) {
      take([rest])
      if (fault === null) judgeNumber(number, faults)
      else faults.add(fault)
      return { ...read, kind: number === 0 ? 'none' : 'pages', faults: faults.list() }
    },
  }
}

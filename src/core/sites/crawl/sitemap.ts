import { Parser } from 'htmlparser2'
import { MAX_ADDRESS_LENGTH } from './address.ts'

/** By the protocol of sitemaps.org: addresses of one file. */
export const MAX_SITEMAP_ADDRESSES = 50_000
/** Unpacked, by the same protocol. */
export const MAX_SITEMAP_BYTES = 52_428_800

/** Of one crawl. */
export const MAX_SITEMAPS = 100

export type ReadSitemap = {
  /** `index`: its addresses are those of further sitemaps. */
  kind: 'index' | 'pages' | 'none'
  addresses: string[]
  /** A sentence each. */
  faults: string[]
}

/** Reads a sitemap piece by piece. */
export type SitemapReader = {
  write(text: string): void
  /** With a fault that the file has besides, such as its size. */
  end(fault: string | null): ReadSitemap
}

/** XML, whose entities are not expanded, or a text file with an address a line. */
export function createSitemapReader(isXml: boolean): SitemapReader {
  return isXml ? createXmlReader() : createLineReader()
}

export function readSitemap(text: string, isXml: boolean): ReadSitemap {
  const reader = createSitemapReader(isXml)
  reader.write(text)
  return reader.end(null)
}

function createXmlReader(): SitemapReader {
  const read: ReadSitemap = { kind: 'none', addresses: [], faults: [] }
  let location: string | null = null
  let inside: 'url' | 'sitemap' | null = null
  let dropped = 0
  const parser = new Parser(
    {
      onopentag(name) {
        const local = localName(name)
        if (local === 'urlset' && read.kind === 'none') read.kind = 'pages'
        if (local === 'sitemapindex' && read.kind === 'none') read.kind = 'index'
        if (local === 'url' || local === 'sitemap') inside = local
        // `image:loc` and others are no pages.
        if (name === 'loc' && inside !== null) location = ''
      },
      ontext(part) {
        if (location !== null && location.length <= MAX_ADDRESS_LENGTH) location += part
      },
      onclosetag(name) {
        const local = localName(name)
        if (local === 'url' || local === 'sitemap') inside = null
        if (name !== 'loc' || location === null) return
        const address = location.trim()
        location = null
        if (read.addresses.length >= MAX_SITEMAP_ADDRESSES) dropped++
        else if (address !== '') read.addresses.push(address)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write: (text) => parser.write(text),
    end(fault) {
      parser.end()
      if (fault !== null) read.faults.push(fault)
      else if (read.kind === 'none') read.faults.push('is no sitemap: neither urlset nor sitemapindex')
      else if (read.addresses.length === 0) read.faults.push('names no address')
      if (dropped > 0)
        read.faults.push(`names ${MAX_SITEMAP_ADDRESSES + dropped} addresses, of which 50,000 may be`)
      return read
    },
  }
}

function createLineReader(): SitemapReader {
  const addresses: string[] = []
  let rest = ''
  const take = (lines: string[]) => {
    for (const line of lines) {
      const address = line.trim()
      if (URL.canParse(address) && addresses.length < MAX_SITEMAP_ADDRESSES) addresses.push(address)
    }
  }
  return {
    write(text) {
      const lines = (rest + text).split('\n')
      rest = (lines.pop() ?? '').slice(0, MAX_ADDRESS_LENGTH)
      take(lines)
    },
    end(fault) {
      take([rest])
      const none = addresses.length === 0 ? ['names no address'] : []
      return { kind: none.length > 0 ? 'none' : 'pages', addresses, faults: fault === null ? none : [fault] }
    },
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

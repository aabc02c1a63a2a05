import { Parser } from 'htmlparser2'

/** By the protocol of sitemaps.org: addresses of one file. */
export const MAX_SITEMAP_ADDRESSES = 50_000
/** Unpacked, by the same protocol. */
export const MAX_SITEMAP_BYTES = 52_428_800

export type ReadSitemap = {
  /** `index`: its addresses are those of further sitemaps. */
  kind: 'index' | 'pages' | 'none'
  addresses: string[]
  /** A sentence each. */
  faults: string[]
}

/** Reads a sitemap: XML whose entities are not expanded, or a text file with an address a line. */
export function readSitemap(text: string, isXml: boolean): ReadSitemap {
  return isXml ? readXml(text) : readLines(text)
}

function readXml(text: string): ReadSitemap {
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
        if (location !== null) location += part
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
  parser.end(text)
  if (read.kind === 'none') read.faults.push('it is no sitemap: neither urlset nor sitemapindex')
  else if (read.addresses.length === 0) read.faults.push('it names no address')
  if (dropped > 0)
    read.faults.push(`it names ${MAX_SITEMAP_ADDRESSES + dropped} addresses, of which 50,000 may be`)
  return read
}

function readLines(text: string): ReadSitemap {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const addresses = lines.filter((line) => URL.canParse(line)).slice(0, MAX_SITEMAP_ADDRESSES)
  const faults = addresses.length === 0 ? ['it names no address'] : []
  return { kind: addresses.length === 0 ? 'none' : 'pages', addresses, faults }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

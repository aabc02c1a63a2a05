import { SaxesParser, type SaxesTagNS } from 'saxes'
import { createFaults, isAddress, judgeDate, judgeNumber, type SitemapFaults } from './sitemap-faults.ts'
import { MAX_SITEMAP_ADDRESSES, type ReadSitemap, type SitemapReader } from './sitemap-file.ts'
import { createTolerantReader } from './sitemap-tolerant.ts'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
/** The namespace of earlier drafts, which search engines still take. */
const OLD_NAMESPACE = /^http:\/\/www\.google\.com\/schemas\/sitemap\/0\.(?:84|9)$/
const MAX_TEXT_LENGTH = 5_000
/** A file with more is no XML, and each error costs time. */
const MAX_ERRORS = 1_000

const KINDS: Record<string, ReadSitemap['kind']> = {
  urlset: 'pages',
  sitemapindex: 'index',
  rss: 'feed',
  feed: 'feed',
}
/** The entries of each kind, and what holds their address and their date, in the namespace of the root. */
const ENTRIES = new Set(['url', 'sitemap', 'item', 'entry'])

/**
 * Strict, as search engines are: they refuse a file as a whole that is not well-formed. No entity is expanded.
 */
export function createXmlReader(): SitemapReader {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const read: ReadSitemap = { kind: 'none', addresses: [], faults: [] }
  const faults = createFaults()
  const tolerant = createTolerantReader()
  let namespace = ''
  let hasRoot = false
  let hasEntities = false
  let errors = 0
  let number = 0
  let depth = 0
  let entryDepth: number | null = null
  let address: string | null = null
  let text: string | null = null

  parser.on('error', ({ message }) => {
    // Entities that a document declares itself may be used; they are not expanded here.
    if (hasEntities && /undefined entity/.test(message)) return
    errors++
    if (errors === 1)
      faults.add(`is not well-formed XML, so that search engines refuse all of it (${placed(message)})`)
  })
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^utf-?8$/i.test(encoding)) faults.add('declares another encoding than UTF-8', encoding)
  })
  parser.on('doctype', (doctype) => {
    hasEntities = /<!ENTITY/.test(doctype)
  })
  parser.on('opentag', (tag) => {
    depth++
    if (!hasRoot) {
      hasRoot = true
      namespace = tag.uri
      read.kind = Object.hasOwn(KINDS, tag.local) ? (KINDS[tag.local] ?? 'none') : 'none'
      judgeRoot(tag, read.kind, faults)
    }
    if (entryDepth === null && depth <= 3 && tag.uri === namespace && ENTRIES.has(tag.local)) {
      entryDepth = depth
      address = null
    }
    // `image:loc` and others are no pages, and neither is what stands deeper.
    const isPart = entryDepth !== null && depth === entryDepth + 1 && tag.uri === namespace
    text = isPart ? '' : null
    // Atom names addresses by attributes.
    const { href, rel } = tag.attributes
    if (isPart && tag.local === 'link' && href && (!rel || rel.value === 'alternate')) address ??= href.value
  })
  const take = (part: string) => {
    if (text !== null && text.length <= MAX_TEXT_LENGTH) text += part
  }
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('closetag', (tag) => {
    if (entryDepth !== null && depth === entryDepth + 1 && text !== null) {
      const value = text.trim()
      if (tag.local === (read.kind === 'feed' ? 'link' : 'loc')) {
        if (value !== '' || read.kind !== 'feed') address ??= value
      }
      if (tag.local === 'lastmod' && value !== '') judgeDate(value, faults)
    }
    text = null
    if (entryDepth === depth) {
      entryDepth = null
      if (isAddress(address ?? '', faults) && ++number <= MAX_SITEMAP_ADDRESSES && address !== null)
        read.addresses.push(address)
    }
    depth--
  })

  return {
    write(piece) {
      tolerant.write(piece)
      if (errors < MAX_ERRORS) parser.write(piece)
    },
    end(fault) {
      if (fault === null && errors < MAX_ERRORS) parser.close()
      if (fault !== null) faults.add(fault)
      else if (read.kind === 'none') faults.add('is no sitemap: neither urlset nor sitemapindex')
      else if (errors === 0) judgeNumber(number, faults)
      const addresses = errors > 0 ? tolerant.end() : read.addresses
      return { ...read, addresses, faults: faults.list() }
    },
  }
}

function judgeRoot({ uri }: SaxesTagNS, kind: ReadSitemap['kind'], faults: SitemapFaults): void {
  const isRight = uri === NAMESPACE || OLD_NAMESPACE.test(uri)
  if ((kind === 'pages' || kind === 'index') && !isRight)
    faults.add(`is not of the namespace ${NAMESPACE}${uri === '' ? '' : `, but of ${uri.slice(0, 200)}`}`)
}

/** Saxes writes `3:14: text.` */
function placed(message: string): string {
  const [, line, column, what = message] = /^(?:.*?:)?(\d+):(\d+): (.*?)\.?$/s.exec(message) ?? []
  return line === undefined ? what.slice(0, 200) : `line ${line}, column ${column}: ${what.slice(0, 200)}`
}

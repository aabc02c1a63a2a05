import { Parser } from 'htmlparser2'
import { MAX_LOC_LENGTH, MAX_SITEMAP_ADDRESSES } from './sitemap-file.ts'

/**
 * The addresses of a sitemap that is not well-formed: search engines refuse it, and a crawl looks at its pages all the same.
 */
export function createTolerantReader(): { write(text: string): void; end(): string[] } {
  const addresses: string[] = []
  let location: string | null = null
  let isInside = false
  const isEntry = (name: string) => /^(?:\w+:)?(?:url|sitemap)$/.test(name)
  const parser = new Parser(
    {
      onopentag(name) {
        if (isEntry(name)) isInside = true
        // `image:loc` and others are no pages.
        if (name === 'loc' && isInside) location = ''
      },
      ontext(part) {
        if (location !== null && location.length <= MAX_LOC_LENGTH) location += part
      },
      onclosetag(name) {
        if (isEntry(name)) isInside = false
        if (name !== 'loc' || location === null) return
        const address = location.trim()
        location = null
        const isWhole =
          address.length <= MAX_LOC_LENGTH && /^https?:\/\//i.test(address) && URL.canParse(address)
        if (isWhole && addresses.length < MAX_SITEMAP_ADDRESSES) addresses.push(address)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write: (text) => parser.write(text),
    end() {
      parser.end()
      return addresses
    },
  }
}

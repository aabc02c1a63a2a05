import type { ReadSitemap, SitemapReader } from './sitemap-file.ts'
import { createLineReader } from './sitemap-lines.ts'
import { createXmlReader } from './sitemap-xml.ts'

/** XML, whose entities are not expanded, or a text file with an address a line. */
export function createSitemapReader(isXml: boolean): SitemapReader {
  return isXml ? createXmlReader() : createLineReader()
}

export function readSitemap(text: string, isXml: boolean): ReadSitemap {
  const reader = createSitemapReader(isXml)
  reader.write(text)
  return reader.end(null)
}

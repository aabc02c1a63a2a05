import { readManifest } from './manifest.ts'
import { emptyPage, type ReadPage, readPage, readStylePage } from './page.ts'

/** Kinds of content that a crawl reads, since they lead on or load more. */
export type ContentKind = 'page' | 'style' | 'manifest'

const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i
const STYLE = /^\s*text\/css\b/i
const MANIFEST = /^\s*application\/manifest\+json\b/i
/** Servers seldom know the type of manifests. */
const MANIFEST_NAME = /(?:\.webmanifest|\/manifest\.json)$/i

/** Null for what nothing is to be found in. `address`: or its path. */
export function contentKind(contentType: string, address: string): ContentKind | null {
  if (PAGE.test(contentType)) return 'page'
  if (STYLE.test(contentType)) return 'style'
  const [path = ''] = address.split(/[?#]/)
  return MANIFEST.test(contentType) || MANIFEST_NAME.test(path) ? 'manifest' : null
}

export function readContent(kind: ContentKind, text: string): ReadPage {
  if (kind === 'page') return readPage(text)
  if (kind === 'style') return readStylePage(text)
  return { ...emptyPage(), links: readManifest(text) }
}

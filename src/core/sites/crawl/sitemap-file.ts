/** One file has this many addresses at most, by the protocol of sitemaps.org. */
export const MAX_SITEMAP_ADDRESSES = 50_000
/** Unpacked, by the same protocol. */
export const MAX_SITEMAP_BYTES = 52_428_800
/** An address in a sitemap is this long at most, by the same protocol. */
export const MAX_LOC_LENGTH = 2_048

/** One crawl reads this many at most. */
export const MAX_SITEMAPS = 100

export type ReadSitemap = {
  /** `index`: its addresses are those of further sitemaps; `feed`: RSS or Atom, which search engines take as well. */
  kind: 'index' | 'pages' | 'feed' | 'none'
  addresses: string[]
  /** A sentence each. */
  faults: string[]
}

/** Reads a sitemap piece by piece. */
export type SitemapReader = {
  write(text: string): void
  /** Ends the reading; `fault`: one that the file has besides, such as its size. */
  end(fault: string | null): ReadSitemap
}

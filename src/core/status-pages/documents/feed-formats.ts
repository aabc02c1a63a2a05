import { escapeXml } from '../../xml.ts'
import type { Feed, FeedEntry } from './feed.ts'

export const FEED_PATHS = ['feed.rss', 'feed.atom', 'feed.json'] as const
export type FeedPath = (typeof FEED_PATHS)[number]

/** RSS 2.0, with the address of its own that the RSS Advisory Board asks for. */
export function rssOf(feed: Feed): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>${element('title', feed.title)}${element('link', feed.url)}
${element('description', feed.description)}${element('language', feed.language)}${element('lastBuildDate', feed.updatedAt.toUTCString())}
<atom:link rel="self" type="application/rss+xml" href="${selfOf(feed, 'feed.rss')}"/>
${feed.entries.map(rssItem).join('\n')}
</channel></rss>
`
}

function rssItem({ id, url, title, content, category, publishedAt }: FeedEntry): string {
  return `<item>${element('title', title)}${element('link', url)}<guid isPermaLink="false">${escapeXml(id)}</guid>
${element('pubDate', publishedAt.toUTCString())}${element('category', category)}${element('description', content)}</item>`
}

/** Atom (RFC 4287). */
export function atomOf(feed: Feed): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">${element('title', feed.title)}${element('subtitle', feed.description)}
${element('id', feed.id)}${element('updated', feed.updatedAt.toISOString())}<author>${element('name', feed.title)}</author>
<link rel="self" type="application/atom+xml" href="${selfOf(feed, 'feed.atom')}"/>
<link rel="alternate" type="text/html" href="${escapeXml(feed.url)}"/>
${feed.entries.map(atomEntry).join('\n')}
</feed>
`
}

function atomEntry({ id, url, title, content, category, publishedAt, changedAt }: FeedEntry): string {
  return `<entry>${element('title', title)}${element('id', id)}<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>
${element('published', publishedAt.toISOString())}${element('updated', changedAt.toISOString())}<category term="${escapeXml(category)}"/>
<content type="html">${escapeXml(content)}</content></entry>`
}

/** JSON Feed 1.1. */
export function jsonFeedOf(feed: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    language: feed.language,
    home_page_url: feed.url,
    feed_url: `${feed.base}/feed.json`,
    authors: [{ name: feed.title, url: feed.url }],
    items: feed.entries.map(({ id, url, title, content, category, publishedAt, changedAt }) => ({
      id,
      url,
      title,
      content_html: content,
      date_published: publishedAt.toISOString(),
      date_modified: changedAt.toISOString(),
      tags: [category],
    })),
  })
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

function selfOf({ base }: Feed, path: FeedPath): string {
  return escapeXml(`${base}/${path}`)
}

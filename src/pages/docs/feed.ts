import { escapeHtml } from '../escape-html.ts'
import { renderMarkdown } from './markdown.ts'

/** One entry of the feed: what came at a date, in whichever version. */
type Release = { date: string; html: string }

/** The changelog as an Atom feed (RFC 4287): one entry per date, newest first. `markdown` has absolute links. */
export function changelogFeed(markdown: string, docsUrl: string): string {
  const releases = readReleases(markdown)
  const page = `${docsUrl}/changelog`
  const entries = releases.map(
    ({ date, html }) => `<entry><title>Upbeat, ${date}</title><id>${escapeHtml(`${page}#${date}`)}</id>
<link rel="alternate" type="text/html" href="${escapeHtml(`${page}#${date}`)}"/>
<updated>${date}T00:00:00Z</updated><content type="html">${escapeHtml(html)}</content></entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Upbeat changelog</title>
<id>${escapeHtml(page)}</id><updated>${releases[0]?.date ?? '1970-01-01'}T00:00:00Z</updated>
<author><name>Upbeat</name></author>
<link rel="self" type="application/atom+xml" href="${escapeHtml(page)}.atom"/>
<link rel="alternate" type="text/html" href="${escapeHtml(page)}"/>
${entries.join('\n')}
</feed>
`
}

function readReleases(markdown: string): Release[] {
  return markdown
    .split(/^##+ /m)
    .slice(1)
    .flatMap((part) => {
      const [, date, text] = /^(\d{4}-\d{2}-\d{2})\b[^\n]*\n(.*)$/s.exec(part) ?? []
      if (date === undefined || text === undefined) return []
      return [{ date, html: renderMarkdown(text, (href) => href.replace(/\.md(?=#|$)/, '')).html }]
    })
}

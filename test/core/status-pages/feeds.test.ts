import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as z from 'zod'
import { feedOf } from '../../../src/core/status-pages/documents/feed.ts'
import { atomOf, jsonFeedOf, rssOf } from '../../../src/core/status-pages/documents/feed-formats.ts'
import type { PageModel } from '../../../src/core/status-pages/page-model.ts'
import { PAGE_WORDS } from '../../../src/core/status-pages/words/words.ts'
import { renderPostBody } from '../../../src/pages/status-pages/markdown.ts'
import { ALL_PAGES, eventfulPage } from '../../support/status-pages/all-pages.ts'
import {
  hoursAgo,
  samplePage,
  samplePost,
  sampleSettings,
  sampleUpdate,
} from '../../support/status-pages/models.ts'
import { troubledPage } from '../../support/status-pages/pages.ts'
import { elementsIn, readXml, textIn, type XmlElement } from '../../support/status-pages/xml.ts'

const ATOM = 'http://www.w3.org/2005/Atom'
const URN = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** JSON Feed 1.1: the members that it requires, and the types of those that we write. */
const JsonFeed = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  description: z.string(),
  language: z.string(),
  home_page_url: z.url(),
  feed_url: z.url(),
  authors: z.array(z.strictObject({ name: z.string(), url: z.url() })),
  items: z.array(
    z.strictObject({
      id: z.string().regex(URN),
      url: z.url(),
      title: z.string().min(1),
      content_html: z.string(),
      date_published: z.iso.datetime(),
      date_modified: z.iso.datetime(),
      tags: z.array(z.string()),
    }),
  ),
})

const feedFor = (model: PageModel) => feedOf(model, renderPostBody)

/** Entries as each format says them: id, title, address, content and time. */
function entriesOf(model: PageModel): Record<'rss' | 'atom' | 'json', string[][]> {
  const feed = feedFor(model)
  const [channel] = elementsIn(readXml(rssOf(feed)), 'channel')
  const atom = readXml(atomOf(feed))
  const json = JsonFeed.parse(JSON.parse(jsonFeedOf(feed)))
  return {
    rss: elementsIn(channel as XmlElement, 'item').map((item) => [
      textIn(item, 'guid'),
      textIn(item, 'title'),
      textIn(item, 'link'),
      textIn(item, 'description'),
      new Date(textIn(item, 'pubDate')).toISOString(),
    ]),
    atom: elementsIn(atom, 'entry').map((entry) => [
      textIn(entry, 'id'),
      textIn(entry, 'title'),
      elementsIn(entry, 'link')[0]?.attributes.href ?? '',
      textIn(entry, 'content'),
      textIn(entry, 'updated'),
    ]),
    json: json.items.map(({ id, title, url, content_html, date_published }) => [
      id,
      title,
      url,
      content_html,
      date_published,
    ]),
  }
}

describe('the feeds of a status page', () => {
  for (const [name, model] of Object.entries(ALL_PAGES)) {
    it(`say the same in three formats, of a page that is ${name}`, () => {
      const { rss, atom, json } = entriesOf(model)
      assert.deepEqual(rss, json)
      assert.deepEqual(atom, json)
    })
  }

  it('have one entry for each update of each post, the newest first', () => {
    const titles = entriesOf(troubledPage()).json.map(([, title]) => title)
    assert.deepEqual(titles, [
      'Errors in the API – Identified',
      'New telephone exchange – In progress',
      'Errors in the API – Investigating',
      'Mail was late – Resolved',
      'Mail was late – Monitoring',
      'Mail was late – Investigating',
    ])
  })

  it('have the 50 newest entries', () => {
    const page = eventfulPage()
    const times = entriesOf(page).json.map(([, , , , time]) => time)
    const all = [...page.active, ...page.recent].flatMap(({ updates }) =>
      updates.map(({ at }) => at.toISOString()),
    )
    assert.deepEqual(times, all.toSorted().reverse().slice(0, 50))
  })

  it('say what is affected and, of maintenance, when it is', () => {
    const work = samplePost({
      kind: 'maintenance',
      scheduledFor: hoursAgo(-36),
      scheduledUntil: hoursAgo(-38),
      updates: [sampleUpdate({ phase: 'scheduled', body: 'A *new* router.' })],
    })
    const [[, , , content] = []] = entriesOf(samplePage({ active: [work] })).json
    assert.equal(
      content,
      '<p>A <em>new</em> router.</p>\n<ul><li>2026-11-24 02:02 UTC to 2026-11-24 04:02 UTC</li><li>API: Partial outage</li></ul>',
    )
  })

  it('have ids that stay when the page moves, and that no other page has', () => {
    const ids = (own: Partial<PageModel>) =>
      entriesOf(samplePage({ active: [samplePost()], ...own })).atom.map(([id]) => id)
    const moved = ids({ url: 'https://status.acme.example.com', settings: sampleSettings({ slug: 'other' }) })
    assert.deepEqual(moved, ids({}))
    assert.match(moved[0] ?? '', URN)
    assert.notDeepEqual(ids({ createdAt: hoursAgo(1) }), ids({}))
    const feed = feedFor(eventfulPage())
    assert.equal(new Set([feed.id, ...feed.entries.map(({ id }) => id)]).size, 51)
  })

  it('change with their entries only', () => {
    const [one, other] = [hoursAgo(1), hoursAgo(0)].map((at) =>
      feedFor(troubledPage({ asOf: at, updatedAt: at })),
    )
    assert.deepEqual(one, other)
  })

  it('speak the language of the page', () => {
    const words = PAGE_WORDS.ja
    const feed = feedFor(troubledPage({ settings: sampleSettings({ language: 'ja' }) }))
    assert.equal(feed.entries[0]?.title, `Errors in the API – ${words.phases.identified}`)
    assert.equal(readXml(atomOf(feed)).attributes['xml:lang'], 'ja')
  })

  it('say where they are, of a private page by its secret address', () => {
    const base = 'https://upbeat.example.com/status/acme/private/token'
    const feed = feedOf(samplePage(), renderPostBody, base)
    const [channel] = elementsIn(readXml(rssOf(feed)), 'channel')
    const selves = [
      ...elementsIn(channel as XmlElement, 'link'),
      ...elementsIn(readXml(atomOf(feed)), 'link'),
    ]
      .filter(({ attributes }) => attributes.rel === 'self')
      .map(({ attributes, namespace }) => [attributes.href, namespace])
    assert.deepEqual(selves, [
      [`${base}/feed.rss`, ATOM],
      [`${base}/feed.atom`, ATOM],
    ])
    assert.equal(JsonFeed.parse(JSON.parse(jsonFeedOf(feed))).feed_url, `${base}/feed.json`)
  })

  it('have what RSS and Atom require of a feed', () => {
    const feed = feedFor(troubledPage({ settings: sampleSettings({ description: '' }) }))
    const rss = readXml(rssOf(feed))
    const [channel] = elementsIn(rss, 'channel') as [XmlElement]
    assert.deepEqual([rss.name, rss.attributes.version], ['rss', '2.0'])
    assert.deepEqual(
      ['title', 'description', 'lastBuildDate'].map((name) => textIn(channel, name)),
      ['Acme status', 'Acme status', 'Sun, 22 Nov 2026 13:32:00 GMT'],
    )
    assert.equal(elementsIn(channel, 'link')[0]?.text, 'https://upbeat.example.com/status/acme')
    const atom = readXml(atomOf(feed))
    assert.deepEqual([atom.name, atom.namespace], ['feed', ATOM])
    assert.deepEqual(
      ['title', 'updated'].map((name) => textIn(atom, name)),
      ['Acme status', '2026-11-22T13:32:00.000Z'],
    )
    assert.match(textIn(atom, 'id'), URN)
    assert.equal(textIn(elementsIn(atom, 'author')[0] as XmlElement, 'name'), 'Acme status')
  })

  it('are XML whatever somebody wrote', () => {
    const title = ']]> <b>&amp; "\u{1f680}" \ufffe\uffff \u202e'
    const body = 'a\u0000\u0007\u001b[0m <x> &c; \ufffe\n\n```\n]]>\n```'
    const page = samplePage({ active: [samplePost({ title, updates: [sampleUpdate({ body })] })] })
    const { rss, json } = entriesOf(page)
    assert.equal(rss[0]?.[1], `${title.replaceAll(/[\ufffe\uffff]/g, '')} – Investigating`)
    assert.equal(json[0]?.[1], `${title} – Investigating`)
    assert.match(rss[0]?.[3] ?? '', /<pre><code>\]\]&gt;/)
  })
})

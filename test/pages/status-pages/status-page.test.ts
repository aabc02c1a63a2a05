import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { PageLanguage } from '../../../src/core/language/page-languages.ts'
import { COMPONENT_STATES } from '../../../src/core/status-pages/component-state.ts'
import { PAGE_WORDS } from '../../../src/core/status-pages/words/words.ts'
import { renderEmbed } from '../../../src/pages/status-pages/embed.ts'
import { PAGE_FILES } from '../../../src/pages/status-pages/files.ts'
import { statusPageHeaders, styleOf } from '../../../src/pages/status-pages/look.ts'
import { renderStatusPage } from '../../../src/pages/status-pages/status-page.ts'
import {
  AS_OF,
  hoursAgo,
  sampleComponent,
  sampleGroup,
  sampleHistory,
  samplePage,
  samplePlanned,
  samplePost,
  sampleSettings,
  sampleUpdate,
} from '../../support/status-pages/models.ts'
import { largePage, troubledPage } from '../../support/status-pages/pages.ts'

const HERE = { language: 'en', base: '/status/acme' } as const
const MAX_COMPRESSED_BYTES = 50_000
const SERVED_BROTLI_QUALITY = 5

/** As a reader sees it: without markup, in one line. */
function textOf(html: string): string {
  const body = html.slice(html.indexOf('<body'))
  return body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
}

const bytesOf = (html: string) =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: SERVED_BROTLI_QUALITY } }).length

describe('a status page', () => {
  for (const state of COMPONENT_STATES) {
    it(`says in a word, a shape and a color what is ${state}`, () => {
      const html = renderStatusPage(samplePage({ items: [{ component: sampleComponent({ state }) }] }), HERE)
      const { heads, states } = PAGE_WORDS.en
      assert.ok(html.includes(`<title>${heads[state]} · Acme status</title>`))
      assert.match(
        html,
        new RegExp(`<section class="head ${state}">.*<use href="#${state}">.*${heads[state]}`),
      )
      assert.match(
        html,
        new RegExp(`<span class="state ${state}">.*<use href="#${state}">.*${states[state]}</span>`),
      )
      assert.match(html, new RegExp(`<link rel="icon" [^>]*href="/status/acme/assets/icon-${state}.svg`))
      assert.match(html, new RegExp(`og:image" content="https://[^"]*/assets/card-${state}.png`))
    })
  }

  for (const language of PageLanguage.options) {
    it(`is in ${language}, with its dates and numbers`, () => {
      const html = renderStatusPage(troubledPage(), { ...HERE, language })
      const { sections, heads, uptime } = PAGE_WORDS[language]
      assert.ok(html.includes(`<html lang="${language}" dir="ltr">`))
      for (const word of [sections.ongoing, sections.planned, sections.recent, heads.major_outage]) {
        assert.ok(html.includes(word), word)
      }
      assert.ok(html.includes(uptime.rule))
      const others = PageLanguage.options.filter((one) => one !== language)
      for (const other of others) assert.ok(!html.includes(PAGE_WORDS[other].uptime.rule), other)
    })
  }

  const UPTIMES: [what: string, downMs: number, en: string, fr: string][] = [
    ['never down', 0, '100% uptime', '100 % de disponibilité'],
    ['down for a millisecond', 1, '99.99% uptime', '99,99 % de disponibilité'],
    ['down for 1 % and a second of 90 days', 77_761_000, '98.99% uptime', '98,99 % de disponibilité'],
  ]
  for (const [what, downMs, en, fr] of UPTIMES) {
    it(`cuts the uptime of what was ${what}`, () => {
      const day = sampleHistory({ 5: { downMs: Math.min(downMs, 80_000_000) } })
      const upMs = 90 * 86_400_000
      const history = { ...day, uptime: (upMs - downMs) / upMs }
      const model = samplePage({ items: [{ component: sampleComponent({ history }) }] })
      const plain = (html: string) => textOf(html).replaceAll(/[\u00a0\u202f]/g, ' ')
      assert.ok(plain(renderStatusPage(model, HERE)).includes(en))
      assert.ok(plain(renderStatusPage(model, { ...HERE, language: 'fr' })).includes(fr))
    })
  }

  it('tells the numbers of days on which something happened, the newest first, and draws equal days as one', () => {
    const history = sampleHistory({
      40: { downMs: 187_345 },
      3: { maintenanceMs: 3_600_000, unknownMs: 7_200_000 },
      89: null,
      88: null,
    })
    const html = renderStatusPage(samplePage({ items: [{ component: sampleComponent({ history }) }] }), HERE)
    const days = html.slice(html.indexOf('<details class="days"'))
    assert.equal(days.slice(0, days.indexOf('</svg>')).match(/<path /g)?.length, 6)
    assert.match(
      textOf(`<body>${days}`),
      /25 Aug 99\.99% uptime Today 19 Nov 2026: Maintenance: 1 hr, No data: 2 hrs 13 Oct 2026: Outage: 3 mins, 7 secs/,
    )
    assert.match(days, /<title>25\s–\s26 Aug 2026\nNot monitored yet<\/title>/)
    assert.match(days, /<title>13 Oct 2026\nOutage: 3 mins, 7 secs<\/title>/)
    assert.match(days, /<title>20\s–\s22 Nov 2026\nNo outage<\/title>/)
  })

  it('opens groups as they were set, and shows the worst of each', () => {
    const of = (id: number, isOpen: boolean) =>
      sampleGroup({ id, isOpen, components: [sampleComponent({ id: id * 10, state: 'degraded' })] })
    const html = renderStatusPage(
      samplePage({ items: [{ group: of(1, true) }, { group: of(2, false) }] }),
      HERE,
    )
    assert.match(html, /id="g1" open>/)
    assert.match(html, /id="g2">/)
    assert.equal(html.match(/Degraded performance<\/span><\/summary>/g)?.length, 2)
  })

  it('escapes what people wrote, and isolates its direction', () => {
    const name = `"><script>alert('x')</script>&amp; 🚀 مرحبا`
    const model = troubledPage({
      settings: sampleSettings({ name, description: name }),
      items: [{ component: sampleComponent({ name, description: name }) }],
      active: [samplePost({ title: name, components: [{ id: 1, name, state: 'degraded' }] })],
      planned: [samplePlanned({ title: name, note: name })],
    })
    for (const html of [renderStatusPage(model, HERE), renderEmbed(model, HERE)]) {
      assert.equal(html.match(/<script/g)?.length, 1, 'our own')
      const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp; 🚀 مرحبا'
      assert.ok(html.includes(`<bdi>${escaped}</bdi>`))
      assert.ok(!html.includes(`${name}`))
    }
  })

  it('asks for nothing but its own files, and for none of them before it is drawn', () => {
    const html = renderStatusPage(troubledPage({ logoTag: 'abc' }), HERE)
    const loaded = [
      ...html.matchAll(/<(?:img|script|link|use|form|iframe|source)\b[^>]*?(?:src|href|action)="([^"]*)"/g),
    ]
    const addresses = loaded.map(([, address]) => address as string).filter((one) => !one.startsWith('#'))
    assert.deepEqual(
      addresses.filter((one) => !one.startsWith('/status/acme/')),
      ['https://upbeat.example.com/status/acme'],
      'only its canonical address is whole',
    )
    assert.match(html, /<img src="\/status\/acme\/logo\?v=abc" alt="Acme" height="36">/)
    assert.doesNotMatch(html, /rel="stylesheet"|<script(?![^>]* defer>)|style="|<[^>]* on\w+=/)
    const paths = PAGE_FILES.map(({ path }) => `/status/acme${path}`)
    const files = addresses.filter((one) => one.includes('/assets/'))
    assert.deepEqual(
      files.filter((one) => !paths.includes(one.replace(/\?v=[\w-]{8}$/, ''))),
      [],
    )
  })

  it('stays below 50 kB compressed with 50 components of 90 days', () => {
    const bytes = Array.from({ length: 5 }, (_, seed) =>
      bytesOf(renderStatusPage(largePage(50, { seed }), HERE)),
    )
    assert.ok(Math.max(...bytes) < MAX_COMPRESSED_BYTES, `${bytes}`)
    assert.ok(bytesOf(renderStatusPage(largePage(300), HERE)) < MAX_COMPRESSED_BYTES)
  })

  it('keeps the language that the reader chose in every link', () => {
    const html = renderStatusPage(troubledPage(), { ...HERE, language: 'de', isChosen: true })
    for (const path of ['/subscribe', '/posts/41', '/history/2026-11']) {
      assert.ok(html.includes(`href="/status/acme${path}?lang=de"`), path)
    }
    assert.match(html, /<a href="\?lang=ja" lang="ja" hreflang="ja"/)
    const fixed = troubledPage({ settings: sampleSettings({ language: 'de' }) })
    assert.doesNotMatch(renderStatusPage(fixed, { ...HERE, language: 'de' }), /lang=ja/)
  })

  it('is at the root of its own domain', () => {
    const html = renderStatusPage(troubledPage(), { language: 'en', base: '' })
    assert.match(html, /href="\/posts\/41"/)
    assert.match(html, /src="\/assets\/status-page\.js/)
  })

  it('says when it changed; of when it is, only in a copy and where it cannot be brought up to date', () => {
    const of = (at: Date, text: string) => `<time datetime="${at.toISOString()}">${text}</time>`
    const model = samplePage()
    const time = of(AS_OF, '22 Nov 2026, 14:02 UTC')
    const own = renderStatusPage(model, HERE)
    assert.ok(own.includes(`Last change: ${of(model.updatedAt, '22 Nov 2026, 11:02 UTC')}`))
    assert.equal(own, renderStatusPage({ ...model, asOf: new Date(AS_OF.getTime() + 60_000) }, HERE))
    assert.ok(renderStatusPage(model, { ...HERE, isCopy: true }).includes(`As of ${time}`))
    const stale = renderStatusPage(model, { ...HERE, isStale: true })
    assert.ok(stale.includes(`It shows the status of ${time}.`))
  })

  it('has neither feeds nor previews in the head of a page that is not public', () => {
    const model = samplePage({
      settings: sampleSettings({ visibility: 'members', allows_subscribers: false }),
    })
    const html = renderStatusPage(model, { ...HERE, feedBase: '/status/acme/private/token' })
    assert.match(html, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(html, /og:|rel="canonical"|rel="alternate"|\/subscribe/)
    assert.match(html, /href="\/status\/acme\/private\/token\/feed\.rss"/)
  })

  const SECTIONS: [what: string, own: Parameters<typeof samplePage>[0], ongoing: number, planned: number][] =
    [
      ['an open incident', { active: [samplePost()] }, 1, 0],
      ['a window that applies', { planned: [samplePlanned({ isRunning: true })] }, 1, 0],
      ['a window to come', { planned: [samplePlanned()] }, 0, 1],
      [
        'announced work, which is open and to come',
        {
          active: [samplePost({ kind: 'maintenance', phase: 'scheduled' })],
          planned: [samplePlanned({ postId: 41 })],
        },
        0,
        1,
      ],
      [
        'work in progress, which is open and applies',
        {
          active: [samplePost({ kind: 'maintenance', phase: 'in_progress' })],
          planned: [samplePlanned({ postId: 41, isRunning: true })],
        },
        1,
        0,
      ],
      [
        'announced work that has begun while nobody said so',
        {
          active: [samplePost({ kind: 'maintenance', phase: 'scheduled' })],
          planned: [samplePlanned({ postId: 41, isRunning: true })],
        },
        1,
        0,
      ],
    ]
  for (const [what, own, ongoing, planned] of SECTIONS) {
    it(`shows once ${what}`, () => {
      const html = renderStatusPage(samplePage(own), HERE)
      const count = (name: string) =>
        html
          .split(`<section aria-labelledby="${name}">`)[1]
          ?.split('</section>')[0]
          ?.match(/<article/g)?.length ?? 0
      assert.deepEqual([count('ongoing'), count('planned')], [ongoing, planned])
    })
  }

  it('shows the newest updates of a post, and leads to all of them', () => {
    const updates = Array.from({ length: 9 }, (_, index) =>
      sampleUpdate({ id: index, at: hoursAgo(index), body: `Update number ${index}.` }),
    )
    const text = textOf(renderStatusPage(samplePage({ active: [samplePost({ updates })] }), HERE))
    assert.match(text, /number 0.*number 1.*number 2/)
    assert.doesNotMatch(text, /number 3/)
    assert.match(text, /All 9 updates/)
  })

  it('is framed by nobody, but for what is made for it', () => {
    const look = sampleSettings({ accent_color: '#ffd400' })
    const policy = statusPageHeaders(look)['content-security-policy'] as string
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'$/)
    const embed = statusPageHeaders(look, { isEmbed: true })['content-security-policy'] as string
    assert.match(embed, /frame-ancestors \*$/)
    assert.doesNotMatch(policy, /unsafe/)
    const html = renderEmbed(troubledPage({ settings: look }), HERE)
    assert.ok(html.includes(`<style>${styleOf(look)}</style>`))
    assert.ok(html.includes('<base target="_blank">'))
  })

  it('has the colors that were chosen and no others', () => {
    assert.match(styleOf({ theme: 'auto', accent_color: null }), /prefers-color-scheme:dark/)
    assert.doesNotMatch(styleOf({ theme: 'light', accent_color: null }), /color-scheme:dark/)
    assert.doesNotMatch(styleOf({ theme: 'dark', accent_color: null }), /color-scheme:light/)
    assert.match(styleOf({ theme: 'light', accent_color: '#ffd400' }), /--ground:#ffd400;--on-ground:#000000/)
  })

  it('says that it is empty', () => {
    assert.ok(renderStatusPage(samplePage({ items: [] }), HERE).includes(PAGE_WORDS.en.empty))
  })
})

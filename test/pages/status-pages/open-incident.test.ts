import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PostPhase } from '../../../src/core/status-pages/post.ts'
import { PAGE_WORDS } from '../../../src/core/status-pages/words/words.ts'
import { renderEmbed } from '../../../src/pages/status-pages/embed.ts'
import { renderHistoryPage } from '../../../src/pages/status-pages/history-page.ts'
import { renderPostPage } from '../../../src/pages/status-pages/post-page.ts'
import { renderPreview } from '../../../src/pages/status-pages/preview.ts'
import { renderStatusPage } from '../../../src/pages/status-pages/status-page.ts'
import { AS_OF, hoursAgo, samplePage, samplePost, sampleUpdate } from '../../support/status-pages/models.ts'

const HERE = { language: 'en', base: '/status/acme' } as const

/** A post as a person publishes it who leaves all components at "Not affected". */
function silentPost(phase: PostPhase) {
  const resolvedAt = phase === 'resolved' ? hoursAgo(0.5) : null
  return samplePost({
    impact: 'operational',
    components: [],
    resolvedAt,
    updates: [sampleUpdate({ phase, impacts: [] })],
  })
}

describe('an incident without components', () => {
  for (const phase of ['investigating', 'identified', 'monitoring', 'resolved'] as const) {
    const post = silentPost(phase)
    const isOpen = phase !== 'resolved'
    const page = samplePage(isOpen ? { active: [post] } : { recent: [post] })
    const shown = {
      'the page': renderStatusPage(page, HERE),
      'its preview': renderPreview(page).html,
      'its own page': renderPostPage(page, post, HERE),
      'past posts': renderHistoryPage(page, { month: AS_OF, posts: [post] }, HERE),
      ...(isOpen && { 'the embedded page': renderEmbed(page, HERE) }),
    }
    for (const [place, html] of Object.entries(shown)) {
      it(`has the phase ${phase} as its badge on ${place}, and names no component`, () => {
        const [article = ''] = html.match(/<article.*?<\/article>/s) ?? []
        assert.match(article, new RegExp(`<span class="state \\w+">.*${PAGE_WORDS.en.phases[phase]}</span>`))
        assert.equal(/operational/i.test(article), !isOpen, 'green only once it is over')
        assert.ok(!article.includes(PAGE_WORDS.en.states.operational))
        assert.ok(article.includes('No affected component is named.'))
      })
    }
    it(`leaves the page ${isOpen ? 'amber' : 'green'} while it is ${phase}`, () => {
      const { heads } = PAGE_WORDS.en
      for (const html of [renderStatusPage(page, HERE), ...(isOpen ? [renderEmbed(page, HERE)] : [])]) {
        const [, state, head] =
          html.match(/<section class="head (\w+)"><h2 id="head">.*?<\/svg>([^<]*)</) ?? []
        assert.deepEqual(
          [state, head],
          isOpen ? ['degraded', heads.incident] : ['operational', heads.operational],
        )
      }
      assert.match(
        renderStatusPage(page, HERE),
        isOpen ? /og:description" content="Ongoing incident".*card-degraded/s : /card-operational/,
      )
    })
  }
})

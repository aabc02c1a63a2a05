import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  COMPONENT_STATES,
  type ComponentState,
  worstState,
} from '../../../src/core/status-pages/component-state.ts'
import { atlassianDocuments } from '../../../src/core/status-pages/documents/atlassian.ts'
import { feedOf } from '../../../src/core/status-pages/documents/feed.ts'
import { pageBadge } from '../../../src/core/status-pages/documents/page-badge.ts'
import { isOver, type PostKind, phasesOf } from '../../../src/core/status-pages/post.ts'
import { headOfPage, pageState, toneOfPost } from '../../../src/core/status-pages/post-tone.ts'
import { sampleComponent, samplePage, samplePost, sampleUpdate } from '../../support/status-pages/models.ts'

const CALM: ReadonlySet<ComponentState> = new Set(['operational', 'unknown', 'maintenance'])

/** An incident without components, on a page on which all is well. */
const silentPost = (phase: 'investigating' | 'identified' | 'monitoring') =>
  samplePost({ impact: 'operational', components: [], updates: [sampleUpdate({ phase, impacts: [] })] })

describe('the color of a post', () => {
  for (const kind of ['incident', 'maintenance'] as PostKind[]) {
    for (const phase of phasesOf(kind)) {
      for (const impact of COMPONENT_STATES) {
        it(`of ${kind} ${phase}, which said ${impact}`, () => {
          const tone = toneOfPost({ kind, phase, impact })
          assert.equal(tone === 'operational', isOver(phase), 'green only once it is over')
          if (kind === 'incident' && !isOver(phase)) assert.ok(!CALM.has(tone), tone)
          if (!isOver(phase) && phase !== 'scheduled') assert.equal(worstState([tone, impact]), tone)
        })
      }
    }
  }
})

describe('a page with an open incident', () => {
  for (const state of COMPONENT_STATES) {
    it(`is never well, though its components are ${state}`, () => {
      const items = [{ component: sampleComponent({ state }) }]
      const whole = pageState([state], [silentPost('monitoring')])
      assert.equal(whole, worstState([state, 'degraded']))
      assert.equal(headOfPage({ state: whole, items }), CALM.has(state) ? 'incident' : state)
    })
  }

  it('is well again with the last post that is over, and before maintenance begins', () => {
    assert.equal(pageState(['operational'], [{ kind: 'incident', phase: 'resolved' }]), 'operational')
    assert.equal(pageState(['operational'], [{ kind: 'maintenance', phase: 'scheduled' }]), 'operational')
    assert.equal(pageState(['operational'], [{ kind: 'maintenance', phase: 'in_progress' }]), 'maintenance')
  })

  for (const phase of ['investigating', 'identified', 'monitoring'] as const) {
    it(`says so in the badge, in feeds and in Statuspage's documents while it is ${phase}`, () => {
      const page = samplePage({ active: [silentPost(phase)] })
      assert.equal(pageBadge(page).message, 'Ongoing incident')
      const [entry] = feedOf(page, (body) => body).entries
      assert.match(entry?.content ?? '', /No affected component is named/)
      const documents = atlassianDocuments(page)
      const summary = documents['api/v2/summary.json'] as {
        status: object
        incidents: { status: string; impact: string }[]
      }
      assert.deepEqual(summary.status, { indicator: 'minor', description: 'Partially Degraded Service' })
      assert.deepEqual(
        summary.incidents.map(({ status, impact }) => ({ status, impact })),
        [{ status: phase, impact: 'minor' }],
      )
    })
  }
})

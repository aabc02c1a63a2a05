import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PageLanguage } from '../../../src/core/language/page-languages.ts'
import { contrastOf } from '../../../src/core/status-pages/accent.ts'
import { COMPONENT_STATES } from '../../../src/core/status-pages/component-state.ts'
import { ATLASSIAN_PATHS } from '../../../src/core/status-pages/documents/atlassian.ts'
import { MACHINE_PATHS } from '../../../src/core/status-pages/documents/machine-documents.ts'
import { pageBadge } from '../../../src/core/status-pages/documents/page-badge.ts'
import type { PageModel } from '../../../src/core/status-pages/page-model.ts'
import { renderMachineDocuments } from '../../../src/pages/status-pages/machine-documents.ts'
import { ALL_PAGES, eventfulPage } from '../../support/status-pages/all-pages.ts'
import { hoursAgo, sampleComponent, samplePage, sampleSettings } from '../../support/status-pages/models.ts'
import { elementsIn, readXml, textIn } from '../../support/status-pages/xml.ts'

/** Reads a document by the type that it is served with. */
const READERS: Record<string, (body: string) => unknown> = {
  'application/json': JSON.parse,
  'application/feed+json': JSON.parse,
  'application/rss+xml': readXml,
  'application/atom+xml': readXml,
  'image/svg+xml': readXml,
  'text/calendar': (body) => assert.match(body, /^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/),
}

describe('the documents for programs', () => {
  it('are each at the path that it is known for, once', async () => {
    const paths = (await renderMachineDocuments(samplePage())).map(({ path }) => path)
    const known = [...ATLASSIAN_PATHS, 'feed.rss', 'feed.atom', 'feed.json', 'maintenance.ics', 'badge.svg']
    assert.deepEqual(paths, known)
    assert.deepEqual(MACHINE_PATHS, known)
  })

  for (const [name, model] of Object.entries(ALL_PAGES)) {
    it(`are what their type says, of a page that is ${name}`, async () => {
      for (const { type, body } of await renderMachineDocuments(model)) {
        const [essence = '', charset] = type.split('; ')
        assert.equal(charset, 'charset=utf-8')
        READERS[essence]?.(body)
        assert.ok(READERS[essence], essence)
      }
    })
  }

  it('stay as they are until the page changes, so that readers are told that nothing did', async () => {
    const [one, other] = await Promise.all(
      [hoursAgo(1), hoursAgo(0)].map((asOf) => renderMachineDocuments(eventfulPage({ asOf }))),
    )
    assert.deepEqual(one, other)
  })

  it('name the secret address of a private page in its feeds only', async () => {
    const base = 'https://upbeat.example.com/status/acme/private/token'
    const documents = await renderMachineDocuments(samplePage(), { feedBase: base })
    const naming = documents.filter(({ body }) => body.includes('private/token')).map(({ path }) => path)
    assert.deepEqual(naming, ['feed.rss', 'feed.atom', 'feed.json'])
  })
})

describe('the badge of a status page', () => {
  const badgeOf = async (model: PageModel) => {
    const documents = await renderMachineDocuments(model)
    return readXml(documents.find(({ path }) => path === 'badge.svg')?.body ?? '')
  }

  it('says the state in words', async () => {
    const titles = await Promise.all(
      COMPONENT_STATES.map(async (state) => {
        const items = [{ component: sampleComponent({ state }) }]
        return textIn(await badgeOf(samplePage({ items })), 'title')
      }),
    )
    assert.deepEqual(titles, [
      'status: Operational',
      'status: No data',
      'status: Maintenance',
      'status: Degraded performance',
      'status: Partial outage',
      'status: Major outage',
    ])
  })

  it('is a picture in every language', async () => {
    for (const language of PageLanguage.options) {
      const svg = await badgeOf(samplePage({ settings: sampleSettings({ language }) }))
      assert.equal(elementsIn(svg, 'title').length, 1)
    }
  })

  it('has a color of its own for each state, on which white can be read', () => {
    const colors = COMPONENT_STATES.map((state) => pageBadge(samplePage({ state })).color)
    assert.equal(new Set(colors).size, colors.length)
    for (const color of colors) assert.ok(contrastOf('#ffffff', color) >= 4.5, color)
  })
})

// npm test leaves this out: it asks Chromium itself how it treats each kind of insecure content (seconds of a browser).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mixedContent } from '../../../../src/core/sites/crawl/mixed-content.ts'
import { type ReadPage, readPage, readStylePage } from '../../../../src/core/sites/crawl/page.ts'
import { type MixedPage, startMixedPages, type Treatment } from '../../../support/sites/mixed-in-chromium.ts'
import { MIXED_ROWS } from '../../../support/sites/mixed-rows.ts'

/** The treatments that a crawl says, of a page and its files. */
function said({ html, files = {}, headers = {} }: MixedPage) {
  const policy = headers['Content-Security-Policy'] ?? ''
  const pages: ReadPage[] = [readPage(html), ...Object.values(files).map(({ body }) => readStylePage(body))]
  const found = pages.flatMap((page) => mixedContent('https://page.example/', page, policy))
  return [...new Set(found.map(({ treatment }) => treatment))]
}

/**
 * The treatments by Chromium that agree with what a crawl says. It warns of forms in a window that this one has not, and asks for leave where
 * there is somebody to ask: here it sends, and loads.
 */
const DOES: Record<string, Treatment[]> = {
  blocked: ['blocked'],
  upgraded: ['upgraded'],
  warned: ['loaded'],
  asked: ['loaded', 'blocked'],
  none: ['loaded', 'upgraded', 'unused'],
}

describe('mixed content, as Chromium treats it', () => {
  const scope: { after: (close: () => Promise<void>) => void; ends: (() => Promise<void>)[] } = {
    ends: [],
    after: (close) => void scope.ends.push(close),
  }
  let treat: Awaited<ReturnType<typeof startMixedPages>>
  before(async () => {
    treat = await startMixedPages(scope)
  })
  after(async () => {
    for (const end of scope.ends.reverse()) await end()
  })

  for (const row of MIXED_ROWS) {
    const page: MixedPage = typeof row === 'string' ? { html: row } : row
    const sheets = Object.values(page.files ?? {}).map(({ body }) => body)
    it([page.html, ...sheets, ...Object.values(page.headers ?? {})].join(' '), async () => {
      const done = await treat(page)
      const [one = 'none', ...more] = said(page)
      assert.deepEqual(more, [])
      assert.ok(DOES[one]?.includes(done), `a crawl says ${one}, Chromium: ${done}`)
      // An address is upgraded without a word of ours by the policy of the page, or because it was written without a protocol.
      if (one === 'none' && done === 'upgraded')
        assert.match(JSON.stringify(page), /upgrade-insecure-requests|=\\"\/\//)
    })
  }
})

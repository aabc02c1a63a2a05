import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServedPage } from '../../../src/operations/status-pages/serving/followed-pages.ts'
import { createDocumentWriter, wishOf } from '../../../src/pages/status-pages/serving/documents.ts'
import { samplePage } from '../../support/status-pages/models.ts'

const TOKEN = '7d3f2f0e-0000-4000-8000-000000000000'
const PAGE = { id: 7, feedToken: TOKEN, language: 'en' } as ServedPage

const wish = (isOpen: boolean, isStale = false) =>
  wishOf({
    route: { kind: 'document', name: 'feed.atom', feedToken: null },
    ...{ language: 'en', isChosen: false, isEmbed: false, isStale, isOpen, base: '' },
  })

describe('documents of a status page', () => {
  it('hold the token of private ones only while not everybody sees them, also when that just changed', async () => {
    const write = createDocumentWriter({ offersMail: false, readLogo: async () => null })
    const model = samplePage()
    // Both are made of the same model, as what was asked for before a change is made again for a while.
    for (const isOpen of [false, true, false]) {
      const file = await write(PAGE, model, [], wish(isOpen))
      assert.equal(file?.file.plain.toString().includes(TOKEN), !isOpen)
    }
  })

  it('for programs say of when they are while the records are away, and are the same bytes', async () => {
    const write = createDocumentWriter({ offersMail: false, readLogo: async () => null })
    const model = samplePage()
    const [now, stale] = [
      await write(PAGE, model, [], wish(true)),
      await write(PAGE, model, [], wish(true, true)),
    ]
    const at = model.asOf.toUTCString()
    for (const form of ['plain', 'kept', 'gzip'] as const) {
      const head = stale?.heads[form] ?? []
      assert.equal(head[head.indexOf('warning') + 1], `110 - "Response is Stale" "${at}"`)
      assert.equal(head[head.indexOf('last-modified') + 1], at)
      assert.ok(!now?.heads[form].includes('warning'))
    }
    assert.deepEqual(stale?.file.plain, now?.file.plain)
  })
})

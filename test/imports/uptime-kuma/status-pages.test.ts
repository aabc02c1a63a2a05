import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { KUMA_CONTENT, writeKumaDatabase } from '../../support/imports/kuma-database.ts'
import { notesOn, readExport, TERMS } from '../../support/imports/read-exports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('the status pages of a kuma.db', () => {
  async function readDatabase(t: TestContext) {
    const file = join(temporaryFolder(t), 'kuma.db')
    writeKumaDatabase(file, KUMA_CONTENT)
    return await readExport('uptime-kuma', [file], TERMS)
  }

  it('come over with their settings, groups and monitors, in their order', async (t) => {
    const { pages } = await readDatabase(t)
    const shown = pages.map(({ page, isPublished, groups }) => ({
      settings: [page.name, page.slug, page.description, page.theme, page.visibility],
      isPublished,
      groups: groups.map(({ name, monitors }) => [name, ...monitors].join(', ')),
    }))
    assert.deepEqual(shown, [
      {
        settings: ['Our shop', 'shop', 'How *it* is.', 'dark', 'public'],
        isPublished: true,
        groups: ['First, Shop, Mail server', 'Later, Nightly backup'],
      },
      {
        settings: ['Our shop (2)', 'in-house', '', 'auto', 'public'],
        isPublished: false,
        groups: ['All, Shop (2)'],
      },
    ])
  })

  it('are listed with what they lose', async (t) => {
    const outcome = await readDatabase(t)
    assert.deepEqual(notesOn(outcome, 'status page Our shop'), [
      'also showed what did not come over: Names, Database',
      'was at status.shop.example: add and prove that domain in the dashboard',
      'showed a message that is left there: post it in the dashboard',
      'had a logo: set it in the dashboard',
    ])
    assert.deepEqual(notesOn(outcome, 'status page Our shop (2)'), [
      'is called so here: the name "Our shop" is taken',
      'had a style sheet: pages here have colors alone',
    ])
    const hidden = 'was on no status page: here it is on each that shows its monitors'
    const onPages = outcome.notes.filter(({ note }) => note === hidden).map(({ what }) => what)
    assert.ok(
      onPages.includes('maintenance window Deploys') && !onPages.includes('maintenance window Reboots'),
    )
  })
})

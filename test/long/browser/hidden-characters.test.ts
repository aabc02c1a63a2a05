// npm test leaves this out: it opens every screen, with odd names in every record (a minute of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { hiddenCharacter } from '../../../src/core/language/hidden-characters.ts'
import { type Gallery, openGallery } from '../../support/browser/every-screen.ts'
import { openScreen, untilLoaded } from '../../support/browser/screens.ts'
import { suiteScope } from '../../support/scope.ts'
import { until } from '../../support/until.ts'

/** An override that makes `abc\u202egnp.exe` read as a picture, in every text of every record, as older releases took it. */
const TURNED = '\u202egnp.exe'
const COLUMNS = [
  ...['name', 'title', 'description', 'body', 'note', 'notes', 'text', 'cause', 'error_message', 'label'],
  ...[
    'policy_name',
    'schedule_name',
    'snooze_reason',
    'ignored_reason',
    'told_cause',
    'user_agent',
    'subject',
  ],
]
/** Names of other things than what people name. */
const OTHER_TABLES = ['migrations']

describe('names of older releases that turn their neighbours', () => {
  const scope = suiteScope()
  let gallery: Gallery

  before(async () => {
    gallery = await openGallery(scope)
    const { pool } = gallery.services.db
    const { rows } = await pool.query<{ table_name: string; column_name: string }>(
      `SELECT c.table_name, c.column_name FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'text'
         AND c.column_name = ANY($1) AND NOT c.table_name = ANY($2)`,
      [COLUMNS, OTHER_TABLES],
    )
    assert.ok(rows.length > 30, String(rows.length))
    for (const { table_name, column_name } of rows) {
      await pool.query(
        `UPDATE ${table_name} SET ${column_name} = left(${column_name}, 200) || $1 WHERE ${column_name} <> ''`,
        [TURNED],
      )
    }
  })

  it('turn and hide nothing on any screen, nor in the title of its tab', async () => {
    const { inside, screens } = gallery
    const answers: string[] = []
    inside.on('response', async (response) => {
      const type = response.headers()['content-type'] ?? ''
      if (/json/.test(type)) answers.push(`${response.url()} ${await response.text().catch(() => '')}`)
    })
    let shown = 0
    for (const { page, path } of screens) {
      if (page !== inside) continue
      await openScreen(page, path)
      await untilLoaded(page)
      const text = await page.evaluate<string>(
        `[document.title, document.body.innerText, ...[...document.querySelectorAll('*')].flatMap((element) =>
          [...element.attributes].map(({ value }) => value).concat('value' in element ? String(element.value) : []))].join('\\n')`,
      )
      assert.equal(hiddenCharacter(text, 'lines'), null, path)
      if (text.includes('�gnp.exe')) shown++
    }
    assert.ok(shown > 30, `only ${shown} screens show a name`)
    for (const answer of answers) assert.equal(hiddenCharacter(answer, 'lines'), null, answer.slice(0, 200))
  })

  it('turn nothing on a status page, in its documents and in its feeds', async () => {
    const { url, services, demo, inside } = gallery
    const { rows } = await services.db.pool.query<{ slug: string }>(
      'SELECT slug FROM status_pages WHERE id = $1',
      [demo.pages.shop],
    )
    const page = `${url}/status/${rows[0]?.slug}`
    // A page is built again when it changes.
    const path = `${url}/app/teams/${demo.id}/status-pages/${demo.pages.shop}`
    const description = 'The shop, and everything behind it.'
    const changed = await inside.request.patch(path, { headers: { origin: url }, data: { description } })
    assert.equal(changed.status(), 200, await changed.text())
    await until('the page is built again', async () =>
      (await (await fetch(page)).text()).includes(description),
    )
    for (const path of [
      '',
      '/feed.atom',
      '/feed.rss',
      '/feed.json',
      '/api/v2/summary.json',
      '/api/v2/incidents.json',
    ]) {
      const answer = await fetch(`${page}${path}`)
      const text = await answer.text()
      assert.equal(answer.status, 200, path)
      assert.equal(hiddenCharacter(text, 'lines'), null, path)
      assert.match(text, /�gnp\.exe/, path)
    }
  })
})

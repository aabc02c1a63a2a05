// npm test leaves this out: it reads exports that were made to cost memory and time, to their bounds (nine seconds of a core).
import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import type { ImportKind } from '../../../src/core/moving-in/kinds.ts'
import { readExportApart } from '../../../src/imports/read-apart.ts'
import { KUMA_CONTENT, writeKumaDatabase } from '../../support/imports/kuma-database.ts'
import { exportFile, printed, readExport, readExports, TERMS } from '../../support/imports/read-exports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const MANY = 600_000
/** The number for texts, whose parsers are slower. */
const MORE = 12_000

const repeated = (entry: string, count: number, between = ',') => Array(count).fill(entry).join(between)

describe('an export with more records than are taken ends with the bound', () => {
  const table: [kind: ImportKind, what: string, content: () => string, said: RegExp][] = [
    [
      'uptime-kuma',
      'monitors in a backup',
      () => `{"monitorList": [${repeated('{"type":"push","interval":60}', MORE)}]}`,
      /it has more than 10000 monitors/,
    ],
    [
      'uptime-kuma',
      'contacts in a backup',
      () =>
        `{"monitorList": [], "notificationList": [${Array.from(
          { length: MORE },
          (_, id) =>
            `{"id":${id},"name":"n","config":"{\\"type\\":\\"webhook\\",\\"webhookURL\\":\\"https://x.example/${id}\\"}"}`,
        ).join()}]}`,
      /it has more than 10000 contacts/,
    ],
    [
      'healthchecks',
      'records that cannot come over',
      () => `{"checks": [${repeated('{"name":"a"}', MORE)}]}`,
      /it has more than 10000 (monitors|records that cannot come over)/,
    ],
    [
      'uptimerobot',
      'lines of a CSV',
      () => `Type,Friendly Name,URL\n${repeated('HTTP,a,https://a.example/', MORE, '\n')}`,
      /it has more than 10000 monitors/,
    ],
    [
      'gatus',
      'endpoints',
      () => `endpoints:\n${repeated('  - {url: "https://a.example/"}', 10_001, '\n')}`,
      /it has more than 10000 (monitors|records that cannot come over)/,
    ],
    [
      'postman',
      'requests that cannot come over',
      () =>
        `{"info": {"schema": "/collection/v2.1.0/"}, "item": [${repeated('{"request": "{{x}}"}', 10_001)}]}`,
      /it has more than 10000 records that cannot come over/,
    ],
  ]
  for (const [kind, what, content, said] of table) {
    it(`${kind}: ${what}`, async (t) => {
      const file = join(temporaryFolder(t), 'export')
      writeFileSync(file, content())
      await assert.rejects(readExport(kind, [file], TERMS), said)
    })
  }

  it('and many files together have the bound of one', async (t) => {
    const folder = temporaryFolder(t)
    const files = ['a', 'b'].map((name) => join(folder, name))
    for (const file of files) {
      writeFileSync(file, '')
      truncateSync(file, 40 * 1024 * 1024)
    }
    await assert.rejects(
      readExport('gatus', files, TERMS),
      /b is larger than .*all files together may have 64 MiB/,
    )
    await assert.rejects(readExport('gatus', Array(1_001).fill(files[0]), TERMS), /at most 1000 are read/)
  })

  it('and what is nested without end is refused', async (t) => {
    const file = join(temporaryFolder(t), 'export')
    writeFileSync(file, `endpoints: ${'['.repeat(100_000)}`)
    await assert.rejects(readExport('gatus', [file], TERMS), /nested too deeply|no valid YAML/)
  })
})

/** A database that the statements make, beside the tables of Uptime Kuma if `content` says so. */
function database(t: TestContext, sql: string, withTables = false): string {
  const file = join(temporaryFolder(t), 'kuma.db')
  if (withTables) writeKumaDatabase(file, KUMA_CONTENT)
  const made = new DatabaseSync(file)
  made.exec(sql)
  made.close()
  return file
}

const NUMBERS = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT`

describe('a hostile database', () => {
  const table: [what: string, sql: string, said: RegExp, withTables?: boolean][] = [
    [
      '600,000 monitors',
      `CREATE TABLE monitor (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO monitor ${NUMBERS(MANY)} i, 'm' FROM n`,
      /it has more than 10000 monitors/,
    ],
    [
      'a value of 100 MB',
      `CREATE TABLE monitor (id INTEGER PRIMARY KEY, name BLOB); INSERT INTO monitor VALUES (1, zeroblob(100000000))`,
      /it cannot be read as a database: .*too big/,
    ],
    [
      'values that fill the memory together',
      `CREATE TABLE monitor (id INTEGER PRIMARY KEY, name BLOB); INSERT INTO monitor ${NUMBERS(200)} i, zeroblob(1000000) FROM n`,
      /it holds more than 64 MiB of settings/,
    ],
    [
      'a value that grows when it is read',
      `CREATE TABLE monitor (id INTEGER PRIMARY KEY, name GENERATED ALWAYS AS (hex(zeroblob(400000000))));
       INSERT INTO monitor (id) VALUES (1)`,
      /it cannot be read as a database: /,
    ],
    [
      'a view without end in the place of a table',
      `CREATE VIEW monitor AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n`,
      /it is a database without monitors of Uptime Kuma/,
    ],
    [
      'a virtual table in the place of a table',
      `CREATE VIRTUAL TABLE monitor USING fts5(name); INSERT INTO monitor VALUES ('x')`,
      /it is a database without monitors of Uptime Kuma/,
    ],
    [
      'attachments without end',
      `INSERT INTO monitor_notification (monitor_id, notification_id) ${NUMBERS(200_001)} 1, 1 FROM n`,
      /it has more than 200000 rows in monitor_notification/,
      true,
    ],
    [
      'settings without end',
      `INSERT INTO setting (key, value) ${NUMBERS(20_000)} i, 'x' FROM n`,
      /it has more than 10000 settings/,
      true,
    ],
  ]
  for (const [what, sql, said, withTables] of table) {
    it(`with ${what} is refused`, async (t) => {
      const file = database(t, sql, withTables)
      await assert.rejects(readExport('uptime-kuma', [file], TERMS), said)
    })
  }

  it('with triggers and more results than are counted is read as ever', async (t) => {
    const file = database(
      t,
      `CREATE TRIGGER t AFTER INSERT ON monitor BEGIN DELETE FROM monitor; END;
       INSERT INTO heartbeat (monitor_id, status, time) ${NUMBERS(1_000_001)} 1, 1, '' FROM n`,
      true,
    )
    const { declaration, skipped } = await readExport('uptime-kuma', [file], TERMS)
    assert.ok(declaration.monitors.length > 0)
    assert.ok(skipped.some(({ what }) => what === 'results of checks (1000000)'))
  })
})

describe('an export that is read in a process of its own', () => {
  it('gives the same outcome', async () => {
    const files = ['gatus.yaml']
    const here = await readExports('gatus', ...files)
    const apart = printed(await readExportApart('gatus', files.map(exportFile), TERMS))
    assert.deepEqual(apart, here)
  })

  it('is refused in the same words', async (t) => {
    const file = join(temporaryFolder(t), 'export')
    writeFileSync(file, '[]')
    await assert.rejects(readExportApart('healthchecks', [file], TERMS), /export: it has no "checks"/)
    await assert.rejects(readExportApart('healthchecks', ['/nowhere/x'], TERMS), /ENOENT/)
  })

  it('is given up when it takes more memory than it may', async (t) => {
    const file = join(temporaryFolder(t), 'export')
    writeFileSync(file, `{"checks": [${repeated('{}', 6_000_000)}]}`)
    const bounds = { ms: 600_000, memoryBytes: 160 * 1024 * 1024 }
    await assert.rejects(
      readExportApart('healthchecks', [file], TERMS, bounds),
      /export: to read it takes more than 160 MiB of memory/,
    )
  })

  it('is given up when it takes longer than it may', async (t) => {
    const file = join(temporaryFolder(t), 'kuma.db')
    writeKumaDatabase(file, KUMA_CONTENT)
    // A process alone takes longer than this to start.
    await assert.rejects(
      readExportApart('uptime-kuma', [file], TERMS, { ms: 1, memoryBytes: 1024 ** 3 }),
      /kuma\.db: to read it takes more than 0\.001 seconds/,
    )
  })
})

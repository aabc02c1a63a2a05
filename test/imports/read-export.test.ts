import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { ImportKind } from '../../src/core/moving-in/kinds.ts'
import { readCsv } from '../../src/imports/csv.ts'
import { readExport } from '../../src/imports/read-export.ts'
import { KUMA_CONTENT, writeKumaDatabase } from '../support/imports/kuma-database.ts'
import { exportFile, TERMS } from '../support/imports/read-exports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function refusalOf(t: TestContext, kind: ImportKind, content: string | Buffer): Promise<string> {
  const file = join(temporaryFolder(t), 'export')
  await writeFile(file, content)
  const error = await readExport(kind, [file], TERMS).then(
    () => assert.fail('it was read'),
    (reason: Error) => reason,
  )
  assert.ok(error.message.startsWith(`${file}: `), error.message)
  return error.message.slice(file.length + 2).replaceAll(file, 'FILE')
}

describe('a file that is no export is refused with what is wrong, and nothing of what it holds', () => {
  const table: [kind: ImportKind, content: string, reason: string][] = [
    ['healthchecks', '{"checks": [\n  {"s3cret": 1},\n  oops\n]}', 'it is no valid JSON: line 3, column 3'],
    ['healthchecks', '{"checks": [', 'it is no valid JSON: it ends too early'],
    ['healthchecks', '{"checks": [1 "s3cret"]}', 'it is no valid JSON: line 1, column 15'],
    ['healthchecks', '[]', 'it has no "checks": it takes what GET /api/v3/checks/ answers'],
    ['healthchecks', '{"error": "wrong api key"}', 'it is a refusal of Healthchecks: wrong api key'],
    [
      'uptimerobot',
      '{"stat": "fail", "error": {"message": "api_key is wrong"}}',
      'it is a refusal of UptimeRobot: api_key is wrong',
    ],
    [
      'uptimerobot',
      '{"stat": "ok", "monitors": []}',
      'it has no monitors: it takes what getMonitors (v2) or GET /v3/monitors answers, or the CSV',
    ],
    [
      'gatus',
      'endpoints:\n  - name: a\n url: s3cret\n',
      'it is no valid YAML: All mapping items must start at the same column at line 3, column 1',
    ],
    [
      'gatus',
      'web: 1',
      'it has neither "endpoints" nor "external-endpoints": it takes the config.yaml of Gatus',
    ],
    [
      'uptime-kuma',
      '{"version": "1.22"}',
      'it has no "monitorList": it takes the backup of Uptime Kuma 1.x, or its kuma.db',
    ],
    [
      'uptime-kuma',
      '{"checks": []}',
      'it has no "monitorList": it takes the backup of Uptime Kuma 1.x, or its kuma.db\nIt looks like an export for: upbeat import healthchecks FILE',
    ],
    [
      'postman',
      '{"id": "1", "requests": []}',
      'it is no collection of Postman: export it as Collection v2.1',
    ],
    [
      'healthchecks',
      '{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}',
      'it has no "checks": it takes what GET /api/v3/checks/ answers\nIt looks like an export for: upbeat import postman FILE',
    ],
    [
      'healthchecks',
      'endpoints:\n  - name: a\n',
      'it is no valid JSON: line 1, column 1\nIt looks like an export for: upbeat import gatus FILE',
    ],
  ]
  for (const [kind, content, reason] of table) {
    it(`${kind}: ${JSON.stringify(content)}`, async (t) =>
      assert.equal(await refusalOf(t, kind, content), reason))
  }

  it('not in UTF-8', async (t) => {
    assert.equal(await refusalOf(t, 'gatus', Buffer.from([0x61, 0xff, 0xfe])), 'it is no text in UTF-8')
  })

  it('a database that is broken, or of another program', async (t) => {
    assert.match(
      await refusalOf(t, 'uptime-kuma', `SQLite format 3\0${'x'.repeat(5_000)}`),
      /^it cannot be read as a database: /,
    )
    assert.match(
      await refusalOf(t, 'gatus', 'SQLite format 3\0'),
      /^it is a database, not YAML\n.*import uptime-kuma/,
    )
  })

  it('larger than what is read', async (t) => {
    const file = join(temporaryFolder(t), 'export.json')
    await writeFile(file, '{}')
    await truncate(file, 64 * 1024 * 1024 + 1)
    await assert.rejects(
      readExport('gatus', [file], TERMS),
      /export\.json is larger than the 64 MiB that are read/,
    )
  })

  it('more than one of Uptime Kuma', async () => {
    const files = [exportFile('gatus.yaml'), exportFile('gatus.yaml')]
    await assert.rejects(readExport('uptime-kuma', files, TERMS), /Uptime Kuma has one file/)
  })

  it('not there', async () => {
    await assert.rejects(readExport('gatus', ['/nowhere/config.yaml'], TERMS), /ENOENT/)
  })
})

describe('a kuma.db', () => {
  it('with more monitors than are read is refused', async (t) => {
    const file = join(temporaryFolder(t), 'kuma.db')
    const monitors = Array.from({ length: 10_001 }, (_, index) => ({
      name: `${index}`,
      type: 'push',
      interval: 60,
    }))
    writeKumaDatabase(file, { ...KUMA_CONTENT, monitors })
    await assert.rejects(readExport('uptime-kuma', [file], TERMS), /it has more than 10000 monitors/)
  })
})

describe('a kuma.db with values that nothing made by hand has', () => {
  it('gives every monitor, the odd one as near as can be', async (t) => {
    const file = join(temporaryFolder(t), 'kuma.db')
    const monitors = [
      { name: 'Odd', type: 'push', interval: 1e18 },
      { name: 'Shop', type: 'push', interval: 60 },
    ]
    writeKumaDatabase(file, {
      monitors: monitors.map((each) => ({ ...each, interval: BigInt(each.interval) })),
    })
    const { declaration } = await readExport('uptime-kuma', [file], TERMS)
    assert.deepEqual(
      declaration.monitors.map(({ name, check_interval_seconds }) => [name, check_interval_seconds]),
      [
        ['Odd', 31_536_000],
        ['Shop', 61],
      ],
    )
  })
})

describe('CSV', () => {
  const table: [string, Record<string, string>[]][] = [
    ['a,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['\uFEFFA;B\r\n1;2', [{ a: '1', b: '2' }]],
    ['a,b\n"x, ""y""\nz",2\n\n', [{ a: 'x, "y"\nz', b: '2' }]],
    ['a,b\n1\n', [{ a: '1', b: '' }]],
    ['a,b', []],
  ]
  for (const [text, records] of table)
    it(JSON.stringify(text), () => assert.deepEqual(readCsv(text), records))
})

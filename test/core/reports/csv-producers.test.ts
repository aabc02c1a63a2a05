import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import Papa from 'papaparse'
import * as z from 'zod'
import { findingsCsv } from '../../../dashboard/parts/sites/findings-csv.ts'
import { allOperations } from '../../../src/contract/contract.ts'
import { csvLine } from '../../../src/core/reports/csv.ts'
import { CSV_LISTS } from '../../../src/core/reports/csv-list.ts'
import { reportCsv } from '../../../src/core/reports/report-csv.ts'
import { SiteFinding } from '../../../src/core/sites/site-finding.ts'
import { SubscriberRow } from '../../../src/core/status-pages/shown-post.ts'
import { subscribersCsv } from '../../../src/core/status-pages/subscribers/subscriber.ts'
import { CSV_SOURCES } from '../../../src/operations/reports/csv-lists.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
/** A program may split a file at any of these, or take its line breaks for ends of rows. */
const SEPARATORS = [';', '\t', '|', '\n', '\r\n', '\r']
const SKIPPED = ['', ' ', '\u00a0', '\ufeff', '\u200b', '\u202e', '"', ' "', '""']

/** Texts with a formula as a whole, and behind a separator, each with what is skipped before a sign. */
const hostile = (signs: readonly string[], skipped: readonly string[]) =>
  signs.flatMap((sign) => {
    const formula = `${sign}cmd|' /C calc'!A0`
    const whole = [...skipped, '\t', '\n', '\r\n'].map((lead) => lead + formula)
    const behind = SEPARATORS.flatMap((separator) =>
      skipped.map((lead) => `a${separator}${lead}${formula}${separator}${separator}${lead}${formula}, b`),
    )
    return [...whole, ...behind]
  })
const HOSTILE = hostile(SIGNS, SKIPPED)
/** Producers only have to use the writer. */
const SOME_HOSTILE = hostile(['='], ['', ' "'])

/** Whether a spreadsheet computes a cell: after what some of them skip, a sign, and no plain number. */
function isFormula(cell: string): boolean {
  const text = cell.replace(/^[\s\p{Cf}"]+/u, '')
  return /^[=+\-@＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?"?$/.test(text)
}

/** All cells of a file, as programs find them that know of quotes or do not, whatever they split it at. */
function cellsOf(file: string): string[] {
  const byQuotes = [',', ';', '\t', '|'].flatMap((delimiter) =>
    Papa.parse<string[]>(file, { delimiter }).data.flat(),
  )
  return [
    ...byQuotes,
    ...[';', '\t', '|'].flatMap((delimiter) => file.split(/[\r\n]/).flatMap((line) => line.split(delimiter))),
  ]
}

/** Something of the schema's shape, in which every text is the given one. */
function invent(schema: z.ZodType, text: string): unknown {
  const root = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output', reused: 'inline' })
  const of = (node: Record<string, unknown>): unknown => {
    const options = (node.anyOf ?? node.oneOf) as Record<string, unknown>[] | undefined
    if (options) return of(options.find(({ type }) => type !== 'null') ?? {})
    if ('const' in node) return node.const
    if (node.enum) return (node.enum as unknown[])[0]
    if (node.allOf) return Object.assign({}, ...(node.allOf as Record<string, unknown>[]).map(of))
    if (node.type === 'array') return [of((node.items ?? {}) as Record<string, unknown>)]
    if (node.type === 'object') {
      return Object.fromEntries(
        Object.entries((node.properties ?? {}) as Record<string, Record<string, unknown>>).map(
          ([name, member]) => [name, of(member)],
        ),
      )
    }
    if (node.type === 'integer' || node.type === 'number') return 5
    if (node.type === 'boolean') return true
    return text
  }
  return of(root as Record<string, unknown>)
}

/** Every producer of such a file, by where it is, with the file that it makes of records full of a text. */
const PRODUCERS: Record<string, (text: string) => string> = {
  'dashboard/parts/sites/findings-csv.ts': (text) => {
    const finding = invent(SiteFinding, text) as SiteFinding
    return findingsCsv([finding, { ...finding, sources: [] }])
  },
  'src/core/reports/report-csv.ts': (text) =>
    reportCsv(
      (invent(allOperations.getTeamReport.output, text) as { data: Parameters<typeof reportCsv>[0] }).data,
    ),
  'src/core/status-pages/subscribers/subscriber.ts': (text) =>
    subscribersCsv([invent(SubscriberRow, text) as SubscriberRow]),
  'src/operations/reports/csv-stream.ts': (text) =>
    CSV_LISTS.flatMap((list) => {
      const { operation, columns, rows } = CSV_SOURCES[list]
      const { output } = allOperations[operation] as unknown as { output: z.ZodType }
      const found = [...rows(invent(output, text) as never)]
      assert.ok(found.length > 0, `${list} has a row`)
      return [csvLine(columns), ...found.map(({ cells }) => csvLine(cells))]
    }).join(''),
}

describe('a file for spreadsheets', () => {
  const sources = globSync(['src/**/*.ts', 'dashboard/**/*.{ts,tsx}'], {
    cwd: ROOT,
    exclude: ['dashboard/{dist,node_modules}/**'],
  }).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  const thatHave = (pattern: RegExp) =>
    sources
      .filter(({ text }) => pattern.test(text))
      .map(({ path }) => path)
      .sort()

  it('is written by one writer, and by the producers that are tried here', () => {
    assert.deepEqual(thatHave(/from '(csv-|papaparse)/), [
      // It reads what people paste.
      'src/core/moving-in/address-list.ts',
      'src/core/reports/csv.ts',
    ])
    assert.deepEqual(thatHave(/\bimport .*\bcsvLine\b/), Object.keys(PRODUCERS))
    // Those that send or save what a producer has made, and one that takes a file.
    assert.deepEqual(thatHave(/text\/csv/), [
      'dashboard/screens/moving-in/add-many.tsx',
      'dashboard/screens/sites/site-findings.tsx',
      'dashboard/screens/status-pages/subscribers.tsx',
      'src/alerts/mail/report-mail.ts',
      'src/api/dashboard.ts',
    ])
  })

  it('holds no formula, wherever it is split', () => {
    const file = HOSTILE.map((text) => csvLine([1, text, text, -0.5])).join('')
    assert.ok(cellsOf(file).length > HOSTILE.length)
    assert.deepEqual(cellsOf(file).filter(isFormula), [])
  })

  for (const [path, produce] of Object.entries(PRODUCERS)) {
    it(`holds none where it comes from ${path}`, () => {
      for (const text of SOME_HOSTILE) {
        const file = produce(text)
        assert.ok(file.includes('cmd'), 'the text is in the file')
        assert.deepEqual(cellsOf(file).filter(isFormula), [], JSON.stringify(text))
      }
    })
  }

  it('holds every text as it was, but for the apostrophes that were put in, and numbers as numbers', () => {
    const bare = (text: string) => text.replaceAll("'", '')
    for (const text of HOSTILE) {
      const [cells] = Papa.parse<string[]>(csvLine([text, -5, -0.25, 'last']), { delimiter: ',' }).data
      assert.deepEqual(cells?.map(bare), [bare(text), '-5', '-0.25', 'last'])
    }
    for (const text of [
      'a;b',
      'a - b',
      'x = y',
      'me@example.com; you@example.com',
      '3 + 4 | 5',
      'a;;b',
      'a\nb',
    ]) {
      const [cells] = Papa.parse<string[]>(csvLine([text]), { delimiter: ',' }).data
      assert.deepEqual(cells, [text])
    }
  })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROLES } from '../../src/config.ts'
import { AlertEvent } from '../../src/core/alerting/alert.ts'
import { CONTACT_TYPES, ContactConfigs, ContactType } from '../../src/core/alerting/contact-types.ts'
import { KIND_ENTRIES } from '../../src/core/maintenance/subject-kind.ts'
import { MaintenanceWindow } from '../../src/core/maintenance/window.ts'
import { CheckStatus } from '../../src/core/monitors/check.ts'
import { MONITOR_TYPES, MonitorType, neededSettings } from '../../src/core/monitors/monitor-types.ts'
import type { CsvList } from '../../src/core/reports/csv-list.ts'
import { ConditionKind, DEFAULT_THRESHOLDS } from '../../src/core/servers/condition.ts'
import { CONDITION_WORDS } from '../../src/core/servers/condition-words.ts'
import { keysOf } from '../../src/core/shape.ts'
import { AREA_NAMES } from '../../src/core/sites/area.ts'
import { Door } from '../../src/core/teams/audit.ts'
import { GATUS_READERS } from '../../src/imports/gatus/alerting.ts'
import { kindLists } from '../support/documents/kind-lists.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The rows below a head, as they stand; empty without such a table. */
function rowsBelow(page: string, head: string): string[] {
  const [, table = ''] = page.split(`\n${head}\n`)
  return (/^\|[-|]+\|\n((?:\|.*\n)+)/.exec(table)?.[1] ?? '').split('\n').filter(Boolean)
}

const cellsOf = (row: string) =>
  row
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .slice(1, -1)
const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code)

/** Tables of docs, by their heads, and what the code has for the first cell of each row. */
const NAMED: [file: string, head: string, names: readonly string[]][] = [
  ['monitors.md', '| Status | Means |', CheckStatus.options],
  ['webhooks.md', '| `event` | Sent when |', AlertEvent.options],
  ['people.md', '| Source | Person |', Door.options],
  ['scaling-out.md', '| Role | Does | In several processes |', ROLES],
  [
    'maintenance.md',
    '| Kind | Applies | At most |',
    MaintenanceWindow.options.map(({ shape }) => shape.kind.value.replace('_', '-')),
  ],
  ['sites.md', '| Area | Checked | Down | Warning |', Object.values(AREA_NAMES)],
  [
    'servers.md',
    '| Condition | Begins | Ends |',
    ConditionKind.options
      .filter((kind) => DEFAULT_THRESHOLDS[kind].is_on)
      .map((kind) => CONDITION_WORDS[kind]),
  ],
]

/** Tables whose second cell has the settings that each needs, or may have. */
const WITH_SETTINGS: [file: string, head: string, settings: Record<string, string[]>][] = [
  [
    'monitors.md',
    '| Type | Needs | Up when |',
    Object.fromEntries(MonitorType.options.map((type) => [type, neededSettings(type)])),
  ],
  [
    'alerts.md',
    '| Type | `config` | Note |',
    Object.fromEntries(ContactType.options.map((type) => [type, Object.keys(ContactConfigs[type].shape)])),
  ],
]

/** How docs/reports.md calls each file; null for those that other pages tell of. */
const FILES = {
  monitors: 'monitors',
  servers: 'servers',
  sites: 'sites',
  incidents: 'incidents',
  'server-incidents': 'incidents',
  'site-incidents': 'incidents',
  checks: 'checks of a monitor',
  expiries: 'expiry dates',
  maintenance: 'maintenance windows',
  deliveries: 'the delivery log',
  'audit-log': 'the audit log',
  report: null,
} satisfies Record<CsvList, string | null>

describe('tables of the documentation have a row for each', () => {
  for (const [file, head, names] of NAMED) {
    it(`${file}: ${head}`, () => {
      const firsts = rowsBelow(read(`docs/${file}`), head).map((row) => cellsOf(row)[0] ?? '')
      assert.deepEqual(firsts.map((cell) => codesIn(cell)[0] ?? cell).sort(), [...names].sort())
    })
  }

  for (const [file, head, settings] of WITH_SETTINGS) {
    it(`${file}: ${head}`, () => {
      const rows = rowsBelow(read(`docs/${file}`), head).map(cellsOf)
      const told = rows.map(([name, codes]) => [codesIn(name)[0], codesIn(codes)])
      assert.deepEqual(told.sort(), Object.entries(settings).sort())
    })
  }
})

describe('texts that name all of a kind', () => {
  const flat = (file: string) => read(file).replaceAll(/\s+/g, ' ')
  /** Where the only mark is the name that a sentence has of a type. */
  const missing = (text: string, types: readonly ContactType[]) =>
    types.filter((type) => !text.includes(CONTACT_TYPES[type].wordInside))

  it('README.md has every way to send alerts', () => {
    const [, list = ''] = /Alerts go by \[(.*?)\]/.exec(flat('README.md')) ?? []
    assert.deepEqual(missing(list, ContactType.options), [])
  })

  it('docs/dashboard.md has every type that a list of monitors may say', () => {
    const [, types = ''] =
      rowsBelow(read('docs/dashboard.md'), '| Column | Takes | Without it |')
        .map(cellsOf)
        .find(([column]) => column === '`type`') ?? []
    assert.deepEqual(codesIn(types).sort(), [...MonitorType.options].sort())
  })

  it('docs/not-available.md names no type that there is', () => {
    const rows = read('docs/not-available.md').split('\n')
    const services = rows.find((row) => row.includes('and other services')) ?? ''
    const checks = rows.find((row) => row.startsWith('| Checks of ')) ?? ''
    const [others = '', targets = ''] = [services, checks].map((row) => cellsOf(row)[0])
    assert.match(others, /Opsgenie/)
    assert.match(targets, /^Checks of \w/)
    const named = ContactType.options.filter((type) => others.includes(CONTACT_TYPES[type].word))
    const checked = MonitorType.options.filter((type) =>
      new RegExp(`\\b(?:${type}|${MONITOR_TYPES[type].word})\\b`, 'i').test(targets),
    )
    assert.deepEqual([named, checked], [[], []])
  })

  it('docs/moving-in.md has the contacts that come over from Gatus and UptimeRobot', () => {
    const sectionOf = (service: string) =>
      flat('docs/moving-in.md')
        .split(' ## ')
        .find((section) => section.startsWith(`${service} `)) ?? ''
    const [, ofGatus = ''] = /Of `alerting`, (.*?) become contacts/.exec(sectionOf('Gatus')) ?? []
    const providers = codesIn(ofGatus).filter((name) => name !== 'sms')
    assert.deepEqual(providers.sort(), keysOf(GATUS_READERS).sort())
    const fromRobot = ContactType.options.filter((type) => 'uptimerobot' in CONTACT_TYPES[type].importNames)
    assert.deepEqual(missing(sectionOf('UptimeRobot'), fromRobot), [])
  })

  it('docs/reports.md has every list that can be saved as a file', () => {
    const [, list = ''] = /downloads it as a CSV file: (.*?)\. /.exec(flat('docs/reports.md')) ?? []
    const items = list.split(/, | and /)
    assert.deepEqual([...new Set(Object.values(FILES).filter((name) => name !== null))].sort(), items.sort())
  })
})

describe('kinds of subjects in the documentation', () => {
  const kinds = keysOf(KIND_ENTRIES)
  const pages = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'))

  it('have a page and metrics each', () => {
    assert.deepEqual(
      kinds.filter((kind) => !pages.includes(`${kind}s.md`)),
      [],
    )
    const metrics = read('docs/prometheus.md')
    const lacking = kinds
      .flatMap((kind) => [`upbeat_${kind}s{status}`, `upbeat_${kind}_up`, `upbeat_team_${kind}s`])
      .filter((metric) => !metrics.includes(`\`${metric}\``))
    assert.deepEqual(lacking, [])
  })

  it('are all there where they are listed', () => {
    const files = ['README.md', ...pages.map((page) => `docs/${page}`)]
    const lists = files.flatMap((file) => kindLists(read(file), kinds).map((found) => ({ file, ...found })))
    assert.ok(lists.length > 10)
    assert.deepEqual(
      lists.filter(({ lacks }) => lacks.length > 0),
      [],
    )
  })
})

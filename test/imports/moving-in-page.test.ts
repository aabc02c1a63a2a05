import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { english, type Said } from '../../src/core/language/said.ts'
import { OTHERWISE, UNASKED, WITHOUT_ASSERTIONS } from '../../src/imports/gatus/condition-reasons.ts'
import { GATUS_PARTS, GATUS_REASONS, GATUS_TYPES } from '../../src/imports/gatus/types.ts'
import { HEALTHCHECKS_DIFFERENCES } from '../../src/imports/healthchecks.ts'
import type { Rule } from '../../src/imports/reasons.ts'
import { KUMA_BLOCKERS, KUMA_DIFFERENCES } from '../../src/imports/uptime-kuma/rules.ts'
import { KUMA_REASONS, KUMA_TYPES } from '../../src/imports/uptime-kuma/types.ts'
import { ROBOT_REASONS, ROBOT_TYPES } from '../../src/imports/uptimerobot/types.ts'
import { ROBOT_BLOCKERS, ROBOT_DIFFERENCES } from '../../src/imports/uptimerobot/uptimerobot.ts'
import { askedBy } from '../support/imports/as-imported.ts'
import { fromGatus, TERMS } from '../support/imports/read-exports.ts'

const page = await readFile(join(import.meta.dirname, '../../docs/moving-in.md'), 'utf8')

function sectionOf(service: string): string {
  return page.split('\n## ').find((section) => section.startsWith(`${service}\n`)) ?? ''
}

/** The rows of a section's table, by its heading. */
function tableOf(section: string, heading: string): Record<string, string> {
  const table = section.split(`| ${heading} |`)[1]?.split('\n\n')[0] ?? ''
  const rows = [...table.matchAll(/^\| (.+?) \| (.+?) \|$/gm)]
  return Object.fromEntries(rows.map(([, left = '', right = '']) => [bare(left), bare(right)]))
}

const bare = (cell: string) => cell.replace(/^`(.*)`$/, '$1')
const pointsOf = (section: string) => [...section.matchAll(/^- (.+)$/gm)].map(([, point]) => point)
const textsOf = (rules: Rule[]) => rules.map(([text]) => english(text))
const printedEach = (...tables: Record<string, Said>[]) =>
  tables.flatMap((table) => Object.values(table).map(english))
const printed = (reasons: Record<string, Said>) =>
  Object.fromEntries(Object.entries(reasons).map(([name, reason]) => [name, english(reason)]))

describe('docs/moving-in.md says of each service what the import does', () => {
  const tables: [service: string, heading: string, mapped: Record<string, string>][] = [
    ['Uptime Kuma', 'Type there | Type here', KUMA_TYPES],
    ['Uptime Kuma', 'Not here | Why, and what to do', printed(KUMA_REASONS)],
    ['Gatus', 'Scheme of the URL | Type here', GATUS_TYPES],
    ['Gatus', 'Not here | Why, and what to do', printed({ ...GATUS_REASONS, ...GATUS_PARTS })],
    ['Gatus', 'Condition not here | Why', printed(UNASKED)],
    ['UptimeRobot', 'Type there | Type here', ROBOT_TYPES],
    ['UptimeRobot', 'Not here | Why, and what to do', printed(ROBOT_REASONS)],
  ]
  for (const [service, heading, mapped] of tables) {
    it(`${service}: ${heading}`, () => {
      assert.deepEqual(tableOf(sectionOf(service), heading), mapped)
    })
  }

  it('and not that something is missing here which comes over', () => {
    const services = [
      [KUMA_TYPES, KUMA_REASONS],
      [GATUS_TYPES, GATUS_REASONS],
      [ROBOT_TYPES, ROBOT_REASONS],
    ] as const
    const both = services.flatMap(([types, reasons]) => Object.keys(types).filter((name) => name in reasons))
    assert.deepEqual(both, [])
  })

  const becoming = Object.entries(tableOf(sectionOf('Gatus'), 'Condition | Becomes'))
  for (const [condition, asked] of becoming)
    it(`Gatus: what ${condition} becomes`, () => {
      const one = { name: 'One', url: 'https://one.example/', conditions: [condition] }
      const [monitor] = fromGatus([{ endpoints: [one] }], TERMS).declaration.monitors
      assert.equal(monitor && askedBy(monitor).join('`, `'), asked)
    })

  it('Gatus: what becomes of a dozen conditions', () => assert.ok(becoming.length >= 12))

  const points: [service: string, texts: string[]][] = [
    ['Uptime Kuma', textsOf([...KUMA_BLOCKERS, ...KUMA_DIFFERENCES])],
    ['Healthchecks', textsOf(HEALTHCHECKS_DIFFERENCES)],
    ['Gatus', printedEach(OTHERWISE, WITHOUT_ASSERTIONS)],
    ['UptimeRobot', textsOf([...ROBOT_BLOCKERS, ...ROBOT_DIFFERENCES])],
  ]
  for (const [service, texts] of points) {
    it(`${service}: what is skipped or changed`, () => assert.deepEqual(pointsOf(sectionOf(service)), texts))
  }
})

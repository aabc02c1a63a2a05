import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fieldsOf } from '../../src/contract/fields.ts'
import { COMPARISONS, SOURCES } from '../../src/core/expectations/assertion.ts'
import { MonitorType } from '../../src/core/monitors/monitor-types.ts'
import { ANSWERED_NAMES, MonitorOptions, optionOf } from '../../src/core/monitors/options/monitor-options.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/monitors.md'), 'utf8')
const FIELDS = new Map(fieldsOf(MonitorOptions).map((field) => [field.name, field]))

function typesInWords(has: (type: MonitorType) => boolean): string {
  const code = (types: MonitorType[]) => types.map((type) => `\`${type}\``).join(', ')
  const [types, others] = [MonitorType.options.filter(has), MonitorType.options.filter((type) => !has(type))]
  if (others.length === 0) return 'all'
  return others.length < types.length ? `all but ${code(others)}` : code(types)
}

it('the page of monitors has a line for each option, as its entry says', () => {
  const expected = ANSWERED_NAMES.map((name) => {
    const { description, has, default: fallback } = optionOf(name)
    const { minimum, maximum } = FIELDS.get(name) ?? {}
    const notes = [
      ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
      ...(fallback === null ? [] : [`default: ${fallback}`]),
    ]
    const said = notes.length > 0 ? `${description} (${notes.join('; ')})` : description
    return `| \`${name}\` | ${typesInWords(has)} | ${said} |`
  })
  const [, section = ''] = PAGE.split('\n## Options\n')
  const lines =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? []
  assert.deepEqual(lines, expected)
})

it('the page of monitors names each part of an answer and each comparison', () => {
  const [, section = ''] = PAGE.split('\n## Assertions\n')
  const lines =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? []
  const named = lines.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  // No type has an answer of its own yet.
  const parts = Object.keys(SOURCES).filter((part) => part !== 'answer')
  assert.deepEqual(named.toSorted(), [...parts, ...Object.keys(COMPARISONS)].sort())
})

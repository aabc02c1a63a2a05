import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { COMPARISONS, SOURCES } from '../../src/core/expectations/assertion.ts'
import { MonitorType } from '../../src/core/monitors/monitor-types.ts'
import { ANSWERED_NAMES, optionOf, optionsOfType } from '../../src/core/monitors/options/monitor-options.ts'
import { DOCUMENTED_GROUPS, optionMeaning, typesText } from '../../src/pages/docs/type-pages.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/monitors.md'), 'utf8')

function typesInWords(has: (type: MonitorType) => boolean): string {
  const code = (types: MonitorType[]) => types.map((type) => `\`${type}\``).join(', ')
  const [types, others] = [MonitorType.options.filter(has), MonitorType.options.filter((type) => !has(type))]
  if (others.length === 0) return 'all'
  return others.length < types.length ? `all but ${code(others)}` : code(types)
}

it('the page of monitors has a line for each option, as its entry says', () => {
  const expected = ANSWERED_NAMES.map((name) => {
    return `| \`${name}\` | ${typesInWords(optionOf(name).has)} | ${optionMeaning(name)} |`
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

it('the page of each group has its types with all of their options, and no other', () => {
  const found = DOCUMENTED_GROUPS.flatMap((group) => {
    const [, ...sections] = typesText(group).split('\n## ')
    return sections.map((section) => ({
      type: /type is `(\w+)`/.exec(section)?.[1],
      options: [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name),
    }))
  })
  const expected = MonitorType.options.map((type) => ({ type, options: optionsOfType(type) }))
  const inOrder = (pages: { type: string | undefined }[]) =>
    pages.toSorted((a, b) => ((a.type ?? '') < (b.type ?? '') ? -1 : 1))
  assert.deepEqual(inOrder(found), inOrder(expected))
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { MonitorType, neededSettings } from '../../src/core/monitors/monitor-types.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/monitors.md'), 'utf8')

it('docs/monitors.md has a line for every type of monitors, with the settings that it needs', () => {
  const [, table = ''] = /\| Type \| Needs \|.*\n(?:\|-+)+\|\n((?:\|.*\n)+)/.exec(PAGE) ?? []
  const told = [...table.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, type = '', needs = '']) => [
    type,
    [...needs.matchAll(/`(\w+)`/g)].map(([, setting]) => setting),
  ])
  const needed = MonitorType.options.map((type) => [type, neededSettings(type)])
  assert.deepEqual(told.sort(), needed.sort())
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  MONITOR_TYPES,
  type MonitorType,
  neededOptionsOf,
} from '../../../../src/core/monitors/monitor-types.ts'
import { OPTIONS } from '../../../../src/core/monitors/options/entries.ts'
import type { Option } from '../../../../src/core/monitors/options/option.ts'
import type { TypeEntry } from '../../../../src/core/monitors/types/entry.ts'

const options: Readonly<Record<string, Option>> = OPTIONS
const types = Object.entries(MONITOR_TYPES) as [MonitorType, TypeEntry][]

/** Options that an entry names, and that a monitor of its type cannot have. */
function unknownOf(type: MonitorType, named: readonly string[]): string[] {
  return named.filter((name) => options[name]?.has(type) !== true)
}

describe('the options that the entry of a type names', () => {
  it('are options that a monitor of the type has', () => {
    const unknown = types.flatMap(([type, { ownOptions = [] }]) =>
      unknownOf(type, [...ownOptions, ...neededOptionsOf(type)]).map((name) => `${type} ${name}`),
    )
    assert.deepEqual(unknown, [])
  })

  it('would be missed where their name is misspelled', () => {
    assert.deepEqual(unknownOf('game', ['game', 'gmae']), ['gmae'])
  })
})

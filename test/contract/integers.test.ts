import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { allOperations } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { probeContract } from '../../src/contract/remote-probes.ts'
import { MAX_INT32 } from '../../src/core/record-id.ts'

/** Columns of these are `bigint`: ids of what happens often, and numbers that only count up. The version is only compared. */
const WIDE = new Set(['membership', 'revision', 'confirmation', 'ids', 'first', 'version'])

test('each whole number that is asked for has bounds that its column takes', () => {
  const inputs: [string, z.ZodType | undefined][] = [
    ...Object.entries(allOperations as Record<string, Operation>).flatMap(
      ([id, { query, body }]) =>
        [
          [`${id} query`, query],
          [`${id} body`, body],
        ] as [string, z.ZodType | undefined][],
    ),
    ...Object.entries(probeContract).map(([id, { input }]) => [`probe ${id}`, input] as [string, z.ZodType]),
  ]
  const wide = inputs.flatMap(([name, schema]) =>
    schema ? wideIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), name) : [],
  )
  const ofProbes = wide.filter((path) => path.startsWith('probe ') && WIDE.has(path.split('.').at(-1) ?? ''))
  assert.ok(ofProbes.length > 0)
  assert.deepEqual(
    wide.filter((path) => !ofProbes.includes(path)),
    [],
  )
})

/** The paths of whole numbers that may be beyond those of an `integer`. */
function wideIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, minimum = -Infinity, maximum = Infinity } = schema as z.core.JSONSchema.JSONSchema
  const isWide = type === 'integer' && (minimum < -MAX_INT32 - 1 || maximum > MAX_INT32)
  return [
    ...(isWide ? [path] : []),
    ...Object.entries(schema).flatMap(([key, part]) =>
      wideIn(part, ['properties', 'anyOf', 'items'].includes(key) ? path : `${path}.${key}`),
    ),
  ]
}

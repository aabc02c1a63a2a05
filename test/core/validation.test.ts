import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import { said } from '../../src/core/language/said.ts'
import { describe as name, parseFields, summarize } from '../../src/core/validation.ts'

const Schema = z.object({
  name: z.string(),
  count: z.int().min(1).max(60).default(1),
  kind: z.enum(['a', 'b']).default('a'),
  codes: z.array(z.int().min(100)).min(1).max(2).default([200]),
  nested: z.object({ url: z.email() }).optional(),
  flag: z.boolean().default(true),
  password: z.string().nullable().default(null),
})

describe('a message names the field, what it takes and what it got', () => {
  const table: [changes: Record<string, unknown>, errors: Record<string, string[]>][] = [
    [{}, {}],
    [{ name: undefined }, { name: ['name is required'] }],
    [{ name: 5 }, { name: ['name must be a string, got 5'] }],
    [{ name: null }, { name: ['name must be a string, got null'] }],
    [{ count: '5' }, { count: ['count must be an integer, got "5"'] }],
    [{ count: 1.5 }, { count: ['count must be an integer, got 1.5'] }],
    [{ count: 0 }, { count: ['count must be at least 1, got 0'] }],
    [{ count: 61 }, { count: ['count must be at most 60, got 61'] }],
    [{ flag: 'yes' }, { flag: ['flag must be true or false, got "yes"'] }],
    [{ kind: 'c' }, { kind: ['kind must be one of a, b, got "c"'] }],
    [{ codes: [] }, { codes: ['codes must have at least 1 entry, got 0'] }],
    [{ codes: [200, 201, 202] }, { codes: ['codes must have at most 2 entries, got 3'] }],
    [{ codes: [200, 99] }, { 'codes.1': ['codes.1 must be at least 100, got 99'] }],
    [{ codes: {} }, { codes: ['codes must be an array, got an object'] }],
    [{ nested: { url: 'x' } }, { 'nested.url': ['nested.url must be an e-mail address, got "x"'] }],
    [{ nested: [] }, { nested: ['nested must be an object, got an array'] }],
    [{ password: 12345 }, { password: ['password must be a string, got a number'] }],
    [{ unknown: 1 }, {}],
  ]
  for (const [changes, errors] of table) {
    test(JSON.stringify(changes), () => {
      const parsed = parseFields(Schema, { name: 'x', ...changes })
      assert.deepEqual(parsed.ok ? {} : parsed.errors, errors)
    })
  }

  test('a value that is not an object is wrong as a whole', () => {
    const parsed = parseFields(Schema, [])
    assert.deepEqual(parsed.ok || Object.keys(parsed.errors), ['body'])
  })

  test('rules over several fields see the fields that stand by themselves, and spare broken ones', () => {
    const seen: unknown[] = []
    const parsed = parseFields(Schema, { name: 'x', count: 99, kind: 'b' }, (valid) => {
      seen.push(valid)
      return [
        { field: 'count', message: said('is judged already') },
        { field: 'kind', message: said('does not go with the name') },
      ]
    })
    assert.deepEqual(seen, [{ name: 'x', kind: 'b' }])
    assert.deepEqual(!parsed.ok && parsed.errors, {
      count: ['count must be at most 60, got 99'],
      kind: ['kind does not go with the name'],
    })
  })

  test('a value is shown short, and a secret one not at all', () => {
    assert.equal(name('x'.repeat(100)), `"${'x'.repeat(60)}…"`)
    assert.deepEqual(name('hunter2', true), said('a string'))
    assert.deepEqual(name(7, true), said('a number'))
  })

  test('one fault is the detail itself; several are counted, the first ten by name', () => {
    assert.equal(summarize({ name: ['name is required'] }), 'name is required.')
    assert.equal(summarize({ a: ['x'], b: ['y'] }), '2 fields are invalid: a, b.')
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, ['x']]))
    assert.match(summarize(many), /^12 fields are invalid: f0, .*, f9, …\.$/)
  })
})

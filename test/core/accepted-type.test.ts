import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepts, hasWildcard } from '../../src/core/accepted-type.ts'

const TYPES = ['application/json', 'text/event-stream'] as const

const HEADERS: [header: string | undefined, json: boolean, events: boolean, isOpen: boolean][] = [
  [undefined, true, true, true],
  ['', true, true, true],
  ['*/*', true, true, true],
  ['*/*;q=0', false, false, true],
  ['application/*', true, false, true],
  ['text/*', false, true, true],
  ['application/*, text/*', true, true, true],
  ['application/json', true, false, false],
  ['Application/JSON; charset=utf-8', true, false, false],
  ['application/json, text/event-stream', true, true, false],
  ['application/json;q=0, */*', false, true, true],
  ['*/*;q=0.1, application/json;q=0', false, true, true],
  ['text/event-stream;q=none', false, false, false],
  ['text/html', false, false, false],
]

test('the most specific range of Accept decides about a type', () => {
  for (const [header, json, events, isOpen] of HEADERS) {
    const found = [...TYPES.map((type) => accepts(header, type)), hasWildcard(header)]
    assert.deepEqual(found, [json, events, isOpen], String(header))
  }
})

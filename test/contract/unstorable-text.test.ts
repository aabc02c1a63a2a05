import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type * as z from 'zod'
import { parseFields } from '../../src/core/validation.ts'
import { sentSchemas } from '../support/documents/sent-schemas.ts'
import { type Place, sampleOf, sentSchema, textPlaces, withValue } from '../support/documents/text-places.ts'

/** Text that PostgreSQL cannot store: NUL anywhere, a lone surrogate in a document. */
const UNSTORABLE = { NUL: 'wo\0rd', 'a lone surrogate': 'wo\ud800rd' }

describe('no text that PostgreSQL cannot hold gets past the contract', () => {
  for (const [name, schema] of sentSchemas()) {
    const shape = sentSchema(schema)
    const sample = sampleOf(shape)
    const places = textPlaces(shape)
    if (places.length === 0) continue
    it(`in ${name}`, () => {
      for (const place of places) {
        for (const [what, text] of Object.entries(UNSTORABLE)) {
          const { errors, kept } = judge(schema, withValue(sample, place, text))
          const isNamed = errors.some((field) => isWithin(place, field))
          // Some texts are made fit to be kept instead.
          const isCleaned = errors.length === 0 && !/\\u0000|\\ud800/.test(JSON.stringify(kept))
          assert.ok(isNamed || isCleaned, `${place.join('.')} with ${what}: ${errors.join()}`)
        }
      }
    })
  }

  it('and all that is sent is looked at', () => {
    const names = sentSchemas().map(([name]) => name)
    for (const name of ['createMonitor', 'listMonitors', 'signIn', 'results', 'a contact of type webhook']) {
      assert.ok(names.includes(name), name)
    }
  })
})

function judge(schema: z.ZodType, sent: unknown): { errors: string[]; kept: unknown } {
  const parsed = parseFields(schema, sent)
  return parsed.ok ? { errors: [], kept: parsed.value } : { errors: Object.keys(parsed.errors), kept: null }
}

/** Whether a field that is named in an error holds the place. */
function isWithin(place: Place, field: string): boolean {
  return `${place.join('.')}.`.startsWith(`${field}.`)
}

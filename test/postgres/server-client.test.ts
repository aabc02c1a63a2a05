import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { readTimestamp } from '../../src/postgres/server-client.ts'

describe('a timestamp of the database', () => {
  const driver: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
  const written: [text: string, iso: string][] = [
    ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21 09:30:00.1+00', '2026-11-21T09:30:00.100Z'],
    ['2026-11-21 09:30:00.129999+00', '2026-11-21T09:30:00.129Z'],
    ['0099-12-31 23:59:59.999+00', '0099-12-31T23:59:59.999Z'],
    ['2026-11-21 15:00:00.123+05:30', '2026-11-21T09:30:00.123Z'],
    ['2026-11-21 04:30:00.123-05', '2026-11-21T09:30:00.123Z'],
    ['12026-11-21 09:30:00+00', '+012026-11-21T09:30:00.000Z'],
    ['0044-03-15 09:30:00+00 BC', '-000043-03-15T09:30:00.000Z'],
  ]
  for (const [text, iso] of written) {
    it(`is ${iso} where it is written ${text}, as for the driver`, () => {
      assert.equal(readTimestamp(text).toISOString(), iso)
      assert.deepEqual(readTimestamp(text), driver(text))
    })
  }

  it('may be infinite', () => {
    assert.equal(readTimestamp('infinity'), Infinity)
    assert.equal(readTimestamp('-infinity'), -Infinity)
  })
})

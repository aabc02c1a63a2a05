import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRegistryServices, keptHere, keptIn } from '../../../src/engine/sites/registry-services.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const NAMES = Array.from({ length: 1_000 }, (_, index) => `tld${index}`)
const listOf = (publication: string) => ({
  publication,
  services: [[NAMES, ['https://rdap.example/']]] as [string[], string[]][],
})
const SHIPPED = listOf('2026-01-01T00:00:00Z')
const NEWER = listOf('2026-02-01T00:00:00Z')

describe('the list of registries', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())
  const troubles: unknown[] = []

  it('is asked for once a week, and again after a day where it was not to be had or no good', async () => {
    const answers = [null, 'a page', JSON.stringify(NEWER)]
    let asked = 0
    /** As a process that has just started. */
    const read = () =>
      createRegistryServices({
        kept: keptIn(database.db),
        readShipped: () => SHIPPED,
        ask: async () => answers[asked++] ?? null,
        monotonicMs: () => 0,
        note: () => {},
        onTrouble: (error) => troubles.push(error),
      })()
    const pass = (days: number) =>
      database.db.pool.query('UPDATE registry_services SET asked_at = asked_at - make_interval(days => $1)', [
        days,
      ])
    const steps: [what: string, days: number, publication: string, asked: number][] = [
      ['first', 0, SHIPPED.publication, 1],
      ['at once', 0, SHIPPED.publication, 1],
      ['a week later', 7, SHIPPED.publication, 2],
      ['another week later', 7, NEWER.publication, 3],
      ['six days later', 6, NEWER.publication, 3],
      ['when it is not to be had', 2, NEWER.publication, 4],
    ]
    for (const [what, days, publication, times] of steps) {
      await pass(days)
      assert.deepEqual([(await read()).publication, asked], [publication, times], what)
    }
    assert.deepEqual(troubles, [])
  })

  it('is kept by a process without a database for itself, at the same times', async () => {
    const answers = [null, JSON.stringify(NEWER)]
    let asked = 0
    let nowMs = 0
    const kept = keptHere(() => nowMs)
    const read = () =>
      createRegistryServices({
        kept,
        readShipped: () => SHIPPED,
        ask: async () => answers[asked++] ?? null,
        monotonicMs: () => nowMs,
        note: () => {},
        onTrouble: (error) => troubles.push(error),
      })()
    const steps: [what: string, days: number, publication: string, asked: number][] = [
      ['first', 0, SHIPPED.publication, 1],
      ['at once', 0, SHIPPED.publication, 1],
      ['a day later', 1, NEWER.publication, 2],
      ['six days later', 6, NEWER.publication, 2],
      ['a week later', 1, NEWER.publication, 3],
    ]
    for (const [what, days, publication, times] of steps) {
      nowMs += days * 86_400_000
      assert.deepEqual([(await read()).publication, asked], [publication, times], what)
    }
    assert.deepEqual(troubles, [])
  })
})

// npm test leaves this out: it pages through random histories in every way, and compares each page (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { CheckStatus } from '../../../src/core/monitors/check.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { type CheckQuery, readCheckPage } from '../../../src/store/history/history.ts'
import { keepChecks } from '../../support/history/checks.ts'
import { keepAnything, NOON } from '../../support/history/random-history.ts'
import { openWithoutDays, tend } from '../../support/history/upkeep.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { changeRows } from '../../support/records/rows.ts'

const EDGE = new Date('2027-03-20T15:00:00Z')

test('the pages of a history have each of its checks once, newest first, whatever is asked for', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids } = await keepAnything(db, 1, 40, 'business', 200)
  const [id = 0] = ids
  const checks = kept.get(id) as CheckRecord[]
  for (const when of [null, new Date('2027-03-15T02:00:00Z'), NOON]) {
    if (when) await tend(db, when)
    for (const status of [undefined, ...CheckStatus.options]) {
      for (const since of [null, EDGE]) {
        for (const limit of [7, 50]) {
          const what = `${status} since ${since?.toISOString()}, ${limit} a page, tended at ${when?.toISOString()}`
          const wish = { since, limit, ...(status && { status }) }
          const read = await readAll(db, id, wish, what)
          const expected = checks.filter(
            (check) => (!status || check.status === status) && (!since || check.checkedAt >= since),
          )
          assert.deepEqual(read.map(keyOf), sorted(expected).map(keyOf), what)
        }
      }
    }
  }
})

test('checks of one instant stay on one page', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  const check = (at: string, region: string): CheckRecord => ({
    checkedAt: new Date(at),
    status: 'up',
    responseTimeMs: 1,
    httpStatusCode: null,
    region,
    errorMessage: null,
    phases: null,
  })
  const times = [
    '2027-03-10T10:00:00Z',
    '2027-03-10T10:00:00Z',
    '2027-03-10T10:01:00Z',
    '2027-03-10T10:01:00Z',
  ]
  await keepChecks(
    db,
    id,
    times.map((at, index) => check(at, `r${index}`)),
  )
  for (const when of ['rows', 'chunks']) {
    if (when === 'chunks') await tend(db, NOON)
    const first = await readCheckPage(db.query, id, { since: null, limit: 1 })
    assert.deepEqual(first.checks.map(({ region }) => region).sort(), ['r2', 'r3'], when)
    const before = first.nextBefore as Date
    const second = await readCheckPage(db.query, id, { since: null, limit: 1, before })
    assert.deepEqual(second.checks.map(({ region }) => region).sort(), ['r0', 'r1'], when)
  }
})

test('days without a check of the status are not unpacked', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids } = await keepAnything(db, 1, 20)
  const [id = 0] = ids
  await tend(db, NOON)
  await changeRows(db, 'check_days', {}, { down: 0 })
  const recent = (kept.get(id) as CheckRecord[]).filter(
    ({ checkedAt, status }) => status === 'down' && checkedAt >= new Date('2027-03-30T00:00:00Z'),
  )
  const { checks, nextBefore } = await readCheckPage(db.query, id, {
    since: null,
    status: 'down',
    limit: 1_000,
  })
  assert.deepEqual(checks.map(keyOf), sorted(recent).map(keyOf))
  assert.equal(nextBefore, null)
})

async function readAll(db: Database, id: number, wish: CheckQuery, what: string): Promise<CheckRecord[]> {
  const all: CheckRecord[] = []
  for (let before: Date | undefined; ; ) {
    const page = await readCheckPage(db.query, id, { ...wish, ...(before && { before }) })
    for (const at of [page.nextBefore, page.checks[0]?.checkedAt]) {
      assert.ok(!before || !at || at < before, `${what}: it goes back`)
    }
    all.push(...page.checks)
    if (!page.nextBefore) return all
    before = page.nextBefore
  }
}

/** Those of one instant have no order. */
function sorted(checks: CheckRecord[]): CheckRecord[] {
  return checks.toSorted((a, b) => b.checkedAt.getTime() - a.checkedAt.getTime())
}

function keyOf({ checkedAt }: CheckRecord): string {
  return checkedAt.toISOString()
}

// npm test leaves this out: it keeps whole days of a busy server's samples, and compacts them (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../../src/core/history/history-span.ts'
import { compactSamples } from '../../../../src/engine/history/compact.ts'
import { rollUp, rollUpServers } from '../../../../src/engine/history/roll-up.ts'
import { assertSamplesKept, compactedServerDays, keepServers } from '../../../support/history/kept-samples.ts'
import { keepSamples, realisticSamples } from '../../../support/history/samples.ts'
import { openWithoutDays as openDatabase, tend, tending } from '../../../support/history/upkeep.ts'
import { countRows } from '../../../support/records/rows.ts'

const DAY = new Date('2027-03-28T00:00:00Z')
/** When DAY and the day after are over and rolled up for long enough. */
const LATER = new Date('2027-03-31T02:00:00Z')

test('a day of a busy server takes at most 30 kB on the disk as a chunk, and is read from it as from its rows', async (t) => {
  const db = await openDatabase(t)
  const kept = await keepServers(db, 2, (index) => realisticSamples(index, DAY))
  await assertSamplesKept(db, kept)
  await tend(db, LATER)
  assert.equal(await countRows(db, 'server_samples'), 0)
  assert.deepEqual(await compactedServerDays(db), ['2027-03-28'])
  await assertSamplesKept(db, kept)
  const { rows } = await db.pool.query<{ bytes: number; hours: number }>(
    `SELECT (SELECT max(length(content)) FROM server_chunks) AS bytes,
            (SELECT max(length(content)) FROM server_hours) AS hours`,
  )
  t.diagnostic(`${rows[0]?.bytes} bytes a day, ${rows[0]?.hours} an hour`)
  // Pages and the index add an eighth.
  assert.ok((rows[0]?.bytes ?? Number.NaN) <= 26_600, `${rows[0]?.bytes}`)
  assert.ok((rows[0]?.hours ?? Number.NaN) <= 400, `${rows[0]?.hours}`)
})

test('today and yesterday stay rows, and a day until the hours that look back into it are rolled up', async (t) => {
  const db = await openDatabase(t)
  const three = [0, 1, 2].flatMap((ahead) => realisticSamples(ahead, dayAfter(ahead), 5))
  const kept = await keepServers(db, 1, () => three)
  for (const [now, days] of [
    ['2027-03-29T23:59:00Z', []],
    ['2027-03-30T00:14:59Z', []],
    ['2027-03-30T00:15:00Z', ['2027-03-28']],
    ['2027-03-31T00:15:00Z', ['2027-03-28', '2027-03-29']],
  ] as const) {
    await tend(db, new Date(now))
    assert.deepEqual(await compactedServerDays(db), days, now)
    await assertSamplesKept(db, kept)
  }
})

test('readers see every sample once at every moment, however often the work is interrupted', async (t) => {
  const db = await openDatabase(t)
  // More servers than one step takes.
  const kept = await keepServers(db, 12, (index) =>
    [0, 1].flatMap((ahead) => realisticSamples(index, dayAfter(ahead), 6)),
  )
  const some = new Map([...kept].slice(8))
  // Roll-ups come first: this test interrupts the compaction only.
  for await (const _step of rollUp({ db, now: () => LATER }));
  for await (const _step of rollUpServers({ db, now: () => LATER }));
  let rounds = 0
  for (let left = true; left; rounds++) {
    const work = compactSamples({ db, now: () => LATER, note: () => {} })
    left = !(await work.next()).done
    await assertSamplesKept(db, some)
  }
  assert.ok(rounds > 6, `${rounds}`)
  assert.deepEqual(await compactedServerDays(db), ['2027-03-28', '2027-03-29'])
  await assertSamplesKept(db, kept)
})

test('samples that come while their day is being compacted, and after it, are kept', async (t) => {
  const db = await openDatabase(t)
  const all = realisticSamples(1, DAY, 60)
  const kept = await keepServers(db, 1, () => all.filter((_, minute) => minute % 3 === 0))
  const [id] = [...kept.keys()] as [number]
  let late = false
  for await (const _step of tending(db, LATER)) {
    if (late || (await countRows(db, 'server_chunks')) === 0) continue
    late = true
    await keepSamples(
      db,
      id,
      all.filter((_, minute) => minute % 3 === 1),
    )
  }
  assert.ok(late)
  assert.deepEqual(await compactedServerDays(db), ['2027-03-28'])
  await keepSamples(
    db,
    id,
    all.filter((_, minute) => minute % 3 === 2),
  )
  await tend(db, LATER)
  assert.equal(await countRows(db, 'server_samples'), 0)
  await assertSamplesKept(db, new Map([[id, all]]))
})

function dayAfter(days: number): Date {
  return new Date(DAY.getTime() + days * DAY_MS)
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { SLOTS } from '../../../src/core/probing/slot.ts'
import { TURN_NOTICE_MS } from '../../../src/core/probing/turns.ts'
import { balance, createBalancing } from '../../../src/engine/probing/balance.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { inTransaction } from '../../../src/postgres/database.ts'
import { holdLease } from '../../../src/postgres/leases.ts'
import {
  announceLeaving,
  handOver,
  holdMemberships,
  joinProbers,
  leaveProbers,
  renewMembership,
} from '../../../src/store/probing/memberships.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addSlots } from '../../support/records/probing.ts'
import { ago, changeRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { until } from '../../support/until.ts'

const LEASE = 'scheduler'
const LEASE_SECONDS = 600

describe('those who probe', () => {
  const scope = suiteScope()
  const holder = randomUUID()
  let db: Database

  beforeEach(async () => {
    const database = await openTestDatabase()
    scope.after(database.close)
    db = database.db
    await holdLease(db, LEASE, holder, LEASE_SECONDS)
  })

  const join = (region: string, leaseSeconds = LEASE_SECONDS) =>
    joinProbers(db, { region, host: 'here', pid: 1 }, leaseSeconds)
  const share = (spares = false) => balance(db, LEASE, holder, spares)
  const renew = (id: number) => renewMembership(db, id, LEASE_SECONDS)
  const standing = async (id: number) => {
    const renewal = await renew(id)
    return renewal && [renewal.slots?.length, renewal.wanted.length, renewal.others]
  }
  const turns = async () => (await db.pool.query('SELECT number, before, regions FROM turns')).rows[0]

  it('have all slots of their region, and the regions take turns', async () => {
    const lon = await join('lon')
    await share()
    assert.deepEqual(await standing(lon), [SLOTS, 0, 0])
    const nyc = await join('nyc')
    const sharedMs = (await renew(lon))?.databaseMs ?? Number.NaN
    await share()
    assert.deepEqual(
      [await standing(lon), await standing(nyc)],
      [
        [SLOTS, 0, 1],
        [SLOTS, 0, 1],
      ],
    )
    assert.deepEqual(await turns(), { number: 2, before: ['lon'], regions: ['lon', 'nyc'] })
    const effectiveAtMs = (await renew(lon))?.turns?.effectiveAtMs ?? 0
    assert.ok(effectiveAtMs >= sharedMs + TURN_NOTICE_MS, 'everybody hears of it before that')
  })

  it('get none once they have left, though they were there when the shares were decided', async () => {
    const stays = await join('lon')
    const leaves = await join('lon')
    const leaving = await db.pool.connect()
    await leaving.query('BEGIN')
    await leaving.query('DELETE FROM probers WHERE id = $1', [leaves])
    const sharing = share()
    await until('the sharing waits for the one who leaves', async () => {
      const { rows } = await db.pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      return rows.length > 0
    })
    await leaving.query('COMMIT')
    leaving.release()
    await sharing
    await share()
    assert.deepEqual([await standing(stays), await standing(leaves)], [[SLOTS, 0, 0], null])
  })

  it('hand half of the slots over to another one who joins, with what is left to do', async () => {
    const first = await join('')
    await share()
    const second = await join('')
    await share()
    const { wanted = [] } = (await renew(first)) ?? {}
    assert.deepEqual(
      [await standing(first), await standing(second)],
      [
        [SLOTS, SLOTS / 2, 1],
        [0, 0, 1],
      ],
    )
    const dueFrom = new Date()
    assert.deepEqual(await handOver(db, first, wanted, dueFrom, []), [])
    assert.deepEqual(
      [await standing(first), await standing(second)],
      [
        [SLOTS / 2, 0, 1],
        [SLOTS / 2, 0, 1],
      ],
    )
    const { rows } = await db.pool.query('SELECT DISTINCT due_from FROM slots WHERE holder = $1', [second])
    assert.deepEqual(rows, [{ due_from: dueFrom }])
  })

  it('hand slots on as they came, where they have done nothing of them', async () => {
    const [first, second] = [await join(''), await join('')]
    const dueFrom = new Date('2026-11-01T12:00:00Z')
    await addSlots(db, [3], { holder: first, wanted_by: second, due_from: dueFrom, cut: [7] })
    assert.deepEqual(await handOver(db, first, [3], null, []), [])
    const { rows } = await db.pool.query('SELECT holder, due_from, cut FROM slots')
    assert.deepEqual(rows, [{ holder: second, due_from: dueFrom, cut: [7] }])
  })

  it('get the slots that a region lacks, too', async () => {
    const prober = await join('')
    await addSlots(db, [0, 1, 2], { holder: prober })
    await share()
    assert.deepEqual(await standing(prober), [SLOTS, 0, 0])
  })

  it('are named their slots only while they know of others, or are to hand some over', async () => {
    const first = await join('')
    await share()
    const all = Array.from({ length: SLOTS }, (_, slot) => slot)
    const slotsFor = async (known: number[]) =>
      (await renewMembership(db, first, LEASE_SECONDS, known))?.slots?.length ?? null
    const without = all.filter((slot) => slot !== 2_000)
    assert.deepEqual([await slotsFor(all), await slotsFor(without), await slotsFor([])], [null, SLOTS, SLOTS])
    await join('')
    await share()
    assert.equal(await slotsFor(all), SLOTS)
    await leaveProbers(db, first)
    const second = (await renew(await join(''))) ?? { slots: null }
    assert.deepEqual(second.slots, [])
  })

  it('have their slots read by the leader after news of them, and when the members are others', async (t) => {
    const look = createBalancing(db, LEASE, holder)
    const sent = t.mock.method(db.pool, 'query')
    const readsSlots = async (isNews: boolean) => {
      sent.mock.resetCalls()
      await look(false, isNews)
      return sent.mock.calls.some(({ arguments: [query] }) => JSON.stringify(query).includes('FROM slots'))
    }
    const first = await join('')
    assert.deepEqual([await readsSlots(false), await standing(first)], [true, [SLOTS, 0, 0]])
    assert.equal(await readsSlots(false), true)
    assert.deepEqual(
      [await readsSlots(false), await readsSlots(true), await readsSlots(false)],
      [false, true, false],
    )

    const second = await join('', 0)
    assert.deepEqual([await readsSlots(false), await standing(second)], [true, null])
    await readsSlots(false)
    assert.equal(await readsSlots(false), false)
    await announceLeaving(db, first)
    assert.equal(await readsSlots(false), true)
  })

  it('keep what the one who wanted it does not want any more', async () => {
    const first = await join('')
    await share()
    const second = await join('')
    await share()
    const { wanted = [] } = (await renew(first)) ?? {}
    await leaveProbers(db, second)
    assert.deepEqual(await handOver(db, first, wanted, new Date(), []), wanted)
    assert.deepEqual(await standing(first), [SLOTS, 0, 0])
  })

  it('take over at once from one who is dead, whose membership has ended for ever', async () => {
    const dead = await join('', 0)
    const living = await join('')
    await share(true)
    assert.notEqual(await standing(living), null)
    await changeRows(db, 'probers', { id: dead }, { expires_at: ago(1_000) })
    await share()
    assert.deepEqual([await standing(dead), await standing(living)], [null, [SLOTS, 0, 0]])
    assert.ok((await join('')) > living)
  })

  it('are not taken for dead while nobody can know', async () => {
    const dead = await join('', 0)
    await share(true)
    assert.deepEqual(await standing(dead), [SLOTS, 0, 0])
  })

  it('are not taken for dead while they record', async () => {
    const dead = await join('', 0)
    await inTransaction(db.pool, async (client) => {
      assert.deepEqual(await holdMemberships(client, [dead, 99]), new Set([dead]))
      await share()
      assert.deepEqual((await db.pool.query('SELECT id FROM probers')).rows, [{ id: dead }])
    })
    await share()
    assert.deepEqual((await db.pool.query('SELECT id FROM probers')).rows, [])
  })

  it('who leave are relieved of their slots, or of their turns where nobody else is', async () => {
    const [lon, other, nyc] = [await join('lon'), await join('lon'), await join('nyc')]
    await share()
    await db.pool.query('UPDATE turns SET effective_at = now()')
    await announceLeaving(db, other)
    await share()
    assert.deepEqual(await standing(other), [SLOTS / 2, SLOTS / 2, 2])
    await announceLeaving(db, nyc)
    await share()
    assert.deepEqual(await turns(), { number: 2, before: ['lon', 'nyc'], regions: ['lon'] })
    assert.deepEqual(await standing(nyc), [SLOTS, 0, 1])
    await leaveProbers(db, nyc)
    await leaveProbers(db, other)
    await share()
    assert.deepEqual(await standing(lon), [SLOTS, 0, 0])
  })

  it('have their slots moved by nobody who has lost the lease', async () => {
    const prober = await join('')
    await balance(db, LEASE, randomUUID(), false)
    assert.deepEqual(await standing(prober), [0, 0, 0])
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Connection, inTransaction } from '../../../src/postgres/database.ts'
import { holdLease } from '../../../src/postgres/leases.ts'
import {
  createConfirmationClaims,
  createConfirmationRequests,
} from '../../../src/store/probing/confirmations.ts'
import { handOver, holdMemberships } from '../../../src/store/probing/memberships.ts'
import { createOverruns } from '../../../src/store/probing/overruns.ts'
import { takeAnswers, withdrawRequests } from '../../../src/store/probing/remote-confirmations.ts'
import { moveSlots } from '../../../src/store/probing/slot-moves.ts'
import { endExpiredMemberships } from '../../../src/store/probing/slots.ts'
import { leaveHostSeat } from '../../../src/store/sites/host-seats.ts'
import type { TestDatabase } from '../../support/postgres/database.ts'
import {
  besideRival,
  holdUp,
  mayStandStill,
  openPlannedDatabase,
  PLANS,
  type Plan,
} from '../../support/postgres/rival.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { addProber, addSlots } from '../../support/records/probing.ts'
import { addRow, addRows } from '../../support/records/rows.ts'

const COUNT = 6
const SLOTS = [0, 1, 2, 3, 4, 5]
const soon = () => new Date(Date.now() + 3_600_000)

for (const plan of Object.keys(PLANS) as Plan[]) {
  describe(`probing, with a rival that changes the same rows, planned ${plan}`, () => {
    let database: TestDatabase
    before(async () => {
      database = await openPlannedDatabase(plan)
      await mayStandStill(database)
    })
    after(() => database?.close())

    const query = async (text: string, values: unknown[] = []) =>
      (await database.db.pool.query(text, values)).rows
    const beside = async <T>(rival: string, values: unknown[], ours: () => Promise<T>): Promise<T> => {
      const { result, waited } = await besideRival(database.db, (client) => client.query(rival, values), ours)
      assert.ok(waited, 'ours is to wait for the rival')
      return result
    }
    const inOne = <T>(work: (client: Connection) => Promise<T>) => inTransaction(database.db.pool, work)
    const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

    it('slots go to whoever is to have them by then, all of them', async () => {
      const [mine, one, other] = [
        await addProber(database.db),
        await addProber(database.db),
        await addProber(database.db),
      ]
      await addSlots(database.db, SLOTS, { region: 'a', holder: mine, wanted_by: one })
      const kept = await beside(
        "UPDATE slots SET wanted_by = CASE WHEN slot = 2 THEN NULL ELSE $1::bigint END WHERE region = 'a'",
        [other],
        () => handOver(database.db, mine, SLOTS, null, []),
      )
      assert.deepEqual(kept, [2])
      const held = await query("SELECT slot, holder FROM slots WHERE region = 'a' ORDER BY slot")
      assert.deepEqual(
        held.map(({ holder }) => holder),
        SLOTS.map((slot) => (slot === 2 ? mine : other)),
      )
    })

    it('the leader gives the slots that have no holder by then, and asks for the others', async () => {
      const [one, other] = [await addProber(database.db), await addProber(database.db)]
      await addSlots(database.db, SLOTS, { region: 'b', holder: null })
      const moves = SLOTS.map((slot) => ({ slot, to: one }))
      await beside(
        "UPDATE slots SET cut = '{1}', holder = CASE WHEN slot > 3 THEN $1::bigint END WHERE region = 'b'",
        [other],
        () => inOne((client) => moveSlots(client, { region: 'b', give: moves, ask: moves.slice(4) })),
      )
      assert.deepEqual(
        await query("SELECT holder, wanted_by FROM slots WHERE region = 'b' ORDER BY slot"),
        SLOTS.map((slot) =>
          slot > 3 ? { holder: other, wanted_by: one } : { holder: one, wanted_by: null },
        ),
      )
    })

    it('a membership that was renewed since the leader looked does not end', async () => {
      const [renewed, silent] = [await addProber(database.db), await addProber(database.db)]
      const { waited } = await besideRival(
        database.db,
        async (client) => {
          await holdUp(client)
          await client.query('UPDATE probers SET expires_at = $2 WHERE id = $1', [renewed, soon()])
        },
        () => inOne(endExpiredMemberships),
      )
      assert.ok(waited)
      const left = await query('SELECT id FROM probers WHERE id = ANY($1)', [[renewed, silent]])
      assert.deepEqual(idsOf(left), [renewed])
    })

    it('memberships that are renewed meanwhile are held, and those that end are not', async () => {
      const ids = [await addProber(database.db), await addProber(database.db), await addProber(database.db)]
      const held = await beside(
        "WITH renewed AS (UPDATE probers SET expires_at = now() + interval '1 hour' WHERE id = ANY($1)) DELETE FROM probers WHERE id = $2",
        [[ids[0], ids[2]], ids[1]],
        () => inOne((client) => holdMemberships(client, ids)),
      )
      assert.deepEqual([...held], [ids[0], ids[2]])
    })

    it('checks under way are taken over and end, each', async () => {
      const overruns = createOverruns(database.db)
      const [mine, other] = [await addProber(database.db), await addProber(database.db)]
      const ids = idsOf(await addMonitors(database.db, COUNT))
      await addRows(
        database.db,
        'overruns',
        ids.map((monitor_id) => ({ monitor_id, prober: mine, until: soon() })),
      )
      const rival = `UPDATE overruns SET until = until + interval '1 s', prober = CASE WHEN monitor_id = $2 THEN $3 ELSE prober END
        WHERE monitor_id = ANY($1)`
      const claimed = await beside(rival, [ids, ids[1], other], () =>
        Promise.all(ids.map((id) => overruns.claim(id, mine, 60_000))),
      )
      assert.deepEqual(
        claimed,
        ids.map((_, index) => index !== 1),
      )
      await beside(rival, [ids, ids[2], other], () => Promise.all(ids.map((id) => overruns.end(id, mine))))
      assert.deepEqual(
        (
          await query('SELECT monitor_id AS id FROM overruns WHERE monitor_id = ANY($1) ORDER BY 1', [ids])
        ).map(({ id }) => id),
        [ids[1], ids[2]],
      )
    })

    async function addRequests() {
      const token = await addRow(database.db, 'probe_tokens', {
        ...{
          region: 'c',
          name: 'x',
          ending: 'aaaa',
          expires_at: null,
          token_hash: Buffer.from(crypto.randomUUID()),
        },
      })
      const [asking, asked] = [
        await addProber(database.db, { probe_token: token.id, expires_at: soon() }),
        await addProber(database.db, { expires_at: soon() }),
      ]
      const monitors = await addMonitors(database.db, COUNT)
      const rows = monitors.map(({ id, revision }) => ({
        ...{ monitor_id: id, revision, region: 'c', asked_by: asking, claimed_by: asked, expires_at: soon() },
      }))
      const ids = idsOf(await addRows(database.db, 'confirmations', rows as never))
      return { token: token.id, asking, asked, ids, monitorIds: idsOf(monitors) }
    }

    it('failures that other regions confirm are answered, counted once and withdrawn, each', async () => {
      const { token, asking, asked, ids, monitorIds } = await addRequests()
      const { answer } = createConfirmationClaims(database.db)
      const touch = "UPDATE confirmations SET expires_at = expires_at + interval '1 s' WHERE id = ANY($1)"
      await beside(touch, [ids], () => Promise.all(ids.map((id) => answer(id, asked, UP))))
      const answered = await query('SELECT FROM confirmations WHERE result IS NOT NULL AND id = ANY($1)', [
        ids,
      ])
      assert.equal(answered.length, COUNT)
      const seen = monitorIds.map((monitorId) => ({ membership: asking, monitorId, region: 'c' }))
      const rival = `UPDATE confirmations SET expires_at = expires_at + interval '1 s',
        result = CASE WHEN id = $2 THEN NULL ELSE result END WHERE id = ANY($1)`
      const taken = await beside(rival, [ids, ids[3]], () => takeAnswers(database.db, seen))
      assert.equal(taken.size, COUNT - 1)
      await beside(rival, [ids, ids[3]], () => withdrawRequests(database.db, token, ids))
      const again = await addRequests()
      await beside(touch, [again.ids], () => createConfirmationRequests(database.db).withdraw(again.ids))
      assert.deepEqual(
        await query('SELECT FROM confirmations WHERE id = ANY($1)', [[...ids, ...again.ids]]),
        [],
      )
    })

    it('requests are claimed that nobody has claimed since the prober looked', async () => {
      const { asked, ids } = await addRequests()
      await query("UPDATE probers SET region = 'c' WHERE id = $1", [asked])
      await query('UPDATE confirmations SET claimed_by = NULL WHERE id = ANY($1)', [ids])
      const other = await addProber(database.db)
      const { result } = await besideRival(
        database.db,
        async (client) => {
          await holdUp(client)
          await client.query('UPDATE confirmations SET claimed_by = $2 WHERE id = ANY($1)', [
            ids.slice(0, 4),
            other,
          ])
        },
        () => createConfirmationClaims(database.db).claim(asked, 100),
      )
      assert.deepEqual(
        result.map(({ confirmation }) => confirmation).sort((a, b) => a - b),
        ids.slice(4),
      )
    })

    it('both seats of a host rest, from when they would have been free by then', async () => {
      const host = `${plan.length}.example`
      await addRows(database.db, 'site_host_seats', [1, 2].map((seat) => ({ host, seat })) as never)
      const late = new Date('2030-01-01T00:00:00Z')
      await beside(
        'UPDATE site_host_seats SET next_start_at = CASE WHEN seat = 2 THEN $2 ELSE next_start_at END WHERE host = $1',
        [host, late],
        () => leaveHostSeat(database.db, host, 1, { restMs: 0, aloneMs: 60_000 }),
      )
      const seats = await query(
        'SELECT seat, next_start_at > now() AS rests, next_start_at = $2 AS late FROM site_host_seats WHERE host = $1 ORDER BY seat',
        [host, late],
      )
      assert.deepEqual(seats, [
        { seat: 1, rests: true, late: false },
        { seat: 2, rests: true, late: true },
      ])
    })

    it('a lease that its holder renews meanwhile is not taken', async () => {
      const [mine, other] = [crypto.randomUUID(), crypto.randomUUID()]
      await addRow(database.db, 'leases', { name: 'rival', holder: other, expires_at: new Date(0) })
      const rival = "UPDATE leases SET expires_at = now() + interval '1 hour' WHERE name = 'rival'"
      assert.equal(await beside(rival, [], () => holdLease(database.db, 'rival', mine, 10)), false)
    })
  })
}

import { describe, it } from 'node:test'
import { type Connection, type Database, inTransaction } from '../../../src/postgres/database.ts'
import { lockMonitors, renewRevisions } from '../../../src/store/monitors/monitor-changes.ts'
import { lockStates, updateStates } from '../../../src/store/monitors/recording.ts'
import {
  createConfirmationClaims,
  createConfirmationRequests,
} from '../../../src/store/probing/confirmations.ts'
import { handOver, joinProbers, leaveProbers } from '../../../src/store/probing/memberships.ts'
import { createOverruns } from '../../../src/store/probing/overruns.ts'
import { beatPulse, forgiveDowntime } from '../../../src/store/probing/pulse.ts'
import { moveSlots } from '../../../src/store/probing/slot-moves.ts'
import { endExpiredMemberships } from '../../../src/store/probing/slots.ts'
import { leaveHostSeat } from '../../../src/store/sites/host-seats.ts'
import { queuedNotices, settleNotice } from '../../../src/store/status-pages/notice-queue.ts'
import { deleteSubscriber } from '../../../src/store/status-pages/subscriber-list.ts'
import { openEagerDatabase, workAtOnce } from '../../support/postgres/deadlocks.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { addProber, addSlots } from '../../support/records/probing.ts'
import { addRow, addRows } from '../../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'

const COUNT = 40
const soon = () => new Date(Date.now() + 3_600_000)
const inOne = <T>(db: Database, work: (client: Connection) => Promise<T>) => inTransaction(db.pool, work)
/** In another order each time, as callers have them. */
function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
const some = <T>(all: readonly T[]) => shuffled(all).slice(0, all.length / 2)

describe('no two processes wait for each other', { concurrency: 1 }, () => {
  it('over the states of monitors', async () => {
    const database = await openEagerDatabase()
    const { db } = database
    const monitors = await addMonitors(db, COUNT, () => ({
      state: { heartbeat_due_at: soon(), last_checked_at: new Date(0) },
    }))
    const ids = monitors.map(({ id }) => id)
    let seconds = 0
    const from = Date.now() - 3_600_000
    await beatPulse(db, new Date(from))
    await workAtOnce(database, [
      async () => {
        seconds++
        await forgiveDowntime(db, new Date(from + seconds * 1_000))
      },
      () => inOne(db, async (client) => updateStates(client, shuffled(await lockStates(client, some(ids))))),
      () => inOne(db, async (client) => updateStates(client, shuffled(await lockStates(client, some(ids))))),
      () =>
        db.transaction(async (query) => {
          const held = await lockMonitors(query, monitors[0]?.teamId ?? 0, some(ids))
          await renewRevisions(query, shuffled(held.map(({ id }) => id)))
        }),
    ])
  })

  it('over slots, memberships and checks under way', async () => {
    const database = await openEagerDatabase()
    const { db } = database
    const slots = Array.from({ length: COUNT }, (_, slot) => slot)
    const monitorIds = (await addMonitors(db, COUNT)).map(({ id }) => id)
    const mine = await addProber(db, { expires_at: soon() })
    await addSlots(db, slots, { holder: mine, wanted_by: mine })
    await addRow(db, 'leases', { name: 'lead', holder: crypto.randomUUID(), expires_at: soon() })
    const membership = () => joinProbers(db, { region: '', host: 'x', pid: 1 }, 60)
    /** One process at a time leads. */
    const leading = (work: (client: Connection) => Promise<void>) =>
      inOne(db, async (client) => {
        await client.query("SELECT FROM leases WHERE name = 'lead' FOR UPDATE")
        await work(client)
      })
    const lead = (to: number) => {
      const moves = some(slots).map((slot) => ({ slot, to }))
      return leading((client) => moveSlots(client, { region: '', give: moves, ask: moves }))
    }
    const overrun = async () => {
      const [own, overruns] = [await membership(), createOverruns(db)]
      await Promise.all(some(monitorIds).map((id) => overruns.claim(id, own, 1)))
      await Promise.all(some(monitorIds).map((id) => overruns.end(id, own)))
      await leaveProbers(db, own)
    }
    await workAtOnce(database, [
      () => handOver(db, mine, shuffled(slots), null, []),
      () => handOver(db, mine, shuffled(slots), new Date(), monitorIds),
      () => lead(mine),
      async () => {
        const other = await membership()
        await lead(other)
        await handOver(db, other, shuffled(slots), null, [])
        await leaveProbers(db, other)
      },
      async () => {
        const other = await membership()
        await lead(other)
        await db.pool.query('UPDATE probers SET expires_at = now() WHERE id = $1', [other])
        await leading(endExpiredMemberships)
      },
      overrun,
      overrun,
    ])
  })

  it('over failures that other regions confirm', async () => {
    const database = await openEagerDatabase()
    const { db } = database
    const [asking, asked] = [
      await addProber(db, { expires_at: soon() }),
      await addProber(db, { expires_at: soon() }),
    ]
    const monitors = await addMonitors(db, COUNT)
    const { answer } = createConfirmationClaims(db)
    const { withdraw } = createConfirmationRequests(db)
    const add = async () => {
      const rows = monitors.map(({ id, revision }) => ({
        ...{ monitor_id: id, revision, region: '', asked_by: asking, claimed_by: asked, expires_at: soon() },
      }))
      return (await addRows(db, 'confirmations', rows as never)).map(({ id }) => id)
    }
    let ids = await add()
    const tell = () => Promise.all(shuffled(ids).map((id) => answer(id, asked, UP)))
    await workAtOnce(database, [
      tell,
      () => Promise.all(some(ids).map((id) => createConfirmationClaims(db).answer(id, asked, UP))),
      tell,
      async () => {
        const gone = shuffled(ids)
        ids = await add()
        await withdraw(gone)
      },
      () => withdraw(some(ids)),
    ])
  })

  it('over messages to subscribers', async () => {
    const database = await openEagerDatabase()
    const { db, vault } = database
    const teamId = await addTeam(db)
    const pageId = await addStatusPage(db, teamId)
    const holder = 'x'
    const refused = {
      state: 'failed' as const,
      nextDelaySeconds: null,
      detail: 'gone',
      refusesReceiver: true,
    }
    const add = async () => {
      const subscriberId = await addSubscriber(db, vault, { teamId, pageId })
      const rows = Array.from({ length: 8 }, () => ({
        subscriber_id: subscriberId,
        update_id: null,
        claimed_by: holder,
      }))
      const notices = await addRows(db, 'status_notices', rows as never)
      return { subscriberId, ids: notices.map(({ id }) => id) }
    }
    const refuse = async () => {
      const { subscriberId, ids } = await add()
      await Promise.all([
        ...ids.map((id) => settleNotice(db, holder, { id, teamId, subscriberId }, refused)),
        queuedNotices.renew(db, holder, ids.toReversed(), 60),
        queuedNotices.release(db, holder, ids.toReversed()),
        deleteSubscriber(db.query, teamId, subscriberId),
      ])
    }
    await workAtOnce(database, [refuse, refuse, () => queuedNotices.release(db, holder)])
  })

  it('over the seats of a host', async () => {
    const database = await openEagerDatabase()
    const { db } = database
    const host = 'shop.example'
    await addRows(db, 'site_host_seats', [1, 2].map((seat) => ({ host, seat })) as never)
    const leave = (seat: number) => () => leaveHostSeat(db, host, seat, { restMs: 0, aloneMs: 10 })
    await workAtOnce(database, [leave(1), leave(2), leave(1), leave(2)])
  })
})

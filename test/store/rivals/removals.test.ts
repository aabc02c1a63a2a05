import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { removeSomeUnconfirmed } from '../../../src/store/accounts/asked-addresses.ts'
import { insertUser, lockMembership } from '../../../src/store/accounts/users.ts'
import { removeSomeDeliveries } from '../../../src/store/alerting/delivery-log.ts'
import { removeSomeBefore } from '../../../src/store/history/retention.ts'
import { removeSomeOauthClients } from '../../../src/store/sign-in/oauth-clients.ts'
import { removeSomeFixed } from '../../../src/store/sites/past-crawls.ts'
import { removeSomeNotices } from '../../../src/store/status-pages/subscriber-upkeep.ts'
import type { TestDatabase } from '../../support/postgres/database.ts'
import { besideRival, openPlannedDatabase, PLANS, type Plan } from '../../support/postgres/rival.ts'
import { addDeliveries } from '../../support/records/alerting.ts'
import { addRows } from '../../support/records/rows.ts'
import { addFinding, addSite } from '../../support/records/sites.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { addPerson, addTeam } from '../../support/records/teams.ts'

const OLD = new Date('2026-01-01T00:00:00Z')
const CUTOFF = new Date('2026-02-01T00:00:00Z')

type World = { database: TestDatabase; teamId: number }
/** Adds three rows that are over; `renew` is SQL by which the one `$1` is not over any more. */
type Removal = {
  table: string
  add: (world: World) => Promise<(number | string)[]>
  renew: string
  remove: (world: World) => Promise<unknown>
}

const REMOVALS: Record<string, Removal> = {
  'a subscriber who confirms': {
    table: 'status_subscribers',
    add: async ({ database: { db, vault }, teamId }) => {
      const pageId = await addStatusPage(db, teamId)
      const ids = []
      for (let index = 0; index < 3; index++) {
        ids.push(await addSubscriber(db, vault, { teamId, pageId, confirmedAt: null }))
      }
      await db.pool.query('UPDATE status_subscribers SET created_at = $1', [OLD])
      return ids
    },
    renew: 'UPDATE status_subscribers SET confirmed_at = now() WHERE id = $1',
    remove: ({ database: { db } }) => removeSomeUnconfirmed(db, 'status_subscribers', CUTOFF),
  },
  'a program that is used again': {
    table: 'oauth_clients',
    add: async ({ database: { db } }) => {
      const ids = ['a', 'b', 'c']
      const client = { name: 'x', redirect_uris: [], created_at: OLD, last_used_at: OLD }
      await addRows(
        db,
        'oauth_clients',
        ids.map((id) => ({ id, ...client })),
      )
      return ids
    },
    renew: 'UPDATE oauth_clients SET last_used_at = now() WHERE id = $1',
    remove: ({ database: { db } }) => removeSomeOauthClients(db, CUTOFF, CUTOFF),
  },
  'a finding that a crawl finds again': {
    table: 'site_findings',
    add: async ({ database: { db } }) => {
      const { id } = await addSite(db)
      const ids = []
      for (let index = 0; index < 3; index++) ids.push(await addFinding(db, id, { fixed_at: OLD }))
      return ids
    },
    renew: 'UPDATE site_findings SET fixed_at = NULL WHERE id = $1',
    remove: ({ database: { db } }) => removeSomeFixed(db, CUTOFF),
  },
  'a delivery that is tried again': {
    table: 'deliveries',
    add: ({ database: { db }, teamId }) =>
      addDeliveries(
        db,
        [1, 2, 3].map(() => ({ team_id: teamId, state: 'failed' as const, finished_at: OLD })),
      ),
    renew: "UPDATE deliveries SET state = 'pending', finished_at = NULL WHERE id = $1",
    remove: ({ database: { db } }) => removeSomeDeliveries(db, CUTOFF),
  },
  'a message to a subscriber that is tried again': {
    table: 'status_notices',
    add: async ({ database: { db, vault }, teamId }) => {
      const pageId = await addStatusPage(db, teamId)
      const subscriber_id = await addSubscriber(db, vault, { teamId, pageId })
      const rows = [1, 2, 3].map(() => ({
        subscriber_id,
        update_id: null,
        state: 'sent' as const,
        finished_at: OLD,
      }))
      return (await addRows(db, 'status_notices', rows)).map(({ id }) => id)
    },
    renew: 'UPDATE status_notices SET finished_at = NULL WHERE id = $1',
    remove: ({ database: { db } }) => removeSomeNotices(db, CUTOFF),
  },
  'a change of status that counts still': {
    table: 'team_incidents',
    add: async ({ database: { db } }) => {
      const site = await addSite(db)
      const incident = { kind: 'site' as const, subject_id: site.id, team_id: site.team_id }
      const rows = [1, 2, 3].map(() => ({ ...incident, started_at: OLD, resolved_at: OLD, cause: 'x' }))
      return (await addRows(db, 'team_incidents', rows)).map(({ id }) => id)
    },
    renew: 'UPDATE team_incidents SET resolved_at = now() WHERE id = $1',
    remove: async ({ database: { db } }) => {
      const { rows } = await db.pool.query('SELECT id FROM sites')
      const ids = rows.map(({ id }) => id)
      return removeSomeBefore(db, 'team_incidents', { kind: 'site', ids }, CUTOFF)
    },
  },
}

for (const plan of Object.keys(PLANS) as Plan[]) {
  describe(`what is over goes, planned ${plan}, but for`, () => {
    let world: World
    before(async () => {
      const database = await openPlannedDatabase(plan)
      world = { database, teamId: await addTeam(database.db) }
    })
    after(() => world.database.close())

    for (const [name, { table, add, renew, remove }] of Object.entries(REMOVALS)) {
      it(name, async () => {
        const { db } = world.database
        const ids = await add(world)
        const { waited } = await besideRival(
          db,
          (client) => client.query(renew, [ids[1]]),
          () => remove(world),
        )
        const { rows } = await db.pool.query(`SELECT id FROM ${table} WHERE id = ANY($1)`, [ids])
        assert.deepEqual([rows.map(({ id }) => id), waited], [[ids[1]], false])
      })
    }
  })
}

describe('accounts, with a rival', () => {
  let database: TestDatabase
  before(async () => {
    database = await openPlannedDatabase('as the server plans')
  })
  after(() => database?.close())

  it('only one of two first accounts is an operator', async () => {
    const person = (name: string) => ({ name, email: `${name}@example.com`, passwordHash: null })
    const { db } = database
    const made = await Promise.all(
      ['one', 'two', 'three', 'four'].map((name) =>
        db.transaction((query) => insertUser(query, person(name))),
      ),
    )
    assert.ok(made.every((id) => id !== null))
    const { rows } = await db.pool.query('SELECT FROM users WHERE is_operator')
    assert.equal(rows.length, 1)
  })

  it('a membership is held by its account as it is by then', async () => {
    const { db } = database
    const teamId = await addTeam(db)
    const userId = await addPerson(db, { name: 'Grace' }, { teamId })
    const hold = () => db.transaction((query) => lockMembership(query, teamId, userId))
    const both =
      "WITH u AS (UPDATE users SET name = 'G.' WHERE id = $1) UPDATE members SET role = 'viewer' WHERE user_id = $1"
    const kept = await besideRival(db, (client) => client.query(both, [userId]), hold)
    const ended = await besideRival(
      db,
      (client) => client.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]),
      hold,
    )
    assert.deepEqual(
      [kept, ended],
      [
        { result: true, waited: true },
        { result: false, waited: true },
      ],
    )
  })
})

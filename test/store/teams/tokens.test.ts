import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createHeartbeatFinder } from '../../../src/store/monitors/pings.ts'
import { createTokenHolderFinder, insertToken, revokeToken } from '../../../src/store/teams/tokens.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addPerson, addTeam } from '../../support/records/teams.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const MINUTE_MS = 60_000

const hashOf = (token: string) => createHash('sha256').update(token).digest()

describe('tokens that are looked up together', () => {
  let database: TestDatabase
  let ids: { user: number; team: number }

  before(async () => {
    database = await openTestDatabase()
    const team = await addTeam(database.db, { plan: 'pro' })
    ids = { team, user: await addPerson(database.db, {}, { teamId: team }) }
  })
  after(() => database?.close())

  function newToken(token: string, expiresAt: Date | null = null) {
    const { user: userId, team: teamId } = ids
    const tokenHash = hashOf(token)
    return insertToken(database.db.query, {
      userId,
      teamId,
      name: token,
      tokenHash,
      ending: 'aaaa',
      expiresAt,
    })
  }

  async function lastUsed(id: number): Promise<number | undefined> {
    const token = database.db.query.selectFrom('tokens').select('last_used_at').where('id', '=', id)
    return (await token.executeTakeFirstOrThrow()).last_used_at?.getTime()
  }

  it('are each answered with their own holder, and the unknown, revoked and expired with none', async () => {
    const find = createTokenHolderFinder(database.db, () => new Date(NOW))
    const first = await newToken('first')
    const second = await newToken('second', new Date(NOW + 1))
    await newToken('expired', new Date(NOW))
    await revokeToken(database.db.query, (await newToken('revoked')).id, new Date(NOW))
    const asked = ['second', 'unknown', 'first', 'expired', 'second', 'revoked']
    const found = await Promise.all(asked.map((token) => find(hashOf(token))))
    assert.deepEqual(
      found.map((holder) => holder?.tokenId ?? null),
      [second.id, null, first.id, null, second.id, null],
    )
    const { user: userId, team: teamId } = ids
    const bounds = { resource: null, access: null }
    assert.deepEqual(found[2], { tokenId: first.id, userId, teamId, role: 'admin', plan: 'pro', ...bounds })
  })

  it('have their use noted, at most once a minute', async () => {
    const clock = { ms: NOW }
    const find = createTokenHolderFinder(database.db, () => new Date(clock.ms))
    const { id } = await newToken('noted')
    const other = await newToken('other')
    for (const [afterMs, noted] of [
      [0, NOW],
      [MINUTE_MS, NOW],
      [MINUTE_MS + 1, NOW + MINUTE_MS + 1],
    ] as const) {
      clock.ms = NOW + afterMs
      await Promise.all([find(hashOf('noted')), find(hashOf('noted'))])
      assert.equal(await lastUsed(id), noted)
    }
    assert.equal(await lastUsed(other.id), undefined)
  })

  it('of heartbeats lead to their monitors, in capitals too; those paused, deleted or unknown to none', async () => {
    const find = createHeartbeatFinder(database.db)
    const tokens = { up: randomUUID(), other: randomUUID(), paused: randomUUID(), deleted: randomUUID() }
    const monitors = Object.fromEntries(
      await Promise.all(
        Object.entries(tokens).map(async ([name, token]) => [name, await newHeartbeat(name, token)]),
      ),
    )
    const asked = [
      tokens.other,
      randomUUID(),
      tokens.paused,
      tokens.up.toUpperCase(),
      tokens.deleted,
      tokens.other,
    ]
    assert.deepEqual(await Promise.all(asked.map(find)), [
      { monitorId: monitors.other, type: 'heartbeat', options: null },
      null,
      null,
      { monitorId: monitors.up, type: 'heartbeat', options: null },
      null,
      { monitorId: monitors.other, type: 'heartbeat', options: null },
    ])
  })

  async function newHeartbeat(name: string, token: string): Promise<number> {
    const { id } = await addMonitor(database.db, {
      team_id: ids.team,
      name,
      type: 'heartbeat',
      is_active: name !== 'paused',
      heartbeat_token_hash: hashOf(token),
      deleted_at: name === 'deleted' ? new Date(NOW) : null,
    })
    return id
  }
})

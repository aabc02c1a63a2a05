import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { MIN_MASS } from '../../../src/core/servers/mass-silence.ts'
import { createSilenceFollowing, startSilenceWatch } from '../../../src/engine/servers/follow-silence.ts'
import { createServerRecorder } from '../../../src/engine/servers/server-recorder.ts'
import { forgiveDowntime } from '../../../src/store/probing/pulse.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedServer, addServers, type NewServer } from '../../support/records/servers.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const SECOND_MS = 1_000
const LIMIT_SECONDS = 180

describe('the silence of servers', () => {
  let database: TestDatabase
  let recorder: ReturnType<typeof createServerRecorder>
  const troubles: unknown[] = []
  const notes: string[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createServerRecorder(database.db, (error) => troubles.push(error))
  })
  beforeEach(async () => {
    await query('TRUNCATE subjects, servers, scheduler_pulse, subject_status_changes CASCADE')
    notes.length = 0
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows
  const ago = (seconds: number) => new Date(Date.now() - seconds * SECOND_MS)

  /** Servers of one team that were last heard so many seconds ago. */
  async function heardAgo(...seconds: number[]): Promise<AddedServer[]> {
    const team_id = await addTeam(database.db)
    await addContacts(database.db, [{ team_id }])
    const serverOf = (index: number): NewServer => {
      const last = seconds[index] as number
      const state = { status: 'up' as const, last_report_at: ago(last), silent_at: ago(last - LIMIT_SECONDS) }
      return { team_id, state }
    }
    return addServers(database.db, seconds.length, serverOf)
  }

  const following = (now = () => new Date()) =>
    createSilenceFollowing({ db: database.db, recorder, now, note: (message) => notes.push(message) })
  const statuses = async () =>
    (await query('SELECT status FROM server_state ORDER BY server_id')).map(({ status }) => status)
  const events = async () =>
    (await query('SELECT event FROM deliveries ORDER BY id')).map(({ event }) => event)

  it('is told when it is due, once, and the next look is when another is due', async () => {
    await heardAgo(200, 175, 10)
    const follow = following()
    const next = await follow()
    assert.deepEqual(await statuses(), ['down', 'up', 'up'])
    assert.ok(next.getTime() - Date.now() <= 5 * SECOND_MS, 'the second one is due in 5 s')
    await follow()
    assert.deepEqual(await events(), ['server.down'])
  })

  it('is waited for', async () => {
    await heardAgo(LIMIT_SECONDS - 0.2)
    const watch = startSilenceWatch({
      db: database.db,
      recorder,
      now: () => new Date(),
      onTrouble: (error) => troubles.push(error),
      note: () => {},
    })
    await until('the silence to be told', async () => (await events()).length > 0)
    await watch.close()
    const [state] = await query('SELECT status, silent_at FROM server_state')
    assert.deepEqual(state, { status: 'down', silent_at: null })
  })

  it('is nothing of a server that is paused, deleted, or was never heard', async () => {
    const [paused, deleted, pending] = await heardAgo(200, 200, 200)
    await query('UPDATE servers SET is_active = false WHERE id = $1', [paused?.id])
    await query('UPDATE servers SET deleted_at = now() WHERE id = $1', [deleted?.id])
    await query('UPDATE server_state SET last_report_at = NULL, silent_at = NULL WHERE server_id = $1', [
      pending?.id,
    ])
    await following()()
    assert.deepEqual(await events(), [])
  })

  it('does not count while we were down for an hour', async () => {
    await heardAgo(3_600, 3_630)
    await query('INSERT INTO scheduler_pulse (alive_at) VALUES ($1)', [ago(3_590)])
    // As long as nobody leads, nothing is told.
    await following()()
    assert.deepEqual(await events(), [])
    const now = new Date()
    await forgiveDowntime(database.db, now)
    await following()()
    assert.deepEqual(await events(), [])
    const silentIn = await query(
      'SELECT extract(epoch FROM silent_at - $1)::float8 AS seconds FROM server_state ORDER BY 1',
      [now],
    )
    assert.deepEqual(
      silentIn.map(({ seconds }) => Math.round(seconds / 10) * 10),
      [140, 170],
    )
  })

  it('does not count what a window covers', async () => {
    const [server] = await heardAgo(200)
    const window = oneOff(ago(150).toISOString(), ago(60).toISOString())
    await addWindow(database.db, server?.teamId as number, window, new Date(0))
    await following()()
    assert.deepEqual(await events(), [])
    await query(
      "UPDATE server_state SET last_report_at = last_report_at - interval '100 s', silent_at = silent_at - interval '100 s'",
    )
    await following()()
    assert.deepEqual(await events(), ['server.down'])
  })

  it('of most at once is held while nothing else is heard, and told after all', async () => {
    await heardAgo(...Array(MIN_MASS).fill(200), 260)
    const follow = following()
    await follow()
    await follow()
    assert.deepEqual(await events(), [])
    assert.equal(notes.length, 1)
    await query(
      "UPDATE server_state SET last_report_at = last_report_at - interval '10 min', silent_at = silent_at - interval '10 min'",
    )
    await following()()
    assert.equal((await events()).length, MIN_MASS + 1)
  })

  it('of most at once is told where others are heard', async () => {
    await heardAgo(...Array(MIN_MASS).fill(200), 5)
    await following()()
    assert.equal((await events()).length, MIN_MASS)
  })
})

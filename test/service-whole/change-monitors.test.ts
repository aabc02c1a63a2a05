import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteScope } from '../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../support/servers/switch-target.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../support/services/api-problems.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { ask } from '../support/services/http.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { SELDOM } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

describe('changing many monitors at once', { concurrency: true }, () => {
  const scope = suiteScope()
  let service: AskedService
  /** Passes all checks. */
  let steady: SwitchTarget

  before(async () => {
    service = await wholeService()
    steady = await startSwitchTarget(scope)
  })

  async function metric(name: string): Promise<number | undefined> {
    const { text } = await ask(`${service.url}/metrics`)
    const line = text.split('\n').find((each) => each.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length))
  }

  const newTeam = async () => signIn(service, (await service.createTeam()).id)

  async function monitorsOf(member: SignedIn, count: number, changes: object = {}): Promise<number[]> {
    const body = { ...MONITORS.http, url: steady.url, ...SELDOM, ...changes }
    const made = Array.from({ length: count }, () => member.ask('POST', '/monitors', body))
    return (await Promise.all(made)).map(({ data }) => data.id)
  }

  const change = async (member: SignedIn, action: string, ids: number[], contact?: number) =>
    (
      await member.ask('POST', '/monitor-rows/change', {
        action,
        monitor_ids: ids,
        ...(contact !== undefined && { notification_contact_id: contact }),
      })
    ).data.changed

  const show = async (member: SignedIn, id: number) => (await member.ask('GET', `/monitors/${id}`)).data

  it('pauses and resumes as a toggle does, and counts those that were so already not', async (t) => {
    const member = await newTeam()
    const target = await startSwitchTarget(t, 500)
    const ids = await monitorsOf(member, 3, { url: target.url })
    const [heartbeat = 0] = await monitorsOf(member, 1, {
      ...MONITORS.heartbeat,
      check_interval_seconds: 300,
    })
    const [first = 0] = ids
    await until('all are down', async () => {
      const { data } = await member.ask('GET', '/monitor-rows?status=down')
      return data.length === 3
    })
    target.status = 200
    await member.ask('POST', `/monitors/${first}/toggle`)
    assert.equal(await change(member, 'pause', [...ids, heartbeat, heartbeat]), 3)
    for (const id of [...ids, heartbeat]) {
      const { is_active, open_incident, status } = await show(member, id)
      assert.deepEqual(
        [is_active, open_incident, status],
        [false, null, id === heartbeat ? 'pending' : 'down'],
      )
    }
    assert.equal(await change(member, 'pause', ids), 0)
    const { data } = await member.ask('GET', `/monitors/${first}/report`)
    assert.deepEqual([data.pauses.length, data.pauses[0].to], [1, null])

    const { pool } = service.services.db
    const before = await pool.query('SELECT now() AS at')
    assert.equal(await change(member, 'resume', [...ids, heartbeat]), 4)
    assert.equal(await change(member, 'resume', ids), 0)
    await until('all are checked again', async () => {
      const { data } = await member.ask('GET', '/monitor-rows?status=up')
      return data.length === 3
    })
    for (const id of ids) {
      const { data } = await member.ask('GET', `/monitors/${id}/report`)
      assert.deepEqual([data.pauses.length, data.pauses[0].to !== null], [1, true])
    }
    const { rows } = await pool.query(
      `SELECT heartbeat_due_at >= $2::timestamptz - interval '1 ms' + interval '5 minutes' AS "isAnew"
       FROM monitor_state WHERE monitor_id = $1`,
      [heartbeat, before.rows[0].at],
    )
    assert.equal(rows[0].isAnew, true)
  })

  it('deletes, and nothing checks them any more', async () => {
    const member = await newTeam()
    const ids = await monitorsOf(member, 3)
    assert.equal(await change(member, 'delete', ids.slice(0, 2)), 2)
    assert.equal(await change(member, 'delete', ids), 1)
    for (const id of ids) assert.equal((await member.send('GET', `/monitors/${id}`)).status, 404)
    assert.equal((await member.ask('GET', '/deleted-monitors')).data.length, 3)
  })

  it('attaches and detaches a contact of the team, and of no other', async () => {
    const member = await newTeam()
    const ids = await monitorsOf(member, 3)
    const contact = (await member.ask('GET', '/notification-contacts')).data[0].id
    assert.equal(await change(member, 'attach', ids.slice(0, 2), contact), 2)
    assert.equal(await change(member, 'attach', ids, contact), 1)
    const shown = await show(member, ids[2] as number)
    assert.deepEqual(
      shown.notification_contacts.map(({ id }: { id: number }) => id),
      [contact],
    )
    assert.equal(await change(member, 'detach', ids, contact), 3)
    assert.equal(await change(member, 'detach', ids, contact), 0)

    const stranger = await newTeam()
    const strange = (await stranger.ask('GET', '/notification-contacts')).data[0].id
    for (const notification_contact_id of [strange, 0, -1, 2 ** 40, null, undefined]) {
      for (const action of ['attach', 'detach']) {
        const body = { action, monitor_ids: ids, notification_contact_id }
        assertInvalid(await member.send('POST', '/monitor-rows/change', body), ['notification_contact_id'])
      }
    }
  })

  it('leaves alone what belongs to others', async () => {
    const [member, stranger] = [await newTeam(), await newTeam()]
    const [own, foreign] = [await monitorsOf(member, 1), await monitorsOf(stranger, 2)]
    for (const action of ['pause', 'resume', 'delete']) {
      assert.equal(await change(member, action, [...foreign, ...own, 2_147_483_647]), 1, action)
    }
    for (const id of foreign) assert.equal((await show(stranger, id)).is_active, true)
  })

  it('is refused with the name of what is wrong, and to viewers', async () => {
    const member = await newTeam()
    const table: [body: object, fields: string[]][] = [
      [{}, ['action', 'monitor_ids']],
      [{ action: 'explode', monitor_ids: [1] }, ['action']],
      [{ action: 'pause', monitor_ids: [] }, ['monitor_ids']],
      [{ action: 'pause', monitor_ids: new Array(501).fill(1) }, ['monitor_ids']],
      [{ action: 'pause', monitor_ids: [1, '2'] }, ['monitor_ids.1']],
      [{ action: 'pause', monitor_ids: [2 ** 31] }, ['monitor_ids.0']],
    ]
    for (const [body, fields] of table) {
      assertInvalid(await member.send('POST', '/monitor-rows/change', body), fields)
    }
    const viewer = await signIn(service, member.teamId, 'viewer')
    for (const [method, path] of [
      ['POST', '/monitor-rows/change'],
      ['POST', '/monitors/1/check-now'],
      ['POST', '/deleted-monitors/1/restore'],
    ] as const) {
      assertProblem(await viewer.send(method, path, {}), 403)
    }
  })

  it('takes turns with checks, single changes and itself', async (t) => {
    const member = await newTeam()
    const target = await startSwitchTarget(t)
    const ids = await monitorsOf(member, 40, { url: target.url, check_interval_seconds: 1 })
    const contact = (await member.ask('GET', '/notification-contacts')).data[0].id
    const rolledBack = async () => (await metric('upbeat_database_errors_total{class="40"}')) ?? 0
    const before = await rolledBack()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, turn) => {
        // Every check has news, which takes the most locks.
        target.status = turn % 2 === 0 ? 500 : 200
        const action = ['pause', 'resume', 'attach', 'detach'][turn % 4]
        const monitor_ids = turn % 3 === 0 ? ids.toReversed() : ids
        if (turn % 5 === 0) return member.send('POST', `/monitors/${ids[turn % ids.length]}/toggle`)
        const body = { action, monitor_ids, notification_contact_id: contact }
        return member.send('POST', '/monitor-rows/change', body)
      }),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await change(member, 'resume', ids)
    target.status = 200
    await until('all are up', async () => {
      const { meta } = await member.ask('GET', '/monitor-rows?status=up')
      return meta.total === ids.length
    })
    // Transactions rolled back for the sake of others: deadlocks and the like. The checking thread reports its counts
    // from time to time; the second report from now on has them all.
    const saysOf = async () => (await metric('upbeat_event_loop_delay_seconds_count{thread="checking"}')) ?? 0
    const said = await saysOf()
    await until('the thread that checks has told', async () => (await saysOf()) >= said + 2)
    assert.equal(await rolledBack(), before)
  })
})

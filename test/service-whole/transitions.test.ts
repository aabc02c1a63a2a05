import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Monitor } from '../../src/core/monitors/monitor.ts'
import { deliveriesOf, messagesOf, untilDelivered } from '../support/records/delivery-log.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const EVERY_SECOND = { check_interval_minutes: 1, check_interval_seconds: 1 }

describe('the states of a monitor', { concurrency: true }, () => {
  const scope = suiteScope()
  let service: AskedService
  let client: TeamClient
  let receiver: Receiver
  let contactIds: number[]

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
    receiver = await startReceiver(scope, replyWith(204))
    contactIds = [(await client.webhook(receiver)).id]
  })

  async function watch(t: Scope, status = 200, interval: object = SELDOM) {
    const target = await startSwitchTarget(t, status)
    const monitor = await client.monitor({
      ...interval,
      url: target.url,
      notification_contact_ids: contactIds,
    })
    return { target, monitor, id: monitor.id }
  }

  const toldOf = (id: number) =>
    [...messagesOf(receiver).values()]
      .map(([first]) => JSON.parse(first?.body ?? '{}'))
      .filter((payload) => payload.id === id)
  const eventsAbout = async (id: number) => (await deliveriesOf(service, id)).map(({ event }) => event)

  /** Resolves when a monitor that is checked every second, made now, has met two ticks after its first check. */
  async function twoTicks(t: Scope): Promise<void> {
    const clock = await startSwitchTarget(t)
    await client.monitor({ url: clock.url })
    await until('the clock to be checked', () => clock.asked >= 3)
  }

  it('pending at creation, up with the first passing check, without an alert', async (t) => {
    const { monitor, id } = await watch(t)
    assert.deepEqual(
      [monitor.status, monitor.is_active, monitor.last_checked_at, monitor.open_incident],
      ['pending', true, null, null],
    )
    const up = await client.untilStatus(id, 'up')
    const checks = await client.checks(id)
    assert.ok(checks.some(({ checked_at }) => checked_at === up.last_checked_at))
    assert.deepEqual([up.open_incident, await client.incidents(id)], [null, []])
    assert.deepEqual(await eventsAbout(id), [])
  })

  it('a failed check opens one incident, which stays through further failures until a check passes', async (t) => {
    const { target, id } = await watch(t, 200, EVERY_SECOND)
    await client.untilStatus(id, 'up')
    target.status = 503
    const down = await client.untilStatus(id, 'down')
    const opened = down.open_incident
    assert.deepEqual(
      [opened?.cause, opened?.resolved, opened?.resolved_at, opened?.duration_seconds],
      ['HTTP 503 (expected 200)', false, null, null],
    )
    const { asked } = target
    await until('two more checks', () => target.asked >= asked + 2)
    const failures = await until('more failures', async () => {
      const failed = (await client.checks(id)).filter(({ status }) => status === 'down')
      return failed.length >= 3 && failed
    })
    assert.equal(failures.at(-1)?.checked_at, opened?.started_at, 'it starts with the first failure')
    assert.deepEqual((await client.show(id)).open_incident, opened)
    target.status = 200
    await client.untilStatus(id, 'up')
    const [resolved, ...others] = await client.incidents(id)
    assert.deepEqual(others, [])
    assert.deepEqual([resolved?.id, resolved?.resolved, resolved?.cause], [opened?.id, true, opened?.cause])
    const lasted = Date.parse(resolved?.resolved_at ?? '') - Date.parse(resolved?.started_at ?? '')
    assert.equal(resolved?.duration_seconds, Math.floor(lasted / 1_000))
    assert.ok((resolved?.duration_seconds ?? 0) >= 1)
    await untilDelivered(service, id, 2)
    assert.deepEqual(
      toldOf(id).map(({ event }) => event),
      ['monitor.down', 'monitor.recovery'],
    )
  })

  it('a monitor whose first check fails goes from pending to down', async (t) => {
    const { id } = await watch(t, 500)
    const { open_incident } = await client.untilStatus(id, 'down')
    assert.equal(open_incident?.cause, 'HTTP 500 (expected 200)')
    assert.deepEqual(await eventsAbout(id), ['monitor.down'])
  })

  const pauses: [
    name: string,
    pause: (id: number) => Promise<Monitor>,
    resume: (id: number) => Promise<Monitor>,
  ][] = [
    [
      'toggle',
      (id) => client.data('POST', `/monitors/${id}/toggle`),
      (id) => client.data('POST', `/monitors/${id}/toggle`),
    ],
    [
      'PATCH is_active',
      (id) => client.data('PATCH', `/monitors/${id}`, { is_active: false }),
      (id) => client.data('PATCH', `/monitors/${id}`, { is_active: true }),
    ],
  ]
  for (const [name, pause, resume] of pauses) {
    it(`${name}: a pause keeps the status and resolves the incident quietly; a resumption starts anew`, async (t) => {
      const { target, id } = await watch(t, 500, EVERY_SECOND)
      await client.untilStatus(id, 'down')
      const paused = await pause(id)
      assert.deepEqual([paused.status, paused.is_active, paused.open_incident], ['down', false, null])
      const [incident] = await client.incidents(id)
      assert.deepEqual([incident?.resolved, typeof incident?.duration_seconds], [true, 'number'])

      const asked = target.asked
      await twoTicks(t)
      assert.ok(target.asked <= asked + 1, 'checks stop, but for the one that was under way')
      const still = await client.show(id)
      assert.deepEqual([still.status, still.is_active, still.open_incident], ['down', false, null])
      assert.deepEqual(await eventsAbout(id), ['monitor.down'], 'a pause is no recovery')

      const resumed = await resume(id)
      assert.deepEqual([resumed.status, resumed.is_active], ['pending', true])
      await client.untilStatus(id, 'down')
      const incidents = await client.incidents(id)
      assert.deepEqual(
        incidents.map(({ resolved }) => resolved),
        [false, true],
      )
      await untilDelivered(service, id, 2)
      assert.deepEqual(await eventsAbout(id), ['monitor.down', 'monitor.down'])
    })
  }

  it('pausing a paused monitor and resuming an active one change nothing', async (t) => {
    const { id } = await watch(t)
    await client.untilStatus(id, 'up')
    const active = await client.data('PATCH', `/monitors/${id}`, { is_active: true })
    assert.deepEqual([active.status, active.is_active], ['up', true])
    await client.data('PATCH', `/monitors/${id}`, { is_active: false })
    const paused = await client.data('PATCH', `/monitors/${id}`, { is_active: false })
    assert.deepEqual([paused.status, paused.is_active], ['up', false])
  })

  it('a monitor created paused is pending and is not checked until it is resumed', async (t) => {
    const target = await startSwitchTarget(t)
    const { id } = await client.monitor({ url: target.url, is_active: false })
    await twoTicks(t)
    const monitor = await client.show(id)
    assert.deepEqual([monitor.status, monitor.is_active, monitor.last_checked_at], ['pending', false, null])
    assert.deepEqual([target.asked, await client.checks(id)], [0, []])
    await client.data('POST', `/monitors/${id}/toggle`)
    await client.untilStatus(id, 'up')
  })

  it('a deletion resolves the incident, stops the checks and leaves every list', async (t) => {
    const { target, id } = await watch(t, 500, EVERY_SECOND)
    const { open_incident } = await client.untilStatus(id, 'down')
    const ofTeam = () => client.data('GET', '/incidents') as Promise<{ id: number }[]>
    assert.ok((await ofTeam()).some((incident) => incident.id === open_incident?.id))
    assert.equal((await client.ask('DELETE', `/monitors/${id}`)).status, 204)
    assert.ok(!(await ofTeam()).some((incident) => incident.id === open_incident?.id))
    for (const path of ['', '/checks', '/incidents']) {
      assert.equal((await client.ask('GET', `/monitors/${id}${path}`)).status, 404)
    }
    const asked = target.asked
    await twoTicks(t)
    assert.ok(target.asked <= asked + 1)
    assert.deepEqual(await eventsAbout(id), ['monitor.down'])
    const { rows } = await service.services.db.pool.query(
      "SELECT resolved_at IS NOT NULL AS resolved FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1",
      [id],
    )
    assert.deepEqual(rows, [{ resolved: true }])
  })

  it('a new URL takes effect at once, and the old one is not asked again', async (t) => {
    const before = await startSwitchTarget(t)
    const after = await startSwitchTarget(t, 503)
    // A year between checks: only the change can bring the next one.
    const { id } = await client.monitor({ ...SELDOM, url: before.url })
    await client.untilStatus(id, 'up')
    const { asked } = before
    await client.data('PATCH', `/monitors/${id}`, { url: after.url })
    await client.untilStatus(id, 'down')
    assert.equal(before.asked, asked)
  })

  it('a shorter interval takes effect at once', async (t) => {
    const target = await startSwitchTarget(t)
    const { id } = await client.monitor({ ...SELDOM, url: target.url })
    await client.untilStatus(id, 'up')
    await client.data('PATCH', `/monitors/${id}`, { check_interval_seconds: 1 })
    await client.untilChecks(id, 3)
  })
})

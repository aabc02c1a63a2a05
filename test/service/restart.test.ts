import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Check } from '../../src/core/check.ts'
import { untilDelivered } from '../support/deliveries.ts'
import { documentedFetch } from '../support/documented.ts'
import { startReceiver } from '../support/receivers.ts'
import { suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startSwitchTarget } from '../support/switch-target.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

const CHECKS_GO_ON_MS = 5_000
/** Where others use the database, too, a process that was killed is waited for as one that stands still. */
const TAKEN_OVER_MS = 10_000
const DELIVERIES_GO_ON_MS = 10_000

const INTERVAL_MS = 2_000

describe('a restart', () => {
  const scope = suiteScope()
  let service: TestService

  before(async () => {
    service = await startTestService({ DATABASE_URL: '' })
    scope.after(() => service.close())
  })

  const since = (checks: Check[], at: number) =>
    checks.filter(({ checked_at }) => Date.parse(checked_at) > at)

  const firstSince = (client: TeamClient, id: number, at: number) =>
    until('a check after the restart', async () => since(await client.checks(id), at).at(-1))

  /** Of a check after the restart and the newest before it: only a monitor's first check has a time of its own. */
  function assertSamePhase(after: Check, before: Check | undefined) {
    const phaseOf = (check: Check | undefined) => Date.parse(check?.checked_at ?? '') % INTERVAL_MS
    const drift = Math.abs(phaseOf(after) - phaseOf(before))
    assert.ok(Math.min(drift, INTERVAL_MS - drift) < INTERVAL_MS / 4, `drifted by ${drift} ms`)
  }

  it('of the only process goes on with checks within 5 s of its death by SIGKILL, in the phase they had', async (t) => {
    const client = await teamClient(service)
    const target = await startSwitchTarget(t)
    const { id } = await client.monitor({ url: target.url, check_interval_seconds: INTERVAL_MS / 1_000 })
    const before = await client.untilChecks(id, 3)
    await service.letGo()
    await service.signal('SIGKILL')
    await service.start()
    const startedAt = Date.now()
    await service.takeUp()
    const again = await firstSince(client, id, startedAt)
    assert.ok(Date.parse(again.checked_at) - startedAt <= CHECKS_GO_ON_MS)
    assertSamePhase(again, before[0])
  })

  it('after SIGKILL is noticed within 10 s where others use the database, by checks and by deliveries', async (t) => {
    const client = await teamClient(service)
    const healthy = await startSwitchTarget(t)
    const { id } = await client.monitor({ url: healthy.url, check_interval_seconds: INTERVAL_MS / 1_000 })
    const before = await client.untilChecks(id, 3)
    let askedAgainAt = 0
    const receiver = await startReceiver(t, (response) => {
      // The first answer is held back until nobody waits for it any more.
      if (receiver.requests.length === 1) return
      askedAgainAt ||= Date.now()
      response.writeHead(204).end()
    })
    const failing = await startSwitchTarget(t, 503)
    const contact = await client.webhook(receiver)
    const down = await client.monitor({ url: failing.url, notification_contact_ids: [contact.id] })
    await until('the alert to arrive', () => receiver.requests.length === 1)

    // We hold the database open meanwhile: what the killed process had claimed must lapse by itself.
    await service.signal('SIGKILL')
    await service.start()
    const startedAt = Date.now()
    const again = await firstSince(client, id, startedAt)
    assert.ok(Date.parse(again.checked_at) - startedAt <= TAKEN_OVER_MS)
    assertSamePhase(again, before[0])

    const [delivery, ...others] = await untilDelivered(service, down.id, 1)
    assert.deepEqual([delivery?.state, others], ['sent', []])
    assert.ok(askedAgainAt - startedAt <= DELIVERIES_GO_ON_MS, `${askedAgainAt - startedAt} ms`)
    assert.deepEqual(
      receiver.requests.map(({ headers }) => headers['webhook-id']),
      [delivery?.messageId, delivery?.messageId],
    )
  })

  it('what was down stays down with its incident, and its end is noticed', async (t) => {
    const client = await teamClient(service)
    const target = await startSwitchTarget(t, 503)
    const { id } = await client.monitor({ url: target.url })
    const { open_incident } = await client.untilStatus(id, 'down')
    await service.signal('SIGTERM')
    await service.start()
    const startedAt = Date.now()
    assert.deepEqual((await client.show(id)).open_incident, open_incident)
    await until(
      'a failure after the restart',
      async () => since(await client.checks(id), startedAt).length > 0,
    )
    assert.deepEqual((await client.show(id)).open_incident, open_incident)
    target.status = 200
    await client.untilStatus(id, 'up')
    const incidents = await client.incidents(id)
    assert.deepEqual(
      incidents.map((incident) => [incident.id, incident.resolved]),
      [[open_incident?.id, true]],
    )
  })

  it('time without the service does not count against a heartbeat', async () => {
    const client = await teamClient(service)
    // What is left of it when the service ends is left when it is back: enough to look.
    const intervalMs = 5_000
    const monitor = await client.monitor({ type: 'heartbeat', check_interval_seconds: intervalMs / 1_000 })
    await service.letGo()
    const ping = await documentedFetch(`${service.url}/ping/${monitor.heartbeat_token}`)
    assert.equal(ping.status, 204)
    await service.signal('SIGKILL')
    const stoppedAt = Date.now()
    await until('the deadline to pass', () => Date.now() > stoppedAt + intervalMs)
    const startingAt = Date.now()
    await service.start()
    await service.takeUp()
    const { status, last_checked_at } = await client.show(monitor.id)
    assert.equal(status, 'up')
    const deadline = Date.parse(last_checked_at ?? '') + intervalMs
    const { open_incident } = await client.untilStatus(monitor.id, 'down')
    const later = Date.parse(open_incident?.started_at ?? '') - deadline
    assert.ok(later >= startingAt - stoppedAt, `down ${later} ms after the deadline`)
  })
})

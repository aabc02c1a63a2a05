import assert from 'node:assert/strict'
import type { Incident } from '../../../src/core/monitors/incident.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { deliveriesOf } from '../records/delivery-log.ts'
import { keptChecks } from '../records/recorded-checks.ts'
import type { Scope } from '../scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../servers/switch-target.ts'
import type { AskedService } from '../services/asked-service.ts'
import type { TeamClient } from '../services/team-client.ts'
import { until } from '../until.ts'
import { type Span, type SteadyJob, startSteadyJob } from './steady-job.ts'

/** It pings every second: an outage of less than 3 s, which is not forgiven, must not make it late. */
const JOB_INTERVAL_SECONDS = 5
/** The log line of a process whose membership has ended: its checks under way are void. */
const JOINS_AGAIN = /it joins again/g

/** The records that trouble must not harm. */
export type Scene = {
  healthy: SwitchTarget
  failing: SwitchTarget
  up: Monitor
  down: Monitor
  job: Monitor
  incident: Incident
  steadyJob: SteadyJob
}

/** A monitor that is up, one that is down, and a job that pings all the time. */
export async function setScene(
  t: Scope,
  service: AskedService,
  client: TeamClient,
  jobIntervalSeconds = JOB_INTERVAL_SECONDS,
): Promise<Scene> {
  const healthy = await startSwitchTarget(t)
  const failing = await startSwitchTarget(t, 503)
  const up = await client.monitor({ url: healthy.url })
  const down = await client.monitor({ url: failing.url })
  const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: jobIntervalSeconds })
  const pingUrl = `${service.url}/ping/${job.heartbeat_token}`
  const steadyJob = startSteadyJob(t, pingUrl, jobIntervalSeconds * 1_000)
  await client.untilStatus(up.id, 'up')
  await client.untilStatus(job.id, 'up')
  const { open_incident } = await client.untilStatus(down.id, 'down')
  return { healthy, failing, up, down, job, incident: open_incident as Incident, steadyJob }
}

/** Checks have gone on; none of them, no ping and no alert is lost or doubled. The monitors are stopped by it. */
export async function assertUnharmed(
  { healthy, failing, up, down, job, incident, steadyJob }: Scene,
  service: AskedService,
  client: TeamClient,
  trouble: Span[] = [],
): Promise<void> {
  const wanted = [healthy, failing].map((target) => ({ target, count: target.asked + 3 }))
  await until('checks to go on', () => wanted.every(({ target, count }) => target.asked >= count))
  // While it still pings: whoever stops is rightly found late soon after.
  const late = steadyJob.assertInTime(await keptChecks(service, job.id), trouble)
  if (late.length === 0) assert.deepEqual(await deliveriesOf(service, job.id), [])
  await client.data('DELETE', `/monitors/${job.id}`)
  await steadyJob.stop()
  for (const [{ id }, target, status] of [
    [up, healthy, 'up'],
    [down, failing, 'down'],
  ] as const) {
    const { asked } = target
    const askedUntil = new Date().toISOString()
    const checks = await until('all checks of that time to be on record', async () => {
      const kept = await keptChecks(service, id)
      // A monitor is checked once at a time: each begins when the one before is on record.
      return kept.some(({ checked_at }) => checked_at > askedUntil) && kept
    })
    const rejoined = service.output().match(JOINS_AGAIN)?.length ?? 0
    // Checks that a starved process could not judge are tried again.
    const judged = checks.filter((check) => check.status !== 'pending')
    assert.deepEqual(new Set(judged.map((check) => check.status)), new Set([status]))
    assert.equal(new Set(checks.map(({ checked_at }) => checked_at)).size, checks.length, 'none is doubled')
    const kept = judged.filter(({ checked_at }) => checked_at <= askedUntil)
    const missing = asked - kept.length
    // One may be under way when the process stops or loses its membership; one that had begun may have asked since.
    const excused = 1 + rejoined + (checks.length - judged.length)
    assert.ok(missing >= -1 && missing <= excused, `${missing} checks lost, ${excused} excused`)
  }
  for (const { id } of [up, down]) await client.data('PATCH', `/monitors/${id}`, { is_active: false })
  assert.deepEqual(await client.incidents(up.id), [])
  const incidents = await client.incidents(down.id)
  assert.deepEqual(
    incidents.map(({ id, started_at }) => [id, started_at]),
    [[incident.id, incident.started_at]],
  )
}

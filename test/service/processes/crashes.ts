import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { crashRandom } from '../../support/crash-seed.ts'
import { isUnsettled } from '../../support/records/alerting.ts'
import { type Received, replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { type SwitchTarget, startSwitchTarget } from '../../support/servers/switch-target.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

const MONITORS = 16
/** The most checks of one life, before its end is near. */
const MAX_CHECKS = 2 * MONITORS
/** Long enough to write something: on another server connections take a while to make. */
const MAX_END_MS = process.env.UPBEAT_TEST_DATABASE_URL ? 4_000 : 300

type Incident = { id: number; monitorId: number; startedAt: Date; resolvedAt: Date | null }
type Check = { monitorId: number; checkedAt: Date; status: string }
type Delivery = { messageId: string; incidentId: number; event: string; state: string; monitorId: number }

/**
 * The service is killed again and again while incidents open and resolve. What the checks say is the truth:
 * each run of failed ones is one incident, told once of its beginning and once of its end.
 */
export async function assertNothingLost(t: TestContext, kills: number): Promise<void> {
  const random = crashRandom(t)
  const service = await startTestService()
  t.after(() => service.close())
  const client = await teamClient(service)
  const receiver = await startReceiver(t, replyWith(204))
  const contact = await client.webhook(receiver)
  const targets: SwitchTarget[] = []
  for (let i = 0; i < MONITORS; i++) {
    const target = await startSwitchTarget(t)
    targets.push(target)
    await client.monitor({ name: `m${i}`, url: target.url, notification_contact_ids: [contact.id] })
  }
  await until('every target to be checked', () => targets.every(({ asked }) => asked > 0))

  await service.letGo()
  for (let kill = 0; kill < kills; kill++) {
    // One half fails while the other recovers, and next time the other way round.
    for (const [i, target] of targets.entries()) target.status = (kill + i) % 2 === 0 ? 503 : 200
    // The first life sees to it that there are outages to lose.
    if (kill === 0) await untilWritten(targets)
    // Lives are counted in checks: on a slow machine, too, some end before anything is written, and others after.
    const lastCheck = countAsked(targets) + 1 + random() * MAX_CHECKS
    await until('some checks', () => countAsked(targets) >= lastCheck)
    await delay(random() * MAX_END_MS)
    await service.signal('SIGKILL')
    await service.start()
  }
  for (const target of targets) target.status = 200
  await service.takeUp()
  await untilWritten(targets)
  await until('all to be up and told', async () => !(await isUnsettled(service.services.db)))

  const { checks, incidents, deliveries } = await readAll(service)
  const outages = outagesOf(checks)
  t.diagnostic(`${checks.length} checks, ${outages.length} outages, ${receiver.requests.length} messages`)
  assert.ok(outages.length >= MONITORS / 2, 'there were outages to lose')
  assert.deepEqual(
    incidents.map(({ monitorId, startedAt, resolvedAt }) => ({ monitorId, startedAt, resolvedAt })),
    outages,
    'each run of failed checks is one incident, from its first failure to the first success after it',
  )
  assert.deepEqual(
    deliveries.map(({ incidentId, event, state }) => `${incidentId} ${event} ${state}`).sort(),
    incidents.flatMap(({ id }) => [`${id} monitor.down sent`, `${id} monitor.recovery sent`]).sort(),
    'each incident is told once of its beginning and once of its end',
  )
  assertReceived(receiver.requests, deliveries)
}

/** Waits until the current answer of each target is recorded: a target is asked again only after that. */
async function untilWritten(targets: SwitchTarget[]): Promise<void> {
  const wanted = targets.map((target) => ({ target, count: target.asked + 2 }))
  await until('each target to be asked twice', () =>
    wanted.every(({ target, count }) => target.asked >= count),
  )
}

/** Every message arrived, perhaps more than once, always under its own id and with the same words. */
function assertReceived(requests: Received[], deliveries: Delivery[]): void {
  const bodies = new Map<string, Set<string>>()
  const idsOfBody = new Map<string, Set<string>>()
  for (const { headers, body } of requests) {
    const id = String(headers['webhook-id'])
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
    idsOfBody.set(body, (idsOfBody.get(body) ?? new Set()).add(id))
  }
  assert.deepEqual([...bodies.keys()].sort(), deliveries.map(({ messageId }) => messageId).sort())
  for (const [id, said] of bodies) assert.equal(said.size, 1, `message ${id} changed its words`)
  for (const { messageId, event, monitorId } of deliveries) {
    const { event: told, id } = JSON.parse([...(bodies.get(messageId) ?? [])][0] ?? '{}')
    assert.deepEqual([told, id], [event, monitorId])
  }
}

/** Each run of failed checks of a monitor, with the first success after it; in the order of incidents. */
function outagesOf(checks: Check[]): Omit<Incident, 'id'>[] {
  const outages: Omit<Incident, 'id'>[] = []
  const open = new Map<number, Omit<Incident, 'id'>>()
  for (const { monitorId, checkedAt, status } of checks) {
    const outage = open.get(monitorId)
    if (status === 'down' && !outage) {
      const begun = { monitorId, startedAt: checkedAt, resolvedAt: null }
      open.set(monitorId, begun)
      outages.push(begun)
    } else if (status === 'up' && outage) {
      outage.resolvedAt = checkedAt
      open.delete(monitorId)
    }
  }
  return outages
}

async function readAll({ services }: TestService) {
  const { pool } = services.db
  const checks = await pool.query<Check>(
    `SELECT monitor_id AS "monitorId", checked_at AS "checkedAt", status FROM checks ORDER BY 2, 1`,
  )
  const incidents = await pool.query<Incident>(
    `SELECT id, subject_id AS "monitorId", started_at AS "startedAt", resolved_at AS "resolvedAt"
     FROM team_incidents ORDER BY started_at, subject_id`,
  )
  const deliveries = await pool.query<Delivery>(
    `SELECT message_id AS "messageId", team_incident_id AS "incidentId", event, state, subject_id AS "monitorId"
     FROM deliveries`,
  )
  return { checks: checks.rows, incidents: incidents.rows, deliveries: deliveries.rows }
}

function countAsked(targets: SwitchTarget[]): number {
  return targets.reduce((sum, { asked }) => sum + asked, 0)
}

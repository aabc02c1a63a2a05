import { setTimeout as delay } from 'node:timers/promises'
import { choosePolicy, insertPolicy } from '../src/store/on-call/policies.ts'
import { startTestService, type TestService } from '../test/support/services/service.ts'
import { startAlertReceiver } from './outages.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { seedMonitors } from './support/seed.ts'
import { restart } from './support/seeded-service.ts'
import { percentile } from './support/statistics.ts'
import { compare, type Row } from './support/table.ts'

const MONITORS = 300
const MINUTES = [1, 2, 3]
/** Connections to it are refused. */
const NOBODY = 'http://127.0.0.1:9/'
/** A step comes at its minute to one second. */
const LIMIT_MS = 1_000

type Lateness = { executed: number; answered: number }

/** How late the steps of many incidents are that open within seconds: until executed, and until the receiver has answered. */
export async function benchEscalation(scope: Scope, _options: Options): Promise<Row[]> {
  progress('escalation: starting the service')
  const service = await startTestService()
  scope.after(() => service.close())
  const receiver = await startAlertReceiver(scope)
  await watch(service, receiver.url)
  const late = await untilAllCame(service, MONITORS * MINUTES.length)
  const many = (MONITORS * MINUTES.length).toLocaleString('en-US')
  const row = (name: string, values: number[], p: number) =>
    compare(`${name}, ${p === 1 ? 'max' : `p${p * 100}`} of ${many}`, 'ms', 'the limit', [
      { ours: percentile(values, p), reference: LIMIT_MS },
    ])
  const executed = late.map((step) => step.executed)
  const answered = late.map((step) => step.answered)
  return [
    row('Steps of escalations late by', executed, 0.5),
    row('Steps of escalations late by', executed, 0.99),
    row('Steps of escalations late by', executed, 1),
    row('… until the receiver has answered', answered, 0.5),
    row('… until the receiver has answered', answered, 0.99),
    row('… until the receiver has answered', answered, 1),
  ]
}

/** Monitors that all fail from their first check on, and have a policy with a step at each of the minutes. */
async function watch(service: TestService, receiverUrl: string): Promise<void> {
  const { db } = service.services
  const { id: teamId, owner } = await service.createTeam()
  const { body } = await service.call(owner, 'GET', '/notification-contacts')
  for (const { id } of body.data) await service.call(owner, 'DELETE', `/notification-contacts/${id}`)
  const contact = { name: 'On call', type: 'webhook', config: { url: receiverUrl } }
  const created = await service.call(owner, 'POST', '/notification-contacts', contact)
  const policyId = await insertPolicy(db.query, teamId, {
    name: 'On call',
    steps: MINUTES.map((after_minutes) => ({
      after_minutes,
      contact_ids: [created.body.data.id],
      schedule_id: null,
    })),
    repeats: 0,
    repeat_every_minutes: 60,
    tags: [],
  })
  const monitors = await seedMonitors(service.services, teamId, MONITORS, () => ({
    url: NOBODY,
    check_interval_minutes: 1,
  }))
  for (const { id } of monitors) await choosePolicy(db.query, teamId, { kind: 'monitor', id }, policyId)
  await restart(service)
}

async function untilAllCame(service: TestService, count: number): Promise<Lateness[]> {
  for (;;) {
    const { rows } = await service.services.db.pool.query<Lateness>(
      `SELECT extract(epoch FROM s.done_at - s.due_at)::float8 * 1000 AS executed,
              extract(epoch FROM d.finished_at - s.due_at)::float8 * 1000 AS answered
       FROM escalation_steps s JOIN deliveries d ON d.step = s.id
       WHERE s.state = 'done' AND d.state = 'sent'`,
    )
    progress(`escalation: ${rows.length} of ${count} steps`)
    if (rows.length >= count) return rows
    await delay(1_000)
  }
}

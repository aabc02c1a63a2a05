import assert from 'node:assert/strict'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import type { Check } from '../../../src/core/monitors/check.ts'
import type { Incident } from '../../../src/core/monitors/incident.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import type { PlanName } from '../../../src/core/teams/plan.ts'
import { announceMonitors, requestCheck } from '../../../src/store/probing/schedule.ts'
import type { Receiver } from '../servers/receivers.ts'
import { until } from '../until.ts'
import type { Answer, AskedService } from './asked-service.ts'

/** A user may ask 60 times a minute; after so many calls another one asks. */
const CALLS_PER_USER = 55

/** Nothing but a change or a request leads to another check while a test runs, so seldom are they. */
export const SELDOM = { check_interval_minutes: 60, check_interval_seconds: 31_536_000 }

/** Asks the API for a team of its own, and waits for what the service does by itself. */
export type TeamClient = {
  teamId: number
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  /** Asks for what must be given; returns its `data`. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's
  data(method: string, path: string, body?: unknown): Promise<any>
  /** Makes a monitor that is checked every second unless told otherwise. */
  monitor(settings: Record<string, unknown>): Promise<Monitor>
  /** Makes a contact of type `webhook` that leads to a receiver. */
  webhook(receiver: Receiver, settings?: Record<string, unknown>): Promise<Contact>
  show(id: number): Promise<Monitor>
  checks(id: number): Promise<Check[]>
  incidents(id: number): Promise<Incident[]>
  untilMonitor(id: number, what: string, accept: (monitor: Monitor) => boolean): Promise<Monitor>
  untilStatus(id: number, status: Monitor['status']): Promise<Monitor>
  /** The newest checks, once there are so many. */
  untilChecks(id: number, count: number): Promise<Check[]>
  /** The first check that could be judged: on a machine that is too busy, an earlier one may say so instead. */
  untilJudged(id: number): Promise<Check>
  /** Has a monitor checked at once, as its page does, but again and again; returns the check once it is judged. */
  checkNow(id: number): Promise<Check>
}

export async function teamClient(service: AskedService, plan?: PlanName): Promise<TeamClient> {
  const team = await service.createTeam(plan)
  let token = Promise.resolve(team.owner)
  let calls = 0

  async function ask(method: string, path: string, body?: unknown) {
    if (++calls % CALLS_PER_USER === 0) token = service.createToken(team.id, 'owner')
    return service.call(await token, method, path, body)
  }

  async function data(method: string, path: string, body?: unknown) {
    const answer = await ask(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body?.data
  }

  const show = (id: number) => data('GET', `/monitors/${id}`)
  const untilMonitor = (id: number, what: string, accept: (monitor: Monitor) => boolean) =>
    until(`monitor ${id} ${what}`, async () => {
      const monitor: Monitor = await show(id)
      return accept(monitor) && monitor
    })

  return {
    teamId: team.id,
    ask,
    data,
    monitor: (settings) =>
      data('POST', '/monitors', {
        name: 'Shop',
        type: 'http',
        check_interval_minutes: 1,
        check_interval_seconds: 1,
        ...settings,
      }),
    webhook: ({ url }, settings = {}) =>
      data('POST', '/notification-contacts', {
        name: 'Ops',
        type: 'webhook',
        config: { url: `${url}/hook` },
        ...settings,
      }),
    show,
    checks: (id) => data('GET', `/monitors/${id}/checks`),
    incidents: (id) => data('GET', `/monitors/${id}/incidents`),
    untilMonitor,
    untilStatus: (id, status) => untilMonitor(id, `is ${status}`, (monitor) => monitor.status === status),
    untilChecks: (id, count) =>
      until(`${count} checks of monitor ${id}`, async () => {
        const checks: Check[] = await data('GET', `/monitors/${id}/checks`)
        return checks.length >= count && checks
      }),
    untilJudged: (id) =>
      until(`monitor ${id} is judged`, async () => {
        const checks: Check[] = await data('GET', `/monitors/${id}/checks`)
        return checks.findLast(({ status }) => status !== 'pending') ?? false
      }),
    async checkNow(id) {
      const [newest]: Check[] = await data('GET', `/monitors/${id}/checks`)
      await service.services.db.query.transaction().execute(async (query) => {
        await requestCheck(query, team.id, id, new Date(), 0)
        await announceMonitors(query, [id])
      })
      return until(`monitor ${id} is checked now`, async () => {
        const checks: Check[] = await data('GET', `/monitors/${id}/checks`)
        return checks.find(
          ({ status, checked_at }) => status !== 'pending' && (!newest || checked_at > newest.checked_at),
        )
      })
    },
  }
}

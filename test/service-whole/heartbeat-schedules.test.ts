import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { formatInstant } from '../../src/core/instant.ts'
import { deadlineAfterPing, nextDueAt } from '../../src/core/monitors/heartbeats/heartbeat-terms.ts'
import { jobScheduleOf } from '../../src/core/monitors/heartbeats/job-schedule.ts'
import type { Monitor } from '../../src/core/monitors/monitor.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { documentedAsk } from '../support/services/documented.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

/** A time that no test meets. */
const YEARLY = { schedule: '30 2 1 1 *', timezone: 'Europe/Berlin', grace_seconds: 60 }

describe('heartbeats with a schedule', { concurrency: true }, () => {
  let service: AskedService
  let client: TeamClient

  before(async () => {
    service = await wholeService()
    client = await teamClient(service)
  })

  const job = (options: object | null, changes: object = {}) =>
    client.monitor({ name: 'Backup', type: 'heartbeat', check_interval_seconds: 3_600, options, ...changes })
  const change = (id: number, body: object) => client.data('PATCH', `/monitors/${id}`, body)
  async function ping({ heartbeat_url }: Monitor, suffix = '') {
    const { status } = await documentedAsk(`${service.url}${new URL(heartbeat_url ?? '').pathname}${suffix}`)
    assert.equal(status, 204)
  }
  const dueAfter = (at: string, { schedule, timezone }: { schedule: string; timezone?: string } = YEARLY) =>
    formatInstant(jobScheduleOf(schedule, timezone).next(new Date(at)) as Date)

  it('say when they are due, from their creation on', async () => {
    const monitor = await job(YEARLY)
    const expected = { ...YEARLY, next_due_at: dueAfter(monitor.created_at) }
    assert.deepEqual(monitor.options, expected)
    assert.deepEqual((await client.show(monitor.id)).options, expected)
    assert.equal((await job({ grace_seconds: 5 })).options?.next_due_at, undefined)
  })

  it('are due at the next time once a ping came, and not at a start or a note', async () => {
    const monitor = await job(YEARLY)
    await ping(monitor, '/start')
    await ping(monitor, '/log')
    assert.equal((await client.show(monitor.id)).options?.next_due_at, dueAfter(monitor.created_at))
    await ping(monitor)
    const { options, last_checked_at } = await client.show(monitor.id)
    const terms = { intervalSeconds: 3_600, options: YEARLY }
    const due = nextDueAt(terms, deadlineAfterPing(terms, new Date(last_checked_at ?? '')))
    assert.equal(options?.next_due_at, due && formatInstant(due))
  })

  it('are due by new times at once, and by their interval without any', async () => {
    const monitor = await job(YEARLY)
    const daily = { schedule: 'Mon 04:00' }
    const changed: Monitor = await change(monitor.id, { options: { ...daily, timezone: null } })
    assert.equal(changed.options?.next_due_at, dueAfter(new Date().toISOString(), daily))
    const without: Monitor = await change(monitor.id, {
      options: { schedule: null },
      check_interval_seconds: 1,
    })
    assert.deepEqual(without.options, { grace_seconds: 60 })
    await change(monitor.id, { options: { grace_seconds: 0 } })
    const { open_incident } = await client.untilStatus(monitor.id, 'down')
    assert.equal(open_incident?.cause, 'no ping within 1 s')
  })

  it('are down once a time and its grace are over, at each of them, and say which it was', async () => {
    const monitor = await job(YEARLY)
    const due = await until('a time that is set before it is over', async () => {
      const due = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_000)
      const schedule = `*-*-* ${due.toISOString().slice(11, 19)} UTC`
      const { options } = await change(monitor.id, { options: { schedule, grace_seconds: 1 } })
      return options.next_due_at === formatInstant(due) && due
    })
    const [day, time] = due.toISOString().slice(0, 16).split('T')
    const { open_incident, options } = await client.untilStatus(monitor.id, 'down')
    assert.equal(open_incident?.cause, `no ping within 1 s of ${day} ${time} UTC`)
    const lateMs = Date.parse(open_incident.started_at) - due.getTime()
    assert.ok(lateMs >= 1_000, `${lateMs} ms after the time`)
    assert.equal(options?.next_due_at, formatInstant(new Date(due.getTime() + 86_400_000)))
    await ping(monitor)
    assert.equal((await client.show(monitor.id)).status, 'up')
  })

  it('are due at no time while paused, and count anew once resumed', async () => {
    const monitor = await job(YEARLY, { is_active: false })
    assert.deepEqual(monitor.options, YEARLY)
    const resumed: Monitor = await change(monitor.id, { is_active: true })
    assert.equal(resumed.options?.next_due_at, dueAfter(monitor.created_at))
  })

  it('take an answer back, and ignore when it was due', async () => {
    const { id, options } = await job(YEARLY)
    const sent = { ...options, grace_seconds: 90, next_due_at: '2020-01-01T00:00:00.000000Z' }
    assert.deepEqual((await change(id, { options: sent })).options, { ...options, grace_seconds: 90 })
  })

  const refused: [options: object, field: string, message: RegExp][] = [
    [{ schedule: '' }, 'options.schedule', /must not be empty/],
    [{ schedule: '0 0 31 2 *' }, 'options.schedule', /must match a time in the future, got "0 0 31 2 \*"/],
    [
      { schedule: 'at night' },
      'options.schedule',
      /must be a cron expression of five fields or an OnCalendar/,
    ],
    [{ schedule: '0 3 * * *', timezone: 'Moon/Sea' }, 'options.timezone', /must be a time zone of the IANA/],
    [{ grace_seconds: -1 }, 'options.grace_seconds', /must be at least 0/],
    [{ grace_seconds: 86_401 }, 'options.grace_seconds', /must be at most 86400/],
  ]
  for (const [options, field, message] of refused) {
    it(`refuse ${JSON.stringify(options)}`, async () => {
      const { id } = await job(null)
      const body = { name: 'Job', type: 'heartbeat', check_interval_minutes: 60, options }
      for (const answer of [
        await client.ask('POST', '/monitors', body),
        await client.ask('PATCH', `/monitors/${id}`, { options }),
      ]) {
        assertInvalid(answer, [field])
        assert.match(answer.body.errors[field][0], message)
      }
    })
  }
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { CheckDetail, MonitorReport } from '../../src/core/history/monitor-report.ts'
import { oddAnswer } from '../../src/core/monitors/cause.ts'
import { suiteScope } from '../support/scope.ts'
import { type SwitchTarget, startSwitchTarget } from '../support/servers/switch-target.ts'
import { startSaying } from '../support/servers/targets.ts'
import { MONITOR_FIELDS, MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../support/services/api-problems.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { SELDOM } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

/** Requests that follow one another faster are one. */
const PAUSE_MS = 2_000

describe('the page of a monitor', () => {
  const scope = suiteScope()
  let service: AskedService
  let target: SwitchTarget
  let member: SignedIn

  before(async () => {
    service = await wholeService()
    target = await startSwitchTarget(scope)
    member = await signIn(service, (await service.createTeam()).id)
  })

  async function newMonitor(changes: object = {}): Promise<number> {
    const body = { ...MONITORS.http, url: target.url, ...SELDOM, ...changes }
    return (await member.ask('POST', '/monitors', body)).data.id
  }

  const checksOf = async (id: number): Promise<CheckDetail[]> =>
    (await member.ask('GET', `/monitors/${id}/check-details`)).data
  const reportOf = async (id: number, query = ''): Promise<MonitorReport> =>
    MonitorReport.parse((await member.ask('GET', `/monitors/${id}/report${query}`)).data)

  /** On a machine that is too busy, another check may not be judged before this one is. */
  const judgedAfter = async (id: number, newerThan: string | null) =>
    (await checksOf(id)).filter(
      ({ status, checked_at }) => status !== 'pending' && (newerThan === null || checked_at > newerThan),
    )
  const untilChecked = (id: number, newerThan: string | null) =>
    until(`monitor ${id} is checked after ${newerThan}`, async () => (await judgedAfter(id, newerThan))[0])

  const ask = async (id: number): Promise<{ requested_at: string; newer_than: string | null }> =>
    (await member.ask('POST', `/monitors/${id}/check-now`)).data

  /** A request of its own: as if the one before were as long ago as it must be. */
  async function checkNow(id: number): Promise<CheckDetail> {
    await service.services.db.pool.query(
      `UPDATE monitors SET check_requested_at = check_requested_at - $2 * interval '1 ms' WHERE id = $1`,
      [id, PAUSE_MS],
    )
    return untilChecked(id, (await ask(id)).newer_than)
  }

  it('notes on a check that passed what is wrong with the answer, for people only', async (t) => {
    const odd = await startSaying(t, 'HTTP/1.1 200 OK\r\nX-A : b\r\nContent-Length: 2\r\n\r\nOK')
    const id = await newMonitor({ url: `http://127.0.0.1:${odd.port}/` })
    const check = await untilChecked(id, null)
    assert.deepEqual([check.status, check.error_message], ['up', null])
    assert.equal(check.note, oddAnswer(['white space before a colon']))
    const [listed] = (await member.ask('GET', `/monitors/${id}/checks`)).data
    assert.deepEqual([listed.status, listed.error_message, 'note' in listed], ['up', null, false])
  })

  it('shows checks with their phases, and in the report', async () => {
    const id = await newMonitor()
    const check = CheckDetail.parse(await untilChecked(id, null))
    assert.deepEqual([check.status, check.http_status_code, check.region], ['up', 200, 'lon'])
    assert.ok(check.phases && check.phases.tls_ms === null && check.phases.connect_ms !== null)
    for (const range of ['24h', '7d', '30d', '90d']) {
      const report = await reportOf(id, `?range=${range}`)
      assert.deepEqual([report.range, report.regions, report.points.length], [range, ['lon'], 1])
      assert.equal(report.points[0]?.up, 1)
    }
    assert.deepEqual((await reportOf(id, '?region=nyc')).points, [])
    assert.equal((await reportOf(id)).uptime['24h'], 1)
  })

  it('has a monitor checked at once, in whatever state it is', async () => {
    const id = await newMonitor()
    await untilChecked(id, null)
    assert.equal((await reportOf(id)).points[0]?.up, 1)
    target.status = 503
    assert.equal((await checkNow(id)).status, 'down')
    target.status = 200
    assert.equal((await checkNow(id)).status, 'up')
  })

  it('answers hurried requests alike, and checks once for them', async () => {
    const id = await newMonitor()
    const first = await untilChecked(id, null)
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id)))
    await untilChecked(id, answers[0]?.newer_than ?? null)
    const late = await ask(id)
    await untilChecked(id, late.newer_than)

    const requests = [...new Set([...answers, late].map(({ requested_at }) => Date.parse(requested_at)))]
    for (const [index, requestedAt] of requests.toSorted((a, b) => a - b).entries()) {
      const pause = requestedAt - Number(requests[index - 1])
      assert.ok(index === 0 || pause > PAUSE_MS, `requests ${pause} ms apart are two`)
    }
    // Once for each request: whatever else led to a check would show in them, however long this took.
    const checks = await judgedAfter(id, first.checked_at)
    assert.ok(checks.length >= 1 && checks.length <= requests.length, `${checks.length} checks`)
  })

  it('refuses to check what is paused, and jobs', async () => {
    const paused = await newMonitor({ is_active: false })
    assertUnfit(await member.send('POST', `/monitors/${paused}/check-now`), 'is_active')
    const job = await newMonitor(MONITORS.heartbeat)
    assertUnfit(await member.send('POST', `/monitors/${job}/check-now`), 'type')
    const other = await signIn(service, (await service.createTeam()).id)
    assertProblem(await other.send('POST', `/monitors/${paused}/check-now`), 404)
  })

  it('tells since when it has its status', async () => {
    const id = await newMonitor()
    const up = await untilChecked(id, null)
    assert.equal((await reportOf(id)).status_since, up.checked_at)
    target.status = 500
    const down = await checkNow(id)
    assert.equal(down.status, 'down')
    target.status = 200
    const report = await reportOf(id)
    assert.deepEqual(
      [report.status_since, report.incidents[0]?.started_at],
      [down.checked_at, down.checked_at],
    )
    await member.ask('POST', `/monitors/${id}/toggle`)
    assert.equal((await reportOf(id)).status_since, down.checked_at, 'a pause keeps the status')
    const { data } = await member.ask('PATCH', `/monitors/${id}`, { is_active: true })
    assert.equal(data.status, 'pending')
    const resumed = await reportOf(id)
    assert.ok(resumed.status_since > down.checked_at)
    assert.equal(resumed.pauses.length, 1)
  })

  it('shows a monitor that was made paused as paused, until it is resumed', async () => {
    const id = await newMonitor({ is_active: false })
    const [pause] = (await reportOf(id)).pauses
    assert.equal(pause?.to, null)
    await member.ask('PATCH', `/monitors/${id}`, { is_active: true, name: 'Resumed' })
    await member.ask('PATCH', `/monitors/${id}`, { is_active: false })
    const pauses = (await reportOf(id)).pauses
    assert.deepEqual(
      pauses.map(({ to }) => to === null),
      [true, false],
    )
  })

  it('lists deleted monitors, and brings one back with its history', async () => {
    const id = await newMonitor({ name: 'Once more' })
    const check = await untilChecked(id, null)
    await member.ask('DELETE', `/monitors/${id}`)
    const [deleted] = (await member.ask('GET', '/deleted-monitors')).data
    const { deleted_at, ...rest } = deleted
    assert.deepEqual(rest, { id, name: 'Once more', type: 'http', target: target.url })
    assert.ok(deleted_at > check.checked_at)
    const other = await signIn(service, (await service.createTeam()).id)
    assert.deepEqual((await other.ask('GET', '/deleted-monitors')).data, [])
    assertProblem(await other.send('POST', `/deleted-monitors/${id}/restore`), 404)

    const { data } = await member.ask('POST', `/deleted-monitors/${id}/restore`)
    assert.deepEqual(Object.keys(data), MONITOR_FIELDS)
    assert.deepEqual([data.id, data.status], [id, 'pending'])
    assert.ok((await reportOf(id)).status_since > deleted_at)
    await untilChecked(id, check.checked_at)
    assert.deepEqual((await judgedAfter(id, null)).at(-1), check)
    assertProblem(await member.send('POST', `/deleted-monitors/${id}/restore`), 404)
  })

  it('restores no monitor over the limit of the plan', async () => {
    const free = await signIn(service, (await service.createTeam('free')).id)
    const made = []
    for (let count = 0; count < 10; count++) {
      made.push((await free.ask('POST', '/monitors', { ...MONITORS.http, is_active: false })).data.id)
    }
    await free.ask('DELETE', `/monitors/${made[0]}`)
    await free.ask('POST', '/monitors', MONITORS.heartbeat)
    assertProblem(await free.send('POST', `/deleted-monitors/${made[0]}/restore`), 402)
  })

  it('refuses with the name of what is wrong', async () => {
    const id = await newMonitor()
    const table: [path: string, field: string][] = [
      ['report?range=1y', 'range'],
      [`report?region=${'x'.repeat(17)}`, 'region'],
      ['check-details?status=paused', 'status'],
      ['check-details?before=yesterday', 'before'],
      ['check-details?before=2026-02-30T25:00:00Z', 'before'],
      ['check-details?before=2026-01-01', 'before'],
    ]
    for (const [path, field] of table) {
      assertInvalid(await member.send('GET', `/monitors/${id}/${path}`), [field])
    }
    for (const path of ['report', 'check-details']) {
      assertProblem(await member.send('GET', `/monitors/999999/${path}`), 404)
    }
  })

  it('goes on with the next page where the one before it ended', async () => {
    const id = await newMonitor()
    const check = await untilChecked(id, null)
    const oldest = (await checksOf(id)).at(-1)
    const path = `/monitors/${id}/check-details`
    assert.equal((await member.ask('GET', path)).meta.next_before, null)
    assert.deepEqual((await member.ask('GET', `${path}?before=${oldest?.checked_at}`)).data, [])
    assert.deepEqual((await member.ask('GET', `${path}?status=down`)).data, [])
    const later = '2100-01-01T00:00:00Z'
    assert.deepEqual((await member.ask('GET', `${path}?status=up&before=${later}`)).data, [check])
  })
})

/** The message is about the monitor as it is, not about something that was sent. */
function assertUnfit(answer: Parameters<typeof assertProblem>[0], field: string): void {
  assertProblem(answer, 422)
  assert.deepEqual(Object.keys(answer.body.errors), [field])
}

// npm test leaves this out: it waits for the ends of real windows, in processes whose clocks are wrong (minutes).
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { updateWindow, windowsChanged } from '../../src/store/maintenance/windows.ts'
import { addWindow } from '../support/maintenance/stored-windows.ts'
import { oneOff } from '../support/maintenance/windows.ts'
import { type Job, jobOf } from '../support/probing/heartbeat-job.ts'
import { untilDelivered } from '../support/records/delivery-log.ts'
import { suiteScope } from '../support/scope.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { type SwitchTarget, startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { startServiceHere } from '../support/services/service-here.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const CLOCK = pathToFileURL(join(import.meta.dirname, '../hostile/own-trouble/shifted-clock.ts')).href
const HOUR_SECONDS = 3_600
const HOUR_MS = 3_600_000
/** Time for whatever is to happen before the end; when it takes longer, the end comes first, to no harm. */
const UNTIL_END_MS = 3_000
/** Checked once in an hour: what they show at the end of a window is the check that is made for it. */
const PAGES = 3

/** Befalls the processes before the end of a window; `after` makes it good again. */
type Trouble = { name: string; before(): Promise<unknown>; after(): Promise<unknown>; isDisturbed: boolean }

/* Two processes that lead or wait for it, and two that check, each two an hour ahead and an hour behind of the database. */
describe('windows, with processes whose clocks are wrong by an hour', { concurrency: 1 }, () => {
  const scope = suiteScope()
  let api: AskedService
  let client: TeamClient
  let leaders: TestService[]
  let probers: TestService[]
  let seldom: SwitchTarget
  let often: SwitchTarget
  let pages: number[]
  let told: number
  let jobId: number
  let job: Job

  async function startProcess(ROLES: string, REGION: string, offsetSeconds: number): Promise<TestService> {
    const { DATABASE_URL = '', SECRET_KEY = '' } = api.env
    const file = join(temporaryFolder(scope), 'offset')
    await writeFile(file, String(offsetSeconds))
    const clock = { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFFSET_FILE: file }
    const service = await startTestService({ DATABASE_URL, SECRET_KEY, ROLES, REGION, ...clock })
    scope.after(async () => {
      await service.signal('SIGKILL')
      await service.close()
    })
    await service.letGo()
    return service
  }

  before(async () => {
    seldom = await startSwitchTarget(scope)
    often = await startSwitchTarget(scope)
    api = await startServiceHere({ ROLES: 'api,alerts' })
    scope.after(() => api.close())
    client = await teamClient(api)
    const contact = await client.webhook(await startReceiver(scope, replyWith(204)))
    const monitor = (settings: Record<string, unknown>) =>
      client.monitor({ ...settings, notification_contact_ids: [contact.id] })
    pages = []
    for (let i = 0; i < PAGES; i++) pages.push((await monitor({ url: seldom.url, ...SELDOM })).id)
    told = (await monitor({ url: often.url })).id
    const heartbeat = await monitor({ type: 'heartbeat', ...SELDOM })
    jobId = heartbeat.id
    job = jobOf(api, heartbeat as { heartbeat_token: string })
    leaders = await Promise.all([1, -1].map((sign) => startProcess('scheduler', '', sign * HOUR_SECONDS)))
    probers = await Promise.all([1, -1].map((sign) => startProcess('probe', 'lon', sign * HOUR_SECONDS)))
    await job()
    for (const id of [...pages, told, jobId]) await client.untilStatus(id, 'up')
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await api.services.db.pool.query(text, values)).rows

  const untilPassed = (at: Date) =>
    until('that moment by the clock of the database', async () => {
      const [row] = await query('SELECT clock_timestamp() > $1 AS passed', [at])
      return row.passed === true
    })

  const signalAll = (services: TestService[], signal: NodeJS.Signals) => () => {
    for (const { pid } of services) process.kill(pid, signal)
    return Promise.resolve()
  }

  const nothing = () => Promise.resolve()
  const TROUBLES: Trouble[] = [
    { name: 'that are left alone', before: nothing, after: nothing, isDisturbed: false },
    {
      name: 'of which those that lead stand still over the end',
      before: () => signalAll(leaders, 'SIGSTOP')(),
      after: () => signalAll(leaders, 'SIGCONT')(),
      isDisturbed: true,
    },
    {
      name: 'of which those that lead are killed before the end and start after it',
      before: () => Promise.all(leaders.map((service) => service.signal('SIGKILL'))),
      after: () => Promise.all(leaders.map((service) => service.start())),
      isDisturbed: true,
    },
    {
      name: 'of which those that check stand still over the end',
      before: () => signalAll(probers, 'SIGSTOP')(),
      after: () => signalAll(probers, 'SIGCONT')(),
      isDisturbed: true,
    },
    {
      name: 'that all are stopped in order before the end and start after it',
      before: () => Promise.all([...leaders, ...probers].map((service) => service.signal('SIGTERM'))),
      after: () => Promise.all([...leaders, ...probers].map((service) => service.start())),
      isDisturbed: true,
    },
  ]

  /** From a moment that is to come on, over everything; resolves when it applies. */
  async function startWindow(): Promise<{ id: number; startsAt: Date }> {
    const startsAt = new Date(Date.now() + 1_000)
    const endsAt = new Date(startsAt.getTime() + HOUR_MS)
    const id = await addWindow(api.services.db, client.teamId, windowBetween(startsAt, endsAt), new Date())
    await untilPassed(startsAt)
    return { id, startsAt }
  }

  const windowBetween = (from: Date, to: Date) => oneOff(from.toISOString(), to.toISOString())

  async function endSoon({ id, startsAt }: { id: number; startsAt: Date }): Promise<Date> {
    const endsAt = new Date(Date.now() + UNTIL_END_MS)
    const { db } = api.services
    await db.query.transaction().execute(async (transaction) => {
      await updateWindow(transaction, client.teamId, id, windowBetween(startsAt, endsAt), startsAt)
      await windowsChanged(transaction, client.teamId)
    })
    return endsAt
  }

  const all = () => [...pages, jobId, told]

  async function untilAll(status: 'up' | 'down' | 'maintenance') {
    for (const id of all()) await client.untilStatus(id, status)
  }

  /** Failures inside begin at the end, and nothing else does; the one told before the window goes on. */
  async function assertIncidents(since: Date, startsAt: Date, endsAt: Date) {
    const incidents = await query(
      'SELECT subject_id AS monitor_id, started_at FROM team_incidents WHERE started_at >= $1 ORDER BY subject_id',
      [since],
    )
    const [before, ...others] = incidents.filter(({ monitor_id }) => monitor_id === told)
    assert.ok(before?.started_at < startsAt)
    assert.deepEqual(others, [])
    assert.deepEqual(
      incidents.filter((incident) => incident !== before),
      [...pages, jobId].map((monitor_id) => ({ monitor_id, started_at: endsAt })),
    )
  }

  async function assertChecks(since: Date, startsAt: Date, endsAt: Date, isDisturbed: boolean) {
    const failed = await query(
      `SELECT monitor_id, status, checked_at FROM checks
       WHERE checked_at >= $1 AND status IN ('down', 'maintenance')`,
      [since],
    )
    const wrong = failed.filter(({ status, checked_at }) => {
      const isInside = checked_at >= startsAt && checked_at < endsAt
      return isInside !== (status === 'maintenance')
    })
    assert.deepEqual(wrong, [], `from ${startsAt.toISOString()} to ${endsAt.toISOString()}`)
    if (isDisturbed) return
    const atEnd = failed.filter(({ status, monitor_id }) => status === 'down' && pages.includes(monitor_id))
    assert.equal(atEnd.length, PAGES, 'each is checked once at the end')
  }

  const countDeliveries = async () => {
    const [counted] = await query('SELECT count(*)::int AS count FROM deliveries')
    return counted.count
  }

  for (const { name, before: trouble, after, isDisturbed } of TROUBLES) {
    it(`begin and end when they should, for processes ${name}`, async () => {
      const since = new Date()
      const toldSoFar = await countDeliveries()
      often.status = 503
      await client.untilStatus(told, 'down')
      const window = await startWindow()
      seldom.status = 503
      for (const id of pages) await client.checkNow(id)
      await job('/fail')
      await untilAll('maintenance')
      const endsAt = await endSoon(window)
      await trouble()
      await untilPassed(endsAt)
      await after()
      await untilAll('down')
      await assertIncidents(since, window.startsAt, endsAt)
      await assertChecks(since, window.startsAt, endsAt, isDisturbed)

      seldom.status = 200
      often.status = 200
      for (const id of pages) await client.checkNow(id)
      await job()
      await untilAll('up')
      for (const id of all()) await untilDelivered(api, id, 2)
      const toldNow = (await countDeliveries()) - toldSoFar
      assert.equal(toldNow, 2 * all().length, 'each is told once down and once up')
    })
  }
})

// npm test leaves this out: it places the release before beside this one, and runs both as processes (a minute).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { SLOTS } from '../../src/core/probing/slot.ts'
import { openEmptyDatabase, TEST_SECRET } from '../support/postgres/database.ts'
import { placeReleaseBefore } from '../support/postgres/release-before.ts'
import { agentText } from '../support/records/agent-text.ts'
import { addServer } from '../support/records/servers.ts'
import { suiteScope } from '../support/scope.ts'
import { type CountingTarget, startCountingTarget } from '../support/servers/counting-target.ts'
import { type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { type Ran, runCommand } from '../support/services/command.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { until } from '../support/until.ts'

const MONITORS = 8
const EMAIL = 'ada@example.com'
/** The release before may not work with what the newest migration made; then it has to say so, and to stop. */
const STOPS = /cannot work with it: .+ It stops: start the newer version in its place/

describe('the release before, beside this one on its schema', () => {
  const scope = suiteScope()
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>
  let settings: Record<string, string>
  let [older, newer]: (TestService | undefined)[] = []
  let target: CountingTarget
  let receiver: Receiver
  let token: string
  let job: string
  let server: string
  let uptime = 1_000
  const monitors: number[] = []

  before(async () => {
    const release = await placeReleaseBefore(scope)
    database = await openEmptyDatabase()
    scope.after(database.close)
    settings = {
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET,
      PRIVATE_TARGETS: 'allow',
    }
    const service = await startTestService(settings, [], release)
    older = service
    scope.after(() => service.close())
    target = await startCountingTarget(scope)
    receiver = await startReceiver(scope, replyWith(204))
    token = await makeTeam(service, release.main)
    await ask(service, '/notification-contacts', {
      name: 'Ops',
      type: 'webhook',
      config: { url: `${receiver.url}/hook` },
    })
    for (let index = 0; index < MONITORS; index++) monitors.push((await makeMonitor(index)).id)
    job = (await ask(service, '/monitors', { name: 'Job', type: 'heartbeat', check_interval_minutes: 60 }))
      .heartbeat_token
    server = (await addServer(database.db, { team_id: 1 })).token
    // Spread, whatever chance made of so few.
    await query(`UPDATE monitors SET slot = id % ${MONITORS} * ${SLOTS / MONITORS}`)
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows

  async function makeTeam(service: TestService, main: string): Promise<string> {
    const command = async (...args: string[]): Promise<Ran> => {
      const ran = await runCommand({ ...settings, DATA_DIR: service.dataDir }, args, '', main)
      assert.equal(ran.status, 0, ran.err)
      return ran
    }
    await command(
      'user',
      'create',
      '--email',
      EMAIL,
      '--name',
      'Ada',
      '--password',
      'a long password of hers',
    )
    await command('team', 'create', '--name', 'Shop', '--owner', EMAIL)
    const made = await command('token', 'create', '--team', '1', '--email', EMAIL, '--name', 'test')
    return made.out.trim()
  }

  async function ask(service: TestService, path: string, body: object) {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data, ...rest } = (await answer.json()) as { data: { id: number; heartbeat_token: string } }
    assert.equal(answer.status, 201, JSON.stringify(rest))
    return data
  }

  const makeMonitor = (index: number, service = older as TestService, contacts?: number[]) =>
    ask(service, '/monitors', {
      name: `m${index}`,
      type: 'http',
      url: target.url(`m${index}`),
      check_interval_minutes: 1,
      check_interval_seconds: 1,
      ...(contacts && { notification_contact_ids: contacts }),
    })

  /** The ids of the contacts of a monitor, as a process answers them. */
  async function contactsOf(service: TestService, monitor: number): Promise<number[]> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${service.url}/api/v1/monitors/${monitor}`, { headers })
    const { data } = (await answer.json()) as { data: { notification_contacts: { id: number }[] } }
    return data.notification_contacts.map(({ id }) => id).sort((one, other) => one - other)
  }

  /** Sends a ping and a report. */
  async function send(url: string): Promise<number[]> {
    const ping = await fetch(`${url}/ping/${job}`, { method: 'POST' })
    uptime += 60
    const report = await fetch(`${url}/server/${server}`, { method: 'POST', body: agentText({ uptime }) })
    return [ping.status, report.status]
  }

  /** Each monitor is checked from now on, and what is sent to these processes is taken. */
  async function assertWorks(services: TestService[]): Promise<void> {
    for (const service of services) {
      const answers = await send(service.url).catch(() => [])
      if (isDeepStrictEqual(answers, [204, 200])) continue
      assert.equal(service, older, `a ping and a report were answered ${answers}`)
      await until(`the older one, which answers a ping and a report ${answers}, stops`, hasStopped)
    }
    const [{ now }] = (await query('SELECT now()')) as [{ now: Date }]
    await until('each monitor is checked', async () => {
      const checked = await query(
        'SELECT monitor_id FROM checks WHERE checked_at > $1 AND monitor_id = ANY($2) GROUP BY monitor_id',
        [now, monitors],
      )
      return checked.length === MONITORS
    })
  }

  /** Takes targets down and up again; each is told once, by whichever process. */
  async function assertTold(indices: number[]): Promise<void> {
    const ids = indices.map((index) => monitors[index] as number)
    const told = (event: string) =>
      receiver.requests
        .map(({ body }) => JSON.parse(body) as { event: string; id: number })
        .filter((alert) => alert.event === event && ids.includes(alert.id))
    const before = told('monitor.recovery').length
    for (const index of indices) target.failing.add(`m${index}`)
    await until('each is told down', () => told('monitor.down').length >= before + ids.length)
    for (const index of indices) target.failing.delete(`m${index}`)
    await until('each is told up', () => told('monitor.recovery').length >= before + ids.length)
    await until('all alerts are sent', async () => {
      const open = await query(`SELECT id FROM deliveries WHERE state = 'pending'`)
      return open.length === 0
    })
    assert.deepEqual(
      [told('monitor.down').length, told('monitor.recovery').length],
      [before + ids.length, before + ids.length],
    )
  }

  const holders = async () =>
    (await query('SELECT holder FROM slots WHERE holder IS NOT NULL GROUP BY holder')).length
  const hasStopped = () => STOPS.test((older as TestService).output())

  it('works by itself', async () => {
    assert.ok(older)
    await assertWorks([older])
    await assertTold([0])
  })

  it('goes on while this one brings the schema forward and takes its share, or says that it cannot', async () => {
    assert.ok(older)
    const service = await startTestService(settings)
    newer = service
    scope.after(() => service.close())
    await until('both hold slots, or the older one has stopped', async () => {
      return hasStopped() || (await holders()) === 2
    })
    // A fault of a migration may show later: where there are alerts to write.
    await assertTold(hasStopped() ? [0, 1, 2, 3] : monitors.map((_, index) => index))
    await assertWorks(hasStopped() ? [service] : [older, service])
    if (!hasStopped()) assert.equal(await holders(), 2)
  })

  it('gives monitors contacts as this one does, each by what the other wrote', async () => {
    assert.ok(older && newer)
    const both = hasStopped() ? [newer] : [older, newer]
    const contact = {
      ...{ type: 'webhook', config: { url: `${receiver.url}/silent` } },
      ...{ notify_on_down: false, notify_on_recovery: false },
    }
    for (const [index, service] of both.entries()) {
      const { id } = await makeMonitor(MONITORS + index, service, [1])
      const attaching = { ...contact, name: `Attached ${index}`, attach_to_existing: true }
      const attached = (await ask(both.at(index - 1) as TestService, '/notification-contacts', attaching)).id
      for (const reader of both) assert.deepEqual(await contactsOf(reader, id), [1, attached])
    }
  })

  it('leaves everything to this one when it is stopped', async () => {
    assert.ok(older && newer)
    await older.signal('SIGTERM')
    await assertWorks([newer])
    await assertTold([1])
    const lost = await query('SELECT id FROM team_incidents WHERE resolved_at IS NULL')
    assert.deepEqual(lost, [])
  })
})

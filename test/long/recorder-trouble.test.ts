// npm test leaves this out: it waits while services of its own cannot write, and until they can again (seconds).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { SLOTS } from '../../src/core/probing/slot.ts'
import { agentText } from '../support/records/agent-text.ts'
import { countRows } from '../support/records/rows.ts'
import { addServer } from '../support/records/servers.ts'
import { suiteScope } from '../support/scope.ts'
import { type CountingTarget, startCountingTarget } from '../support/servers/counting-target.ts'
import { type ServiceHere, startServiceHere } from '../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'

const RIVAL = 'rival'
const MONITORS = 8
const SECRET_KEY = 'the secret key of the tests'

const WELL = { status: 'ok' }
const failing = (failing: string) => ({ status: 'unavailable', failing })

async function untilHealth(service: ServiceHere, wanted: object): Promise<void> {
  await until(`/health is ${JSON.stringify(wanted)}`, async () => {
    const answer = await fetch(`${service.url}/health`)
    const said = await answer.json()
    return JSON.stringify(said) === JSON.stringify(wanted) && answer.ok === (wanted === WELL)
  })
}

/* Side by side: both wait until a process has tried for long enough. */
describe('a recorder in trouble', { concurrency: true }, () => {
  describe('a process whose database refuses what it writes', () => {
    const scope = suiteScope()
    let service: ServiceHere
    let client: TeamClient
    let target: CountingTarget

    before(async () => {
      target = await startCountingTarget(scope)
      service = await startServiceHere()
      scope.after(() => service.close())
      client = await teamClient(service)
    })

    const alter = (text: string) => service.services.db.pool.query(`ALTER TABLE ${text}`)

    it('answers pings and reports with 503, says so, and takes them again as soon as it can', async () => {
      // A busy machine takes long: neither of them is late by then.
      const job = await client.monitor({ type: 'heartbeat', url: undefined, check_interval_seconds: 86_400 })
      const silent = { is_on: true, warns_only: false, seconds: 3_600 }
      const thresholds = JSON.stringify({ silent })
      const { token } = await addServer(service.services.db, { team_id: client.teamId, thresholds })
      const ping = () => fetch(`${service.url}/ping/${job.heartbeat_token}`, { method: 'POST' })
      let uptime = 1_000
      const report = () => {
        uptime += 60
        return fetch(`${service.url}/server/${token}`, { method: 'POST', body: agentText({ uptime }) })
      }
      assert.equal((await ping()).status, 204)
      assert.equal((await report()).status, 200)

      await alter('pings RENAME COLUMN kind TO k2')
      await alter('server_samples RENAME COLUMN content TO c2')
      const refused = await Promise.all([ping(), report()])
      for (const answer of refused) {
        assert.equal(answer.status, 503)
        assert.equal(answer.headers.get('content-type'), 'application/problem+json')
        assert.ok(Number(answer.headers.get('retry-after')) > 0)
        assert.equal(((await answer.json()) as { title: string }).title, 'Service Unavailable')
      }
      await untilHealth(service, failing('recorder'))
      await until('it leaves the lead', () => /leaves the lead to others/.test(service.output()))
      const { metrics } = await readMetrics()
      assert.match(metrics, /^upbeat_recording 0$/m)
      assert.match(metrics, /^upbeat_findings_given_up_total [1-9]/m)
      assert.equal((await ping()).status, 503)

      await alter('pings RENAME COLUMN k2 TO kind')
      await alter('server_samples RENAME COLUMN c2 TO content')
      await untilHealth(service, WELL)
      assert.equal((await ping()).status, 204)
      assert.equal((await report()).status, 200)
      assert.equal(await countRows(service.services.db, 'team_incidents'), 0)
    })

    it('says so where no check is recorded, goes on checking as nobody else could, and records again', async () => {
      const monitor = await client.monitor({ url: target.url('lone') })
      await client.untilStatus(monitor.id, 'up')
      await alter('monitor_state RENAME COLUMN status TO s2')
      await untilHealth(service, failing('recorder'))
      await alter('monitor_state RENAME COLUMN s2 TO status')
      await untilHealth(service, WELL)
      const counted = await countRows(service.services.db, 'checks')
      await until(
        'checks are recorded again',
        async () => (await countRows(service.services.db, 'checks')) > counted,
      )
      target.failing.add('lone')
      await client.untilStatus(monitor.id, 'down')
    })

    async function readMetrics() {
      const answer = await fetch(`${service.url}/metrics`)
      return { metrics: await answer.text() }
    }
  })

  describe('of two processes, one that may not write what it finds', () => {
    const scope = suiteScope()
    let [well, ill]: (ServiceHere | undefined)[] = []
    let client: TeamClient

    before(async () => {
      const target = await startCountingTarget(scope)
      // A server of its own, where users can be made.
      const first = await startServiceHere({ DATABASE_URL: '', SECRET_KEY })
      scope.after(() => first.close())
      well = first
      client = await teamClient(first)
      for (let index = 0; index < MONITORS; index++) await client.monitor({ url: target.url(`m${index}`) })
      const { pool, connection } = first.services.db
      await pool.query(`UPDATE monitors SET slot = id % ${MONITORS} * ${SLOTS / MONITORS}`)
      await pool.query(`CREATE ROLE ${RIVAL} LOGIN IN ROLE ${connection.user}`)
      const place = `${connection.port}/${connection.database}?host=${encodeURIComponent(connection.host)}`
      const DATABASE_URL = `postgres://${RIVAL}@:${place}`
      const second = await startServiceHere({ DATABASE_URL, SECRET_KEY, ROLES: 'api,probe' })
      scope.after(() => second.close())
      ill = second
      await untilHolders(2)
      // All that a process needs but one thing.
      await pool.query(`
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${RIVAL};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${RIVAL};
      REVOKE ${connection.user} FROM ${RIVAL}`)
    })

    const query = async (text: string) => (await (well as ServiceHere).services.db.pool.query(text)).rows
    const holders = () =>
      query(
        `SELECT p.id FROM probers p JOIN slots s ON s.holder = p.id GROUP BY p.id HAVING count(*) > 0 ORDER BY p.id`,
      )
    const untilHolders = (count: number) =>
      until(`${count} processes hold slots`, async () => (await holders()).length === count)

    it('leaves its monitors to the other one, and takes its share again once it may', async () => {
      assert.ok(well && ill)
      await query(`REVOKE INSERT ON checks FROM ${RIVAL}`)
      await untilHealth(ill, failing('recorder'))
      await until('the other one holds all slots', async () => {
        const held = await query('SELECT count(DISTINCT holder) AS holders, count(*) AS slots FROM slots')
        const members = await query('SELECT id FROM probers')
        return held[0]?.holders === 1 && held[0]?.slots === SLOTS && members.length === 1
      })
      await untilHealth(well, WELL)
      const [{ now }] = (await query('SELECT now()')) as [{ now: Date }]
      await until('each monitor is checked', async () => {
        const checked = await query(
          `SELECT DISTINCT monitor_id FROM checks WHERE checked_at > '${now.toISOString()}'`,
        )
        return checked.length === MONITORS
      })
      assert.match(ill.output(), /this process cannot record what it finds: it leaves its monitors to others/)

      await query(`GRANT INSERT ON checks TO ${RIVAL}`)
      await untilHealth(ill, WELL)
      await untilHolders(2)
      assert.equal(await countRows(well.services.db, 'team_incidents'), 0)
    })
  })
})

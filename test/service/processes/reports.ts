import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { unpackSample } from '../../../src/core/servers/history/sample-code.ts'
import { crashRandom } from '../../support/crash-seed.ts'
import { agentText } from '../../support/records/agent-text.ts'
import { type AddedServer, addServers } from '../../support/records/servers.ts'
import { startTestService } from '../../support/services/service.ts'
import { until } from '../../support/until.ts'

const SERVERS = 20
const REPORTS = 16
const AGAIN_MS = 50
const FULL_AT_ONCE = { is_on: true, warns_only: false, enter: 90, leave: 50, minutes: 0 }

/**
 * The service is killed while servers report, each of which sends a report again until it is answered. A report that was
 * answered is kept, and one that was kept and not answered is not kept twice, nor is what followed from it told twice.
 */
export async function assertReportsSurvive(t: TestContext, kills: number): Promise<void> {
  const random = crashRandom(t)
  const service = await startTestService()
  t.after(() => service.close())
  const { id: team_id } = await service.createTeam()
  const thresholds = JSON.stringify({ disk_space: FULL_AT_ONCE })
  const servers = await addServers(service.services.db, SERVERS, () => ({ team_id, thresholds }))
  await service.letGo()

  let answered = 0
  let again = 0
  async function send({ token }: AddedServer, number: number): Promise<void> {
    const body = agentText({ uptime: uptimeOf(number), used: number % 2 === 1 ? 95 : 20 })
    for (;;) {
      const sent = fetch(`${service.url}/server/${token}`, { method: 'POST', body })
      const status = await sent.then(
        (answer) => answer.status,
        () => null,
      )
      if (status === 200) break
      assert.ok(status === null || status >= 500, `a report was answered ${status}`)
      again++
      await delay(AGAIN_MS)
    }
    answered++
  }
  const senders = servers.map(async (server) => {
    for (let number = 0; number < REPORTS; number++) await send(server, number)
  })
  const all = SERVERS * REPORTS
  for (let kill = 0; kill < kills; kill++) {
    const enough = ((kill + random()) * all) / (kills + 1)
    await until('some reports', () => answered >= enough)
    await service.signal('SIGKILL')
    await service.start()
  }
  await Promise.all(senders)
  await service.takeUp()
  t.diagnostic(`${again} tries were not answered`)

  const { pool } = service.services.db
  const read = async (text: string) => (await pool.query(text)).rows
  const samples = await read('SELECT server_id, content FROM server_samples ORDER BY at')
  const uptimes = Array.from({ length: REPORTS }, (_, number) => uptimeOf(number))
  for (const { id } of servers) {
    const own = samples.filter(({ server_id }) => server_id === id)
    assert.deepEqual(
      own.map(({ content }) => unpackSample(content).uptime_seconds),
      uptimes,
      'each report is kept once, in order',
    )
  }
  const told = await read(
    "SELECT subject_id AS server_id, event FROM deliveries WHERE kind = 'server' ORDER BY id",
  )
  const story = Array.from({ length: REPORTS - 1 }, (_, index) =>
    index % 2 === 0 ? 'server.down' : 'server.recovery',
  )
  const byServer = Map.groupBy(told, ({ server_id }) => server_id)
  for (const { id } of servers)
    assert.deepEqual(
      byServer.get(id)?.map(({ event }) => event),
      story,
    )
}

function uptimeOf(number: number): number {
  return 10_000 + number * 60
}

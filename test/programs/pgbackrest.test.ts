import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, it } from 'node:test'
import { describeAtLength } from '../support/at-length.ts'
import { carryOut } from '../support/postgres/patroni/carry-out.ts'
import { type PatroniCluster, startPatroniCluster } from '../support/postgres/patroni/cluster.ts'
import { documentedRestore } from '../support/postgres/patroni/documented.ts'
import type { PatroniNode } from '../support/postgres/patroni/node.ts'
import { setScene } from '../support/probing/trouble-scene.ts'
import { deliveriesOf } from '../support/records/delivery-log.ts'
import { suiteScope } from '../support/scope.ts'
import { type Receiver, startReceiver } from '../support/servers/receivers.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'

/** Top to bottom, by the commands of docs/high-availability.md. */
// npm test leaves this out: it makes a cluster, backs it up and restores it to points in time (a minute).
describeAtLength('a cluster whose writes are archived', () => {
  const scope = suiteScope()
  let cluster: PatroniCluster
  let service: TestService
  let client: TeamClient
  let receiver: Receiver
  /** Until then nothing that arrives is answered. */
  const holding = Promise.withResolvers<void>()

  before(async () => {
    cluster = await startPatroniCluster(scope, { archives: true })
    service = await startTestService({ DATABASE_URL: cluster.url, SECRET_KEY: 'the secret key of a cluster' })
    scope.after(() => service.close())
    client = await teamClient(service)
    receiver = await startReceiver(
      scope,
      (response) => void holding.promise.then(() => response.writeHead(204).end()),
    )
    await client.webhook(receiver)
  })

  it('is backed up on the machine that leads', async () => {
    const leader = await until('a leader', cluster.leader)
    await carryOut(cluster, leader, 'pgbackrest --stanza=upbeat stanza-create')
    await carryOut(cluster, leader, 'curl -fsS')
    const standby = cluster.nodes.find((node) => node !== leader) as PatroniNode
    await assert.rejects(carryOut(cluster, standby, 'curl -fsS'), 'only there')
  })

  it('goes back to a time, after which Upbeat tells what it does not know to have told', async () => {
    const { healthy, failing, up, down, job } = await setScene(scope, service, client)
    const told = (monitor: number) => messagesOf(receiver, monitor)
    const removed = await client.monitor({ url: healthy.url })
    await until('an alert that is on its way', () => told(down.id).length === 1)
    const [{ now }] = await cluster.admin('SELECT now()::text AS now')
    holding.resolve()
    failing.status = 200
    healthy.status = 503
    await client.untilStatus(down.id, 'up')
    await client.untilStatus(up.id, 'down')
    await until('both alerts', () => told(down.id).length === 2 && told(up.id).length === 1)
    const added = await client.monitor({ url: healthy.url })
    await client.data('DELETE', `/monitors/${removed.id}`)
    await service.letGo()
    await service.signal('SIGTERM')

    await goBack(now)
    await service.start()
    await service.takeUp()
    await client.untilStatus(up.id, 'down')
    await until('alerts', () => told(down.id).length === 4 && told(up.id).length === 2)
    const ids = told(down.id).map(({ id }) => id)
    assert.deepEqual(
      told(down.id).map(({ event, id }) => [event, ids.indexOf(id)]),
      [
        ['monitor.down', 0],
        ['monitor.recovery', 1],
        // It was on its way at that time, so it is the same.
        ['monitor.down', 0],
        ['monitor.recovery', 3],
      ],
    )
    const [before, after] = told(up.id)
    assert.deepEqual([before?.event, after?.event], ['monitor.down', 'monitor.down'])
    assert.notEqual(before?.id, after?.id)
    assert.equal((await client.ask('GET', `/monitors/${added.id}`)).status, 404)
    assert.equal((await client.show(removed.id)).id, removed.id)
    // The time that is gone makes no job late.
    await client.untilStatus(job.id, 'up')
    assert.deepEqual(await deliveriesOf(service, job.id), [])
  })

  /** As the page tells an operator to. */
  async function goBack(time: string) {
    const leads = await until('a leader', cluster.leader)
    const standbys = cluster.nodes.filter((node) => node !== leads)
    for (const node of [...standbys, leads]) await carryOut(cluster, node, 'systemctl stop patroni')
    const [first, ...others] = cluster.nodes as [PatroniNode, ...PatroniNode[]]
    await carryOut(cluster, first, 'printf')
    const file = join(first.folder, 'config.yml')
    const config = await readFile(file, 'utf8')
    const lines = first.here(documentedRestore()).replace('2026-11-24 10:00:00+00', time)
    await writeFile(file, config.replace(/^bootstrap:\n/m, `$&${lines.replaceAll(/^(?=.)/gm, '  ')}`))
    await carryOut(cluster, first, 'systemctl start patroni')
    await until('the first machine to lead', async () => (await cluster.leader()) === first)
    for (const node of others) await carryOut(cluster, node, 'systemctl start patroni')
    await cluster.untilWhole()
  }
})

/** In the order in which they arrived, each as often as it did. */
function messagesOf(receiver: Receiver, monitor: number): { event: string; id: unknown }[] {
  return receiver.requests
    .map(({ headers, body }) => ({ id: headers['webhook-id'], said: JSON.parse(body) }))
    .filter(({ said }) => said.id === monitor)
    .map(({ id, said }) => ({ event: said.event, id }))
}

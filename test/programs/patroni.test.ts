import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, it } from 'node:test'
import { describeAtLength } from '../support/at-length.ts'
import { carryOut } from '../support/postgres/patroni/carry-out.ts'
import { type PatroniCluster, startPatroniCluster } from '../support/postgres/patroni/cluster.ts'
import type { PatroniNode } from '../support/postgres/patroni/node.ts'
import { startPooler } from '../support/postgres/patroni/pooler.ts'
import { assertUnharmed, type Scene, setScene } from '../support/probing/trouble-scene.ts'
import { suiteScope } from '../support/scope.ts'
import { type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { type SwitchTarget, startSwitchTarget } from '../support/servers/switch-target.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'

/** Logged by a leader that has lost etcd, and goes on because all machines see it. */
const FAILSAFE = /continue to run as a leader because failsafe mode is enabled/
const SECRET_KEY = 'the secret key of a cluster'

type Installation = {
  service: TestService
  client: TeamClient
  receiver: Receiver
  scene: Scene
  /** The target of the monitor that fails and recovers while the database does. */
  target: SwitchTarget
  id: number
}

/** Top to bottom: two services, one of them behind a pooler, live through all that befalls their database. */
// npm test leaves this out: it starts a cluster of several servers, and kills its leader again and again (minutes).
describeAtLength('the cluster that the documentation recommends', () => {
  const scope = suiteScope()
  let cluster: PatroniCluster
  let installations: Installation[]

  before(async () => {
    cluster = await startPatroniCluster(scope)
    await cluster.admin(`CREATE DATABASE pooled OWNER upbeat ENCODING 'UTF8' TEMPLATE template0`)
    const pooler = await startPooler(scope, cluster)
    const pooled = cluster.url.replace(/@.*$/, `@${pooler.host}:${pooler.port}/pooled`)
    installations = await Promise.all([cluster.url, pooled].map(install))
  })

  async function install(url: string): Promise<Installation> {
    const service = await startTestService({ DATABASE_URL: url, SECRET_KEY })
    scope.after(() => service.close())
    const client = await teamClient(service)
    const receiver = await startReceiver(scope, replyWith(204))
    await client.webhook(receiver)
    const scene = await setScene(scope, service, client)
    const target = await startSwitchTarget(scope)
    const { id } = await client.monitor({ url: target.url })
    await client.untilStatus(id, 'up')
    await until('the alert of the scene', () => toldOf(receiver, scene.down.id).length === 1)
    return { service, client, receiver, scene, target, id }
  }

  const each = (work: (one: Installation) => Promise<void>) => Promise.all(installations.map(work))

  /** Each service goes on by itself, and tells what happened to its target meanwhile. */
  async function assertGoesOn(status: 200 | 503, befall: () => Promise<void>) {
    await each(async ({ service, target }) => {
      await service.letGo()
      target.status = status
    })
    await befall()
    const [is, event] =
      status === 200 ? (['up', 'monitor.recovery'] as const) : (['down', 'monitor.down'] as const)
    await each(async ({ service, client, receiver, id }) => {
      await until('the service to be well', async () => (await fetch(`${service.url}/health`)).ok)
      await service.takeUp()
      await client.untilStatus(id, is)
      await until('the alert', () => toldOf(receiver, id).at(-1) === event)
    })
  }

  it('takes writes again after a switchover, and goes on while another machine restarts', () =>
    assertGoesOn(503, async () => {
      const leads = await until('a leader', cluster.leader)
      const standby = await cluster.synchronousStandby()
      const third = cluster.nodes.find((node) => node !== leads && node !== standby) as PatroniNode
      await carryOut(cluster, leads, 'patronictl -c /etc/patroni/config.yml switchover', (command) =>
        command.replace(/--leader \S+ --candidate \S+/, `--leader ${leads.name} --candidate ${standby.name}`),
      )
      await cluster.untilLedByOtherThan(leads)
      await carryOut(cluster, leads, 'patronictl -c /etc/patroni/config.yml restart', (command) =>
        command.replace(/db\d/, third.name),
      )
    }))

  it('takes writes again when the machine that leads dies, and takes it back as a standby', () =>
    assertGoesOn(200, async () => {
      await cluster.untilWhole()
      const dead = await until('a leader', cluster.leader)
      await dead.crash()
      await cluster.untilLedByOtherThan(dead)
      await dead.start()
      await cluster.untilWhole()
    }))

  it('takes writes again when that machine stands still, which leads no more when it goes on', () =>
    assertGoesOn(503, async () => {
      const frozen = await until('a leader', cluster.leader)
      frozen.freeze()
      const leads = await cluster.untilLedByOtherThan(frozen)
      frozen.thaw()
      await cluster.untilWhole()
      assert.equal(await cluster.leader(), leads)
    }))

  it('takes writes while all of etcd is gone, once Patroni has noticed', () =>
    assertGoesOn(200, async () => {
      const leads = await until('a leader', cluster.leader)
      const log = join(leads.folder, 'patroni.log')
      for (const { etcd } of cluster.nodes) await etcd.end('SIGKILL')
      await until('Patroni to notice', async () => FAILSAFE.test(await readFile(log, 'utf8')))
      await cluster.admin('CREATE TABLE written (at timestamptz)')
      assert.equal(await cluster.leader(), leads)
      for (const { etcd } of cluster.nodes) await etcd.start()
    }))

  it('has lost and doubled nothing', async () => {
    await each(async ({ service, client, receiver, scene, id }) => {
      assert.deepEqual(toldOf(receiver, id), [
        'monitor.down',
        'monitor.recovery',
        'monitor.down',
        'monitor.recovery',
      ])
      assert.equal((await client.incidents(id)).length, 2)
      await assertUnharmed(scene, service, client)
      assert.deepEqual(toldOf(receiver, scene.down.id), ['monitor.down'])
    })
  })
})

/** The events of a monitor that the receiver was told, each once however often the message came. */
function toldOf(receiver: Receiver, monitor: number): string[] {
  const messages = new Map(
    receiver.requests.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)]),
  )
  return [...messages.values()].filter(({ id }) => id === monitor).map(({ event }) => event)
}

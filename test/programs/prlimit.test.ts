import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { lowerDescriptors } from '../support/probing/descriptors.ts'
import { keptChecks } from '../support/records/recorded-checks.ts'
import { suiteScope } from '../support/scope.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { type TeamClient, teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'

/** Standard streams, and nothing that the service has opened for itself. */
const NEXT_TO_NONE = 6
const NO_DESCRIPTOR = 'out of file descriptors'

describe('a service whose limit of descriptors is set below what it has open', () => {
  const scope = suiteScope()
  let service: TestService
  let client: TeamClient
  let id: number

  before(async () => {
    service = await startTestService({ DATABASE_URL: '' })
    scope.after(() => service.close())
    client = await teamClient(service)
    const target = await startSwitchTarget(scope)
    id = (await client.monitor({ url: target.url })).id
    await client.untilStatus(id, 'up')
  })

  const checksSince = async (since: Date) =>
    (await keptChecks(service, id)).filter(({ checked_at }) => new Date(checked_at) > since)
  const isReached = () =>
    fetch(`${service.url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )

  it('stays, blames no target, and works again', async () => {
    const { pid } = service
    const began = new Date()
    const restore = await lowerDescriptors(pid, NEXT_TO_NONE)
    await until('a check without a descriptor', async () =>
      (await checksSince(began)).some(({ error_message }) => error_message === NO_DESCRIPTOR),
    )
    await restore()
    const restored = new Date()
    await until('a check that is judged', async () =>
      (await checksSince(restored)).some(({ status }) => status === 'up'),
    )
    await until('it to be reached', isReached)
    assert.equal(service.pid, pid)
    assert.deepEqual(await client.incidents(id), [])
  })

  it('brings its database back that ended meanwhile, and stops in order after that', async () => {
    const restore = await lowerDescriptors(service.pid, NEXT_TO_NONE)
    const printed = service.output().length
    const pid = postmaster()
    await service.letGo()
    process.kill(pid, 'SIGKILL')
    await until('it to have tried', () => /EMFILE|database file/.test(service.output().slice(printed)))
    await restore()
    assert.doesNotMatch(service.output(), /nor a copy in/, 'what could not be asked was not decided')
    await until('another server', () => postmaster() !== pid)
    await until('it to be well', isReached)
    await service.takeUp()
    await client.untilStatus(id, 'up')
    await service.letGo()
    await service.signal('SIGTERM')
    assert.match(service.output(), /"msg":"stopped"/)
  })

  function postmaster(): number {
    try {
      return Number.parseInt(readFileSync(join(service.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
    } catch {
      return 0
    }
  }
})

const JOBS = 4
const INTERVAL_SECONDS = 6
const PERIOD_MS = 500
/** A job gives up; connections may wait for a descriptor. */
const PATIENCE_MS = 500
/** In a row: more than the interval of a job holds. */
const LOST = 16
/** Enough for a request of its own, but fewer than those who come all at once. */
const SPARE = 8
const CROWD = 100

describe('a service without descriptors for those who come all at once', () => {
  const scope = suiteScope()

  it('calls no job late whose pings it could not take', async () => {
    const service = await startTestService()
    scope.after(() => service.close())
    const client = await teamClient(service, 'business')
    const jobs = await Promise.all(
      Array.from({ length: JOBS }, async () => {
        const settings = { type: 'heartbeat', check_interval_seconds: INTERVAL_SECONDS }
        const { id, heartbeat_token: token } = await client.monitor(settings)
        return { id, url: `${service.url}/ping/${token}` }
      }),
    )
    const ping = () => Promise.all(jobs.map(({ url }) => isTaken(url)))
    const areTaken = async () => !(await ping()).includes(false)
    await until('pings to be taken', areTaken)
    for (const { id } of jobs) await client.untilStatus(id, 'up')
    const restore = await lowerDescriptors(service.pid, limitThatSpares(service.pid, SPARE))
    for (let lost = 0; lost < LOST; await delay(PERIOD_MS)) {
      const leave = crowdBefore(service.url)
      const taken = await ping()
      leave()
      lost = taken.includes(true) ? 0 : lost + 1
    }
    await restore()
    await until('pings to be taken again', areTaken)
    for (const { id } of jobs) {
      const late = (await keptChecks(service, id)).filter(({ status }) => status === 'down')
      assert.deepEqual(late, [])
      assert.deepEqual(await client.incidents(id), [])
    }
  })
})

/** A limit below which so many numbers are free: each new descriptor takes the lowest one. */
function limitThatSpares(pid: number, spare: number): number {
  const held = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
  let limit = 0
  for (let free = 0; free < spare; limit++) if (!held.has(limit)) free++
  return limit
}

/** Connects so often at the same moment; whoever connects in the same turn of the loop comes after them. */
function crowdBefore(url: string): () => void {
  const port = Number(new URL(url).port)
  const crowd = Array.from({ length: CROWD }, () => net.connect(port, '127.0.0.1').on('error', () => {}))
  return () => {
    for (const one of crowd) one.destroy()
  }
}

/** A ping over a connection of its own, as commands in a crontab send. */
async function isTaken(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return fetch(url, { method: 'POST', headers: { connection: 'close' }, signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

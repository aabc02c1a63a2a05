import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
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

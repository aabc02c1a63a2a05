import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../support/service.ts'

describe('the service as a process', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.close())

  it('answers when it says that it is ready', async () => {
    const response = await fetch(`${service.url}/health`)
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { status: 'ok' })
  })

  it('keeps its data over SIGTERM and over SIGKILL', async () => {
    const team = await service.createTeam()
    const created = await service.call(team.owner, 'POST', '/notification-contacts', {
      name: 'Ops',
      type: 'email',
      config: { email: 'ops@example.com' },
    })
    assert.equal(created.status, 201)
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await service.signal(signal)
      await service.start()
      const found = await service.call(team.owner, 'GET', `/notification-contacts/${created.body.data.id}`)
      assert.deepEqual(found.body, created.body)
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { addHealth } from '../../src/pages/health.ts'

function appThat(failing: string | null) {
  const app = new Hono()
  addHealth(app, async () => failing)
  return app
}

describe('/health', () => {
  it('is 200 while everything works, and 503 with the part that does not', async () => {
    const well = await appThat(null).request('/health')
    assert.deepEqual([well.status, await well.json()], [200, { status: 'ok' }])
    const ill = await appThat('database').request('/health')
    assert.deepEqual([ill.status, await ill.json()], [503, { status: 'unavailable', failing: 'database' }])
  })

  it('is told apart from whether the process answers at all', async () => {
    const live = await appThat('database').request('/health/live')
    assert.deepEqual([live.status, await live.json()], [200, { status: 'ok' }])
  })
})

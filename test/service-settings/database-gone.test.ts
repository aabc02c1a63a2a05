import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Monitor } from '../../src/core/monitor.ts'
import { openDatabase } from '../../src/store/database.ts'
import { documentedAsk } from '../support/documented.ts'
import { suiteScope } from '../support/scope.ts'
import { type ServiceHere, startServiceHere } from '../support/service-here.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

const NEW = { name: 'New', type: 'heartbeat', check_interval_minutes: 5 }

describe('a service whose database is gone', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let client: TeamClient
  let job: Monitor
  let badge: string

  before(async () => {
    service = await startServiceHere()
    scope.after(() => service.close())
    client = await teamClient(service)
    job = await client.monitor({ type: 'heartbeat', check_interval_seconds: 3_600 })
    const { rows } = await service.services.db.pool.query('SELECT badge_id FROM monitors WHERE id = $1', [
      job.id,
    ])
    badge = `/badge/${rows[0].badge_id}/status`
  })

  it('answers 503 and when to ask again, to every door, and goes on once it is back', async () => {
    const { connection } = service.services.db
    const admin = openDatabase({ ...connection, database: 'postgres' }, () => {})
    scope.after(() => admin.close())
    const away = `${connection.database}_away`
    // Whoever was quick enough to connect again meanwhile is in the way.
    await until('the database to be gone', async () => {
      await admin.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        connection.database,
      ])
      return admin.pool.query(`ALTER DATABASE ${connection.database} RENAME TO ${away}`).then(
        () => true,
        () => false,
      )
    })
    try {
      for (const [method, path, body] of [
        ['POST', '/monitors', NEW],
        ['GET', '/monitors', undefined],
        ['PUT', `/monitors/${job.id}`, { name: 'Other' }],
        ['GET', '/team', undefined],
      ] as const) {
        const answer = await client.ask(method, path, body)
        assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'], `${method} ${path}`)
        assert.deepEqual([answer.body.type, answer.body.title], ['about:blank', 'Service Unavailable'])
      }
      for (const path of [`/ping/${job.heartbeat_token}`, `${badge}.json`, `${badge}.svg`]) {
        const { status, headers } = await documentedAsk(service.url + path)
        assert.deepEqual([status, headers.get('retry-after')], [503, '5'], path)
      }
    } finally {
      await admin.pool.query(`ALTER DATABASE ${away} RENAME TO ${connection.database}`)
    }
    const made = await until('it to make a monitor', async () => {
      const answer = await client.ask('POST', '/monitors', NEW)
      return answer.status === 201 && answer
    })
    assert.equal(made.body.data.name, 'New')
    assert.equal((await client.data('GET', '/monitors')).length, 2, 'none was made meanwhile')
  })
})

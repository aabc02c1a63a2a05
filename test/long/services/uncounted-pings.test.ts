// npm test leaves this out: it needs a service of its own whose database is broken (seconds).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RATE_LIMITS } from '../../../src/core/request-limits.ts'
import { keptChecks } from '../../support/records/recorded-checks.ts'
import { suiteScope } from '../../support/scope.ts'
import { documentedFetch } from '../../support/services/documented.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { teamClient } from '../../support/services/team-client.ts'

describe('a database that cannot count requests, because its disk is full', () => {
  const scope = suiteScope()

  it('turns no ping away within the limit, so that no job looks silent', async () => {
    const service = await startServiceHere()
    scope.after(() => service.close())
    const client = await teamClient(service)
    const job = await client.monitor({ type: 'heartbeat', check_interval_seconds: 600 })
    const { db } = service.services
    await db.pool.query(`
      CREATE FUNCTION refuse_to_grow() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON rate_limits EXECUTE FUNCTION refuse_to_grow()`)

    const statuses: number[] = []
    for (let sent = 0; sent <= RATE_LIMITS.perHeartbeat; sent++) {
      const { status } = await documentedFetch(`${service.url}/ping/${job.heartbeat_token}`)
      statuses.push(status)
    }
    assert.deepEqual(statuses, [...new Array<number>(RATE_LIMITS.perHeartbeat).fill(204), 429])
    assert.equal((await keptChecks(service, job.id)).length, RATE_LIMITS.perHeartbeat)

    await db.pool.query('DROP TRIGGER full_disk ON rate_limits')
    assert.equal((await documentedFetch(`${service.url}/ping/${job.heartbeat_token}`)).status, 204)
  })
})

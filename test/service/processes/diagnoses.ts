import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { DIAGNOSIS_CLAIM_MS } from '../../../src/core/monitors/incidents/diagnosis.ts'
import { readDiagnosis, requestDiagnosis } from '../../../src/store/incidents/diagnoses.ts'
import { trySignal } from '../../support/processes.ts'
import { addIncident } from '../../support/records/history.ts'
import { startHttp } from '../../support/servers/targets.ts'
import type { TestService } from '../../support/services/service.ts'
import { SELDOM, type TeamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

/**
 * Stops the service, which can only be killed from then on, in the middle of a diagnosis. `assertEnded` says that the next life ends it.
 */
export async function stopInDiagnosis(
  t: TestContext,
  service: TestService,
  client: TeamClient,
): Promise<{ assertEnded(): Promise<void> }> {
  let status: number | null = 200
  const { port } = await startHttp(t, (_, response) => {
    if (status !== null) response.writeHead(status).end()
  })
  // A monitor that is paused is not diagnosed. This one is not checked again.
  const { id } = await client.monitor({ ...SELDOM, url: `http://127.0.0.1:${port}/` })
  await client.untilJudged(id)
  status = null
  const { teamId } = client
  const incidentId = await addIncident(service.services.db, { team_id: teamId, monitor_id: id })
  const read = () => readDiagnosis(service.services.db.query, { teamId, incidentId })

  await until('a process that is at it when it is stopped', async () => {
    await requestDiagnosis(service.services.db.query, { teamId, monitorId: id, incidentId })
    await until('it is begun', async () => {
      const record = await read()
      return record?.isClaimed || record?.endedAt != null
    })
    process.kill(service.pid, 'SIGSTOP')
    if ((await read())?.isClaimed) return true
    // The target was silent for as long as is waited for, before the stop came.
    trySignal(service.pid, 'SIGCONT')
    return false
  })

  return {
    async assertEnded() {
      status = 503
      const left = await read()
      assert.equal(left?.endedAt, null, 'nothing ends what a process that is gone has begun')
      await service.services.db.pool.query(
        `UPDATE diagnoses SET began_at = began_at - $2 * interval '1 millisecond', expires_at = now() + interval '1 hour'
         WHERE team_incident_id = $1`,
        [incidentId, DIAGNOSIS_CLAIM_MS],
      )
      await until('the next life has ended it', async () => (await read())?.endedAt)
      assert.match((await read())?.found?.summary ?? '', /HTTP 503/)
    },
  }
}

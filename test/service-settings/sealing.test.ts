import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changeRows } from '../support/records/rows.ts'
import { startServiceHere } from '../support/services/service-here.ts'
import { until } from '../support/until.ts'

it('a value sealed by an older release is bound to its row after the next start', async (t) => {
  const service = await startServiceHere({ ROLES: 'api,scheduler' })
  t.after(() => service.close())
  const team = await service.createTeam()
  const sealed = async () => {
    const { rows } = await service.services.db.pool.query('SELECT signing_secret FROM teams WHERE id = $1', [
      team.id,
    ])
    return rows[0].signing_secret as string
  }
  assert.match(await sealed(), /^v2\./)
  const { db, vault } = service.services
  const old = vault.seal('whsec_b2xk', 'teams.signing_secret', null)
  await changeRows(db, 'teams', { id: team.id }, { signing_secret: old })
  await service.stop()
  await service.start()
  const anew = await until('it is sealed anew', async () => {
    const now = await sealed()
    return now !== old && now
  })
  assert.match(anew, /^v2\./)
  assert.equal(service.services.vault.open(anew, 'teams.signing_secret', team.id), 'whsec_b2xk')
})

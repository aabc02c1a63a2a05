import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { flap, letMinutesPass, saidOf, wantOneAlert } from '../../support/alerting/flaps.ts'
import { replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import { startTestService } from '../../support/services/service.ts'
import { SELDOM, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'
import { stopInDiagnosis } from './diagnoses.ts'

/** Changes after which it is up, and after which it is down: either time more than are told. */
const TURNS = [6, 7]

/**
 * It is killed between the changes and the alert that something is steady again, and in the middle of a diagnosis: nobody but the database
 * knows of either.
 */
export async function assertFlapSurvives(t: TestContext): Promise<void> {
  const service = await startTestService()
  t.after(() => service.close())
  const client = await teamClient(service)
  // It is another one after the kill.
  const db = () => service.services.db
  await wantOneAlert({ db: db(), teamId: client.teamId })
  const receiver = await startReceiver(t, replyWith(204))
  const contact = await client.webhook(receiver)
  const ids = await Promise.all(
    TURNS.map(async (turns) => {
      const target = await startSwitchTarget(t)
      const settings = { ...SELDOM, url: target.url, notification_contact_ids: [contact.id] }
      const { id } = await client.monitor(settings)
      await client.untilJudged(id)
      await flap(client, id, target, turns)
      return id
    }),
  )
  const told = ['monitor.down', 'monitor.recovery', 'monitor.down', 'monitor.flapping']
  const said = () => Promise.all(ids.map((id) => saidOf(db(), id)))
  assert.deepEqual(await said(), [told, told])
  const diagnosis = await stopInDiagnosis(t, service, client)
  await service.letGo()
  await service.signal('SIGKILL')
  await service.start()
  await service.takeUp()
  assert.deepEqual(await said(), [told, told])
  for (const id of ids) await letMinutesPass(db(), id)
  const expected = ['monitor.recovery steady', 'monitor.down steady'].map((steady) => [...told, steady])
  await until('both are told steady', async () => (await said()).flat().length >= expected.flat().length)
  assert.deepEqual(await said(), expected)
  const events = () =>
    new Set(
      receiver.requests.map(({ headers, body }) => `${headers['webhook-id']} ${JSON.parse(body).event}`),
    )
  await until('all of it is sent', () => events().size === expected.flat().length)
  await diagnosis.assertEnded()
}

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { executeNextStep } from '../../../src/engine/on-call/execute-step.ts'
import { startStepLoop } from '../../../src/engine/on-call/step-loop.ts'
import { acknowledge } from '../../../src/operations/on-call/acknowledge.ts'
import { inTransaction } from '../../../src/postgres/database.ts'
import { holdDueEscalation, readDueStep, settleStep } from '../../../src/store/on-call/due-steps.ts'
import { AT_LENGTH } from '../../support/at-length.ts'
import { escalationWorld, passTime, sentOf } from '../../support/on-call/escalations.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addPerson } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

describe('steps, and what races them', () => {
  let database: TestDatabase
  let world: Awaited<ReturnType<typeof escalationWorld>>
  let person: number
  const windows = createKnownWindows()

  before(async () => {
    database = await openTestDatabase()
    world = await escalationWorld(database.db, ['Ada', 'Bo', 'Cy'])
    person = await addPerson(database.db, {}, { teamId: world.teamId })
  })
  after(async () => {
    assert.deepEqual(world.troubles, [])
    await world.close()
    await database.close()
  })

  const policyOf = (contactIds: (number | undefined)[], repeats = 0) =>
    world.addPolicy({
      steps: contactIds.map((id, index) => ({
        after_minutes: index + 1,
        contact_ids: [id as number],
        schedule_id: null,
      })),
      ...{ repeats, repeat_every_minutes: 10 },
    })

  /** The alerts that steps sent, and the rows of those. */
  async function storyOf(incident: number) {
    const sent = (await sentOf(database.db, incident)).filter(({ step }) => step > 0)
    const { rows } = await database.db.pool.query<{
      id: number
      state: string
      number: number
      round: number
    }>(
      `SELECT s.id, s.state, s.number, s.round FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id
       WHERE e.team_incident_id = $1 ORDER BY s.id`,
      [incident],
    )
    return { sent: sent.map(({ step }) => step), done: rows.filter(({ state }) => state === 'done'), rows }
  }

  it('are executed once by four runners that race for them, each with its deliveries', async () => {
    const policy = await policyOf([world.contactIds[1], world.contactIds[2]], 3)
    const incidents: number[] = []
    for (let count = 0; count < 12; count++) incidents.push(await world.fail(await world.addMonitor(policy)))
    const loops = Array.from({ length: 4 }, () =>
      startStepLoop({ db: database.db, onTrouble: (error) => world.troubles.push(error) }),
    )
    for (const incident of incidents) await passTime(database.db, incident, 100)
    for (const loop of loops) loop.wake()
    for (const incident of incidents) {
      await until('all rounds of the policy', async () => (await storyOf(incident)).done.length === 8)
      const { sent, done } = await storyOf(incident)
      assert.equal(new Set(done.map(({ number, round }) => `${number} ${round}`)).size, 8)
      // Rounds that came at once alert nobody twice within a minute.
      assert.equal(new Set(sent).size, sent.length)
      assert.deepEqual(sent.length, 2)
    }
    for (const loop of loops) await loop.close()
  })

  it('are lost by no process that dies between the claim and the commit, and doubled by none', async () => {
    const incident = await world.fail(await world.addMonitor(await policyOf([world.contactIds[1]])))
    await passTime(database.db, incident, 1)
    const dying = inTransaction(database.db.pool, async (client) => {
      const held = await holdDueEscalation(client)
      const due = held && (await readDueStep(client, held.id))
      assert.ok(due)
      await settleStep(client, due.id, { scheduleName: null, nobody: null })
      assert.equal(await executeNextStep(database.db, windows), false, 'another process leaves it alone')
      await client.query('SELECT pg_terminate_backend(pg_backend_pid())')
    })
    await assert.rejects(dying)
    assert.equal(await executeNextStep(database.db, windows), true)
    assert.equal(await executeNextStep(database.db, windows), false)
    const { sent, done } = await storyOf(incident)
    assert.deepEqual([sent.length, done.length], [1, 1])
  })

  it('are stopped by an acknowledgement at the same moment, or it says that they were sent', async () => {
    const policy = await policyOf([world.contactIds[1], world.contactIds[2]], 5)
    for (let round = 0; round < (AT_LENGTH ? 300 : 16); round++) {
      const incident = await world.fail(await world.addMonitor(policy))
      await passTime(database.db, incident, 1)
      const ref = { kind: 'monitor', id: incident } as const
      const take = () => acknowledge(database, world.teamId, ref, { userId: person }, { note: null })
      const execute = () => executeNextStep(database.db, windows)
      // Either may come first, by a moment.
      const executing = round % 2 === 0 ? execute() : null
      const taking = take()
      const [acknowledged] = await Promise.all([taking, executing ?? execute()])
      while (await execute());
      const { sent, done, rows } = await storyOf(incident)
      assert.deepEqual(
        rows.filter(({ state }) => state === 'waiting'),
        [],
        'nothing is to come any more',
      )
      assert.equal(sent.length, done.length)
      assert.equal(acknowledged.already_sent.length, done.length)
    }
  })
})

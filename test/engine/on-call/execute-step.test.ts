import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { executeNextStep } from '../../../src/engine/on-call/execute-step.ts'
import { lockMonitors, resolveIncidentsQuietly } from '../../../src/store/monitors/monitor-changes.ts'
import { acknowledge, holdIncident, withdraw } from '../../../src/store/on-call/acknowledgements.ts'
import { escalationWorld, passTime, sentOf } from '../../support/on-call/escalations.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addPerson } from '../../support/records/teams.ts'

describe('the steps of an open incident', () => {
  let database: TestDatabase
  let world: Awaited<ReturnType<typeof escalationWorld>>
  const windows = createKnownWindows()

  before(async () => {
    database = await openTestDatabase()
    world = await escalationWorld(database.db, ['Ada', 'Bo', 'Cy'])
  })
  after(async () => {
    assert.deepEqual(world.troubles, [])
    await world.close()
    await database.close()
  })

  async function run(incidentId: number, minutes: number): Promise<string[]> {
    const known = (await sentOf(database.db, incidentId)).length
    await passTime(database.db, incidentId, minutes)
    while (await executeNextStep(database.db, windows));
    const sent = (await sentOf(database.db, incidentId)).slice(known)
    return sent.map(({ name, event }) => `${event} ${name}`)
  }

  const statesOf = async (incidentId: number) =>
    (
      await database.db.pool.query<{ said: string }>(
        `SELECT s.kind || ' ' || s.number || ' ' || s.round || ' ' || s.state AS said
         FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id WHERE e.team_incident_id = $1 ORDER BY s.id`,
        [incidentId],
      )
    ).rows.map(({ said }) => said)

  const contact = (index: number) => () => [world.contactIds[index] as number]
  const ada = contact(0)
  const bo = contact(1)
  const cy = contact(2)
  const policy = (steps: [minutes: number, contacts: number[]][], rest = {}) =>
    world.addPolicy({
      steps: steps.map(([after_minutes, contact_ids]) => ({ after_minutes, contact_ids, schedule_id: null })),
      ...rest,
    })

  it('are made with the incident, come at their minutes, and begin again', async () => {
    const id = await policy(
      [
        [10, bo()],
        [30, cy()],
      ],
      { repeats: 1, repeat_every_minutes: 45 },
    )
    const incident = await world.fail(await world.addMonitor(id, ada()))
    assert.deepEqual(await statesOf(incident), ['step 1 0 waiting', 'step 2 0 waiting'])
    assert.deepEqual(await run(incident, 9), [])
    assert.deepEqual(await run(incident, 1), ['monitor.down Bo'])
    assert.deepEqual(await run(incident, 20), ['monitor.down Cy'])
    assert.deepEqual(await run(incident, 25), ['monitor.down Bo'])
    assert.deepEqual(await run(incident, 20), ['monitor.down Cy'])
    assert.deepEqual(await run(incident, 500), [])
    const messages = (await sentOf(database.db, incident)).map(({ messageId }) => messageId)
    assert.equal(new Set(messages).size, 5, 'each alert is a message of its own')
  })

  it('end with a recovery, which those whom they alerted are told, too', async () => {
    const id = await policy([
      [0, bo()],
      [30, cy()],
    ])
    const monitor = await world.addMonitor(id, ada())
    const incident = await world.fail(monitor)
    assert.deepEqual(await run(incident, 0), ['monitor.down Bo'])
    await world.recover(monitor)
    assert.deepEqual(await statesOf(incident), ['step 1 0 done', 'step 2 0 ended'])
    const told = (await sentOf(database.db, incident)).slice(2)
    assert.deepEqual(
      told.map(({ name, event }) => `${event} ${name}`),
      ['monitor.recovery Ada', 'monitor.recovery Bo'],
    )
    assert.deepEqual(await run(incident, 60), [])
  })

  it('end with a pause, without a word', async () => {
    const monitor = await world.addMonitor(await policy([[5, bo()]]), ada())
    const incident = await world.fail(monitor)
    await database.db.query.transaction().execute(async (query) => {
      await lockMonitors(query, world.teamId, [monitor.id])
      await resolveIncidentsQuietly(query, [monitor.id], new Date())
    })
    assert.deepEqual(await statesOf(incident), ['step 1 0 ended'])
    assert.deepEqual(await run(incident, 60), [])
  })

  it('end with an acknowledgement, and go on where they stood when it is taken back', async () => {
    const person = await addPerson(database.db, {}, { teamId: world.teamId })
    const incident = await world.fail(
      await world.addMonitor(
        await policy([
          [5, bo()],
          [20, cy()],
        ]),
        ada(),
      ),
    )
    const ref = { kind: 'monitor', id: incident } as const
    const change = (work: typeof acknowledge | typeof withdraw, ...rest: never[]) =>
      database.db.query.transaction().execute(async (query) => {
        await holdIncident(query, world.teamId, ref)
        return (work as (...given: unknown[]) => Promise<unknown>)(query, world.teamId, ref, ...rest)
      })
    assert.deepEqual(await run(incident, 5), ['monitor.down Bo'])
    const just = await change(acknowledge, ...([{ userId: person }, 'on it'] as never[]))
    assert.deepEqual(
      (just as { kind: string; number: number }[]).map(({ kind, number }) => `${kind} ${number}`),
      ['step 1'],
      'what was sent just before is told',
    )
    assert.deepEqual(await run(incident, 60), [])
    await database.db.pool.query(
      `UPDATE acknowledgements SET acknowledged_at = acknowledged_at - interval '1 hour' WHERE team_incident_id = $1`,
      [incident],
    )
    assert.equal(await change(withdraw, ...([person] as never[])), true)
    assert.deepEqual(await run(incident, 14), [], 'the hour did not count')
    assert.deepEqual(await run(incident, 1), ['monitor.down Cy'])
    assert.equal(await change(withdraw, ...([person] as never[])), false)
  })
})

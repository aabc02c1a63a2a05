import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { failingAnswer, MAX_ANSWERS_OF_MONITOR } from '../../../src/core/probing/failing-answer.ts'
import { inTransaction } from '../../../src/postgres/database.ts'
import { removeSomeBefore } from '../../../src/store/history/retention.ts'
import {
  type AnswerRow,
  findAnswer,
  findAnswersOfIncident,
  writeAnswers,
} from '../../../src/store/monitors/failing-answers.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addIncident } from '../../support/records/history.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const AT_MS = Date.parse('2026-11-23T12:00:00Z')
const at = (afterMs: number) => new Date(AT_MS + afterMs)
const answer = failingAnswer({ statusLine: 'HTTP/1.1 503 x', headers: [], body: { kind: 'empty' } })

describe('the answers kept of a monitor', () => {
  let database: TestDatabase
  let teamId: number
  before(async () => {
    database = await openTestDatabase()
    teamId = await addTeam(database.db)
  })
  after(() => database.close())

  const write = (rows: AnswerRow[]) => inTransaction(database.db.pool, (client) => writeAnswers(client, rows))
  const row = (monitorId: number, incidentId: number | null, afterMs: number): AnswerRow => ({
    monitorId,
    incidentId,
    checkedAt: at(afterMs),
    httpStatusCode: 503,
    answer,
  })
  const addIncidentAt = (monitorId: number, afterMs: number) =>
    addIncident(database.db, {
      team_id: teamId,
      monitor_id: monitorId,
      started_at: at(afterMs),
      resolved_at: at(afterMs),
    })
  const countOf = async (monitorId: number) => {
    const text = 'SELECT count(*)::int AS count FROM failing_answers WHERE monitor_id = $1'
    return (await database.db.pool.query<{ count: number }>(text, [monitorId])).rows[0]?.count
  }

  it('are those of its last incidents, and one besides that replaces the one before', async () => {
    const { id } = await addMonitor(database.db, { team_id: teamId, name: 'many' })
    for (let index = 0; index < MAX_ANSWERS_OF_MONITOR + 3; index++) {
      await write([row(id, await addIncidentAt(id, index), index)])
    }
    await write([row(id, null, 1_000)])
    await write([row(id, null, 2_000)])
    assert.equal(await countOf(id), MAX_ANSWERS_OF_MONITOR + 1)
    const asked = { teamId, monitorId: id, since: null }
    const found = async (afterMs: number) =>
      (await findAnswer(database.db.query, { ...asked, at: at(afterMs) }))?.checkedAt
    assert.deepEqual(await found(0), undefined, 'of the oldest incident')
    assert.deepEqual(
      [await found(20), await found(2_000), await found(9_000)],
      [at(20), at(2_000), at(2_000)],
    )
    assert.equal(await found(1_000), undefined, 'a check before the newest answer has its own or none')
    assert.equal(
      await findAnswer(database.db.query, { ...asked, teamId: teamId + 1, at: at(2_000) }),
      null,
      'another team has none',
    )
  })

  it('are told by incident, the last one only within it', async () => {
    const { id: monitorId } = await addMonitor(database.db, { team_id: teamId, name: 'told' })
    const incident = await addIncidentAt(monitorId, 0)
    await write([row(monitorId, incident, 0), row(monitorId, null, 500)])
    const span = { teamId, id: incident, monitorId, from: at(0), since: null }
    const times = async (until: Date | null, since: Date | null = null) =>
      (await findAnswersOfIncident(database.db.query, { ...span, until, since })).map(
        ({ checkedAt }) => checkedAt,
      )
    assert.deepEqual(await times(null), [at(0), at(500)])
    assert.deepEqual(await times(at(400)), [at(0)])
    assert.deepEqual(await times(null, at(1)), [at(500)], 'as far back as the plan shows')
  })

  it('go with the history of the plan, and with the monitor', async () => {
    const { id } = await addMonitor(database.db, { team_id: teamId, name: 'old' })
    await write([row(id, await addIncidentAt(id, 0), 0), row(id, null, 1_000)])
    await removeSomeBefore(database.db, 'failing_answers', { kind: 'monitor', ids: [id] }, at(500))
    assert.equal(await countOf(id), 1)
    await database.db.pool.query('DELETE FROM monitors WHERE id = $1', [id])
    assert.equal(await countOf(id), 0)
  })
})

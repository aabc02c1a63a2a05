// npm test leaves this out: it sends 5,000 requests to a service of its own (a minute).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runFuzz } from '../../fuzz/run.ts'
import { startFuzzed } from '../../fuzz/service.ts'
import { SCENES } from '../../support/access/scenes.ts'
import { recordsOf } from '../../support/access/team-records.ts'
import { suiteScope } from '../../support/scope.ts'
import { peopleOf } from '../../support/services/people.ts'

const REQUESTS = 5_000
/** One seed, so that a change is judged by what it changes; `npm run fuzz` takes another one each time. */
const SEED = 97_627_596

describe('requests that are nearly right', () => {
  const scope = suiteScope()

  it('ask a contact again that may be asked', async () => {
    const service = await startFuzzed(scope)
    scope.after(() => service.close())
    const people = peopleOf(service)
    const make = recordsOf(service, people, await people.team())
    const contact = await SCENES.askContact?.(make)
    await make.data('POST', `/notification-contacts/${contact}/ask`)
    const { rows } = await service.services.db.pool.query(
      'SELECT expires_at > now() AS is_open FROM agreements WHERE team_id = $1',
      [make.team.id],
    )
    assert.deepEqual(rows, [{ is_open: true }])
  })

  it(`to every route, ${REQUESTS} of them, are all answered, and by no fault of the service`, async () => {
    const service = await startFuzzed(scope)
    scope.after(() => service.close())
    const report = await runFuzz(service, { requests: REQUESTS, seed: SEED, note: () => {} }, () => {})
    assert.deepEqual(report.troubles, [])
    const answers = [...report.statuses.values()].reduce((sum, count) => sum + count, 0)
    assert.equal(answers, REQUESTS)
    const taken = [...report.plain].filter(([status]) => status < 400)
    assert.ok(taken.length > 0, 'the service takes the requests that others are made from')
  })
})

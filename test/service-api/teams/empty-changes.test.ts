import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { allOperations, type OperationId } from '../../../src/contract/contract.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

/** Changes of what every team has: a path without a record. */
const CHANGES = (Object.entries(allOperations) as [OperationId, Operation][]).filter(
  ([, { method, path }]) => method === 'PATCH' && !path.includes('{'),
)

describe('a change of nothing', () => {
  let people: People
  before(async () => {
    people = peopleOf(await apiService())
  })

  it('is there to be tried', () => assert.ok(CHANGES.length >= 4, String(CHANGES.length)))

  for (const [id, { path }] of CHANGES)
    it(`by ${id} is taken, or refused with a reason`, async () => {
      const team = await people.team()
      const { status, body } = await team.owner.ask(team.id, 'PATCH', path, {})
      assert.ok(status < 500, `${status} ${JSON.stringify(body)}`)
    })
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import { type People, peopleOf } from '../support/services/people.ts'

const PATH = '/team/confirmation'
const OFF = { confirmations: 0, recovery_checks: 1 }

describe('how a team wants failures confirmed', () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  it('is off at first, and seen by every member', async () => {
    const { id, owner, admin, viewer } = await people.team()
    for (const person of [owner, admin, viewer]) assert.deepEqual(await person.data(id, 'GET', PATH), OFF)
  })

  it('is changed by owners and admins, field by field, for their team alone', async () => {
    const { id, owner, admin, viewer } = await people.team()
    const other = await people.team()
    const changed = { confirmations: 2, recovery_checks: 1 }
    assert.deepEqual(await owner.data(id, 'PATCH', PATH, { confirmations: 2 }), changed)
    assert.deepEqual(await owner.data(id, 'PATCH', PATH, {}), changed)
    assert.deepEqual(await admin.data(id, 'PATCH', PATH, { recovery_checks: 5 }), {
      ...changed,
      recovery_checks: 5,
    })
    assert.equal((await viewer.ask(id, 'PATCH', PATH, OFF)).status, 403)
    assert.equal((await other.owner.ask(id, 'PATCH', PATH, OFF)).status, 404)
    assert.deepEqual(await viewer.data(id, 'GET', PATH), { confirmations: 2, recovery_checks: 5 })
    assert.deepEqual(await other.viewer.data(other.id, 'GET', PATH), OFF)
    const entries = await owner.data(id, 'GET', '/audit-log')
    assert.deepEqual(
      entries
        .filter(({ action }: { action: string }) => action === 'updateTeamConfirmation')
        .map((entry: { actor: string; fields: string[] }) => [entry.actor, entry.fields.join()]),
      [
        [admin.name, 'recovery_checks'],
        [owner.name, ''],
        [owner.name, 'confirmations'],
      ],
    )
  })

  it('has bounds, which a refusal names with the field', async () => {
    const { id, owner } = await people.team()
    for (const [body, field] of [
      [{ confirmations: 4 }, 'confirmations'],
      [{ confirmations: -1 }, 'confirmations'],
      [{ confirmations: '1' }, 'confirmations'],
      [{ recovery_checks: 0 }, 'recovery_checks'],
      [{ recovery_checks: 6 }, 'recovery_checks'],
      [{ recovery_checks: null }, 'recovery_checks'],
    ] as const) {
      assertInvalid(await owner.ask(id, 'PATCH', PATH, body), [field])
    }
    assert.deepEqual(await owner.data(id, 'GET', PATH), OFF)
  })
})

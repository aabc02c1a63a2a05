import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import { type People, peopleOf } from '../support/services/people.ts'

const PATH = '/team/language'
const ENGLISH = { language: 'en', time_zone: null }
const GERMAN = { language: 'de', time_zone: null }

describe("the language of a team's alerts", () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  it('is English at first, and changed by owners and admins, for their team alone', async () => {
    const { id, owner, admin, viewer } = await people.team()
    const other = await people.team()
    assert.deepEqual(await viewer.data(id, 'GET', PATH), ENGLISH)
    assert.deepEqual(await owner.data(id, 'PATCH', PATH, GERMAN), GERMAN)
    assert.deepEqual(await admin.data(id, 'PATCH', PATH, {}), GERMAN)
    assert.equal((await viewer.ask(id, 'PATCH', PATH, ENGLISH)).status, 403)
    assert.equal((await other.owner.ask(id, 'PATCH', PATH, ENGLISH)).status, 404)
    assert.deepEqual(await viewer.data(id, 'GET', PATH), GERMAN)
    assert.deepEqual(await other.viewer.data(other.id, 'GET', PATH), ENGLISH)
  })

  it('is one that there is', async () => {
    const { id, owner } = await people.team()
    await assertInvalid(await owner.ask(id, 'PATCH', PATH, { language: 'xx' }), ['language'])
  })
})

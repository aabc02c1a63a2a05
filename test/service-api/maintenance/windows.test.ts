import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { WindowDetail, WindowRow } from '../../../src/core/maintenance/shown-window.ts'
import { oneOff, recurring, sent, switchWindow } from '../../support/maintenance/windows.ts'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const PATH = '/maintenance-windows'

describe('maintenance windows', () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  const create = async ({ id, owner }: Team, body: object) =>
    WindowDetail.parse(await owner.data(id, 'POST', PATH, body))
  for (const [kind, body] of [
    ['one-off', sent(oneOff('2030-12-01T10:00:00.000Z', '2030-12-01T11:00:00.000Z'))],
    ['recurring', sent(recurring({ exceptions: ['2027-02-07'] }))],
    ['switch', sent(switchWindow({ ends_when_passing: true, max_minutes: 5 }))],
  ] as const) {
    it(`that are ${kind} come back as they were sent`, async () => {
      const team = await people.team()
      const made = await create(team, body)
      assert.deepEqual(made.fields, body)
      const found = await team.viewer.data(team.id, 'GET', `${PATH}/${made.id}`)
      assert.deepEqual(found, { ...made, addresses: null })
      const [row, ...more] = (await team.viewer.data(team.id, 'GET', PATH)) as unknown[]
      assert.deepEqual(more, [])
      assert.deepEqual(WindowRow.parse(row), WindowRow.parse(made))
      assert.equal(made.addresses !== null, kind === 'switch')
    })
  }
})

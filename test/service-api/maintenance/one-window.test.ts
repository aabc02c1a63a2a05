import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { OccurrenceRow, SubjectMaintenance } from '../../../src/core/maintenance/shown-window.ts'
import { sent, switchWindow } from '../../support/maintenance/windows.ts'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const DAY_MS = 86_400_000
const MONITOR = { type: 'tcp', url: 'tcp://db.example.com', port: 5432, check_interval_minutes: 5 }

describe('what screens ask about one window, or one monitor', () => {
  let people: People
  let team: Team

  before(async () => {
    people = peopleOf(await apiService())
    team = await people.team()
  })

  const post = (path: string, body: object = {}) => team.owner.data(team.id, 'POST', path, body)

  async function turnedOn(monitor_ids: number[]): Promise<number> {
    const subjects = { all_subjects: monitor_ids.length === 0, monitor_ids }
    const { id } = await post('/maintenance-windows', sent(switchWindow(subjects)))
    await post(`/maintenance-windows/${id}/start`)
    return id
  }

  it('is answered with the occurrences of that window alone', async () => {
    const [one, other] = [await turnedOn([]), await turnedOn([])]
    const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
    const found = async (more: string) => {
      const path = `/maintenance-occurrences?from=${at(-1)}&to=${at(1)}${more}`
      const rows: OccurrenceRow[] = await team.viewer.data(team.id, 'GET', path)
      return rows.map(({ window_id, state }) => [window_id, state])
    }
    assert.deepEqual(await found(''), [
      [one, 'running'],
      [other, 'running'],
    ])
    assert.deepEqual(await found(`&window=${other}`), [[other, 'running']])
    for (const id of [one, other]) await post(`/maintenance-windows/${id}/end`)
    assert.deepEqual(await found(`&window=${one}`), [[one, 'over']])
  })

  it('says whether ending it counts for other monitors, too', async () => {
    const ids: number[] = []
    for (const name of ['One', 'Two']) ids.push((await post('/monitors', { ...MONITOR, name })).id)
    const [first = 0] = ids
    const wide = await turnedOn(ids)
    const own = await turnedOn([first])
    const path = `/monitors/${first}/maintenance`
    const { current }: SubjectMaintenance = await team.viewer.data(team.id, 'GET', path)
    const covers = new Map(current.map(({ window_id, covers_others }) => [window_id, covers_others]))
    assert.deepEqual([covers.get(wide), covers.get(own)], [true, false])
  })
})

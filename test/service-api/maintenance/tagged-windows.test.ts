import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { sent, switchWindow } from '../../support/maintenance/windows.ts'
import { assertInvalid } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'
import { askForSubject, askForTags } from '../../support/tags/tagged-subjects.ts'

const PATH = '/maintenance-windows'
const HOUR_MS = 3_600_000

describe('maintenance windows of what carries a tag', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const tagged = (tags: string[], more: object = {}) => ({
    ...sent(switchWindow()),
    all_subjects: false,
    tags,
    ...more,
  })
  const open = async ({ id, owner }: Team, body: object) =>
    WindowDetail.parse(await owner.data(id, 'POST', PATH, body))
  const shown = async ({ id, viewer }: Team, windowId: number) =>
    WindowDetail.parse(await viewer.data(id, 'GET', `${PATH}/${windowId}`))
  const namesOf = ({ monitors, servers, sites }: WindowDetail) =>
    [...monitors, ...servers, ...sites].map(({ name }) => name)

  /** As the recorder asks, which keeps what it knows until it is told that windows changed. */
  async function covers(kind: 'monitor' | 'server' | 'site', id: number, at: Date): Promise<boolean> {
    const coverOf = await createKnownWindows().read(service.services.db.pool, kind, [id], at)
    return coverOf(id)?.applies(id, at) ?? false
  }

  it('cover monitors, servers and sites that carry all of their tags, and show them', async () => {
    const team = await people.team()
    const monitor = await askForSubject(team, 'monitor', 'Shop')
    const server = await askForSubject(team, 'server', 'db1')
    const site = await askForSubject(team, 'site', 'Site')
    await askForSubject(team, 'monitor', 'Other')
    await askForTags(team, 'monitor', monitor, ['env:prod', 'team:web'])
    await askForTags(team, 'server', server, ['env:prod'])
    await askForTags(team, 'site', site, ['env:prod', 'team:web'])
    const all = await open(team, tagged(['env:prod']))
    assert.deepEqual(namesOf(all), ['Shop', 'db1', 'Site'])
    assert.deepEqual([all.tags, all.fields.tags, all.fields.monitor_ids], [['env:prod'], ['env:prod'], []])
    assert.deepEqual(namesOf(await open(team, tagged(['env', 'team:web']))), ['Shop', 'Site'])
    assert.deepEqual(namesOf(await open(team, tagged(['env:nothing']))), [])
  })

  it('cover who gets the tag from then on, and not who loses it; what was before stays', async () => {
    const team = await people.team()
    const [had, gets] = [
      await askForSubject(team, 'monitor', 'had'),
      await askForSubject(team, 'monitor', 'gets'),
    ]
    await askForTags(team, 'monitor', had, ['env:prod'])
    const { id } = await open(team, tagged(['env:prod']))
    await team.owner.data(team.id, 'POST', `${PATH}/${id}/start`, {})
    const before = service.services.databaseNow()
    assert.deepEqual(
      [await covers('monitor', had, before), await covers('monitor', gets, before)],
      [true, false],
    )
    await askForTags(team, 'monitor', gets, ['env:prod'])
    await askForTags(team, 'monitor', had, [])
    const after = service.services.databaseNow()
    assert.deepEqual(
      [await covers('monitor', had, after), await covers('monitor', gets, after)],
      [false, true],
    )
    assert.deepEqual(
      [await covers('monitor', had, before), await covers('monitor', gets, before)],
      [true, false],
    )
    const window = await shown(team, id)
    assert.deepEqual(namesOf(window), ['gets'])
    assert.notEqual(window.current, null, 'its turn goes on')
  })

  it('follow a change of many at once, and their own', async () => {
    const team = await people.team()
    const ids = [await askForSubject(team, 'server', 'a'), await askForSubject(team, 'server', 'b')]
    const { id } = await open(team, tagged(['env:prod']))
    const change = { kind: 'server', ids, add: ['env:prod'] }
    await team.owner.data(team.id, 'POST', '/tags/changes', change)
    assert.deepEqual(namesOf(await shown(team, id)), ['a', 'b'])
    await team.owner.data(team.id, 'POST', '/tags/changes', {
      ...change,
      ids: ids.slice(0, 1),
      add: ['env:test'],
    })
    assert.deepEqual(namesOf(await shown(team, id)), ['b'])
    await team.owner.data(team.id, 'PATCH', `${PATH}/${id}`, tagged(['env:test']))
    assert.deepEqual(namesOf(await shown(team, id)), ['a'])
    await team.owner.data(team.id, 'PATCH', `${PATH}/${id}`, tagged([], { server_ids: ids }))
    assert.deepEqual([(await shown(team, id)).tags, namesOf(await shown(team, id))], [[], ['a', 'b']])
  })

  it('are changed only by tags that they go by', async () => {
    const team = await people.team()
    const monitor = await askForSubject(team, 'monitor', 'Shop')
    await askForTags(team, 'monitor', monitor, ['env:prod'])
    const { id } = await open(team, tagged(['env:prod']))
    const sinceOf = async () => {
      const { rows } = await service.services.db.pool.query(
        'SELECT since, (SELECT maintenance_revision FROM teams WHERE id = w.team_id) FROM maintenance_windows w WHERE id = $1',
        [id],
      )
      return rows[0]
    }
    const before = await sinceOf()
    await askForTags(team, 'monitor', monitor, ['env:prod', 'team:web'])
    assert.deepEqual(await sinceOf(), before)
  })

  it('have a deleted monitor again once it is restored', async () => {
    const team = await people.team()
    const monitor = await askForSubject(team, 'monitor', 'Shop')
    await askForTags(team, 'monitor', monitor, ['env:prod'])
    const { id } = await open(team, tagged(['env:prod']))
    await team.owner.data(team.id, 'DELETE', `/monitors/${monitor}`)
    assert.deepEqual(namesOf(await shown(team, id)), [])
    await askForTags(team, 'server', await askForSubject(team, 'server', 'db1'), ['env:prod'])
    await team.owner.data(team.id, 'POST', `/deleted-monitors/${monitor}/restore`)
    assert.deepEqual(namesOf(await shown(team, id)), ['Shop', 'db1'])
  })

  it('name no subjects besides, and are not for everything', async () => {
    const team = await people.team()
    const monitor = await askForSubject(team, 'monitor', 'Shop')
    const refused = (body: object) => team.owner.ask(team.id, 'POST', PATH, body)
    assertInvalid(await refused(tagged(['env:prod'], { monitor_ids: [monitor] })), ['monitor_ids'])
    assertInvalid(await refused(tagged(['env:prod'], { all_subjects: true })), ['tags'])
    assertInvalid(await refused(tagged(['no tag'], { monitor_ids: [monitor] })), ['tags.0'])
    assertInvalid(await refused(tagged([])), ['monitor_ids'])
  })

  it('lose nothing when a tag is given while the window is made', async () => {
    const team = await people.team()
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, index) => askForSubject(team, 'monitor', `Shop ${index}`)),
    )
    const [{ id }] = await Promise.all([
      open(team, tagged(['env:prod'])),
      ...ids.map((monitor) => askForTags(team, 'monitor', monitor, ['env:prod'])),
    ])
    assert.equal((await shown(team, id)).monitor_count, ids.length)
    const at = new Date(service.services.databaseNow().getTime() + HOUR_MS)
    assert.equal(await covers('monitor', ids[0] as number, at), false, 'the switch is off')
  })
})

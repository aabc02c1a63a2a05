// npm test leaves this out: it changes tags of every kind, and reads the pages that follow them (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { StatusPageDetail } from '../../../../../src/core/status-pages/shown-page.ts'
import { createPageReader } from '../../../../../src/operations/status-pages/read-model.ts'
import { assertInvalid } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../../../support/services/people.ts'
import { askForSubject, askForTags } from '../../../../support/tags/tagged-subjects.ts'

let pages = 0

describe('groups of a status page that follow tags', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const pageOf = async ({ id, owner }: Team): Promise<number> => {
    const slug = `following-shop-${++pages}`
    return (await owner.data(id, 'POST', '/status-pages', { name: 'Shop', slug })).id
  }
  const group = (tags: string[], components: object[] = [], id: number | null = null) => ({
    group: { id, name: 'Shops', tags, components },
  })
  const save = async ({ id, owner }: Team, page: number, items: object[]) =>
    StatusPageDetail.parse(await owner.data(id, 'PUT', `/status-pages/${page}/layout`, { items }))
  const detailOf = async ({ id, owner }: Team, page: number) =>
    StatusPageDetail.parse(await owner.data(id, 'GET', `/status-pages/${page}`))
  const groupsIn = ({ layout }: StatusPageDetail) =>
    layout.items.flatMap((item) => ('group' in item ? item.group : []))
  const namesIn = (detail: StatusPageDetail) =>
    groupsIn(detail).flatMap(({ components }) => components.map(({ name }) => name))
  /** As visitors see it. */
  const publicNames = async (page: number) => {
    const model = await createPageReader(service.services).readModel(page)
    assert.doesNotMatch(JSON.stringify(model), /env:prod/, 'tags are internal')
    return (model?.items ?? []).flatMap((item) =>
      'group' in item ? item.group.components.map(({ name }) => name) : item.component.name,
    )
  }
  const revisionOf = async (page: number) => {
    const { rows } = await service.services.db.pool.query('SELECT revision FROM status_pages WHERE id = $1', [
      page,
    ])
    return rows[0].revision as number
  }

  it('take what carries the tags when they are saved, and show it under its own name', async () => {
    const team = await people.team()
    const [page, monitor] = [await pageOf(team), await askForSubject(team, 'monitor', 'Shop')]
    await askForSubject(team, 'monitor', 'Other')
    await askForTags(team, 'monitor', monitor, ['env:prod'])
    const saved = await save(team, page, [group(['env:prod'])])
    assert.deepEqual(namesIn(saved), ['Shop'])
    assert.deepEqual(groupsIn(saved)[0]?.components[0]?.by_tag, true)
    assert.deepEqual(await publicNames(page), ['Shop'])
  })

  it('gain and lose components with the change of the tags, of all kinds, and tell the page', async () => {
    const team = await people.team()
    const page = await pageOf(team)
    await save(team, page, [group(['env:prod'])])
    assert.deepEqual(await publicNames(page), [])
    const ids = { monitor: 0, server: 0, site: 0 }
    for (const kind of ['monitor', 'server', 'site'] as const) {
      ids[kind] = await askForSubject(team, kind, `a ${kind}`)
      const before = await revisionOf(page)
      await askForTags(team, kind, ids[kind], ['env:prod', 'team:web'])
      assert.equal(await revisionOf(page), before + 1, kind)
    }
    assert.deepEqual(await publicNames(page), ['a monitor', 'a server', 'a site'])
    await team.owner.data(team.id, 'POST', '/tags/changes', {
      kind: 'monitor',
      ids: [ids.monitor],
      add: ['env:test'],
    })
    const before = await revisionOf(page)
    assert.deepEqual(await publicNames(page), ['a server', 'a site'])
    await askForTags(team, 'site', ids.site, ['env:prod'])
    assert.equal(await revisionOf(page), before, 'another tag changes nothing')
  })

  it('publish nothing of what is tagged where nobody chose it', async () => {
    const team = await people.team()
    const [page, monitor] = [await pageOf(team), await askForSubject(team, 'monitor', 'internal-name')]
    await save(team, page, [group([])])
    await askForTags(team, 'monitor', monitor, ['env:prod'])
    assert.deepEqual(await publicNames(page), [])
  })

  it('take nothing from other teams', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const page = await pageOf(team)
    await askForTags(other, 'monitor', await askForSubject(other, 'monitor', 'theirs'), ['env:prod'])
    assert.deepEqual(namesIn(await save(team, page, [group(['env:prod'])])), [])
    await askForTags(other, 'monitor', await askForSubject(other, 'monitor', 'theirs, too'), ['env:prod'])
    assert.deepEqual(await publicNames(page), [])
  })

  it('keep a name that a person gave, and what joined while they edited', async () => {
    const team = await people.team()
    const [page, monitor] = [await pageOf(team), await askForSubject(team, 'monitor', 'db-17')]
    await askForTags(team, 'monitor', monitor, ['env:prod'])
    const [first] = groupsIn(await save(team, page, [group(['env:prod'])]))
    const [component] = first?.components ?? []
    await askForTags(team, 'server', await askForSubject(team, 'server', 'late'), ['env:prod'])
    const named = { ...component, name: 'Payments' }
    const saved = await save(team, page, [group(['env:prod'], [named], first?.id)])
    assert.deepEqual(namesIn(saved), ['Payments', 'late'])
    assert.equal(groupsIn(saved)[0]?.components[0]?.id, component?.id)
    await askForTags(team, 'monitor', monitor, [])
    assert.deepEqual(namesIn(await detailOf(team, page)), ['late'])
  })

  it('leave their components to the person who ends it', async () => {
    const team = await people.team()
    const [page, monitor] = [await pageOf(team), await askForSubject(team, 'monitor', 'Shop')]
    await askForTags(team, 'monitor', monitor, ['env:prod'])
    const [first] = groupsIn(await save(team, page, [group(['env:prod'])]))
    await save(team, page, [group([], first?.components, first?.id)])
    await askForTags(team, 'monitor', monitor, [])
    assert.deepEqual(await publicNames(page), ['Shop'])
  })

  it('refuse what is no tag, and lose nothing when tags are given while the page is saved', async () => {
    const team = await people.team()
    const page = await pageOf(team)
    const ask = (items: object[]) => team.owner.ask(team.id, 'PUT', `/status-pages/${page}/layout`, { items })
    assertInvalid(await ask([group(['no tag'])]), ['items.0.group.tags.0'])
    const ids = await Promise.all(
      Array.from({ length: 5 }, (_, index) => askForSubject(team, 'monitor', `Shop ${index}`)),
    )
    await Promise.all([
      save(team, page, [group(['env:prod'])]),
      ...ids.map((monitor) => askForTags(team, 'monitor', monitor, ['env:prod'])),
    ])
    assert.equal((await publicNames(page)).length, ids.length)
  })
})

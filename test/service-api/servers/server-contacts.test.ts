import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sayAttachments } from '../../../dashboard/screens/alerting/attached.ts'
import type { ContactSummary } from '../../../src/core/alerting/delivery-log.ts'
import { CONTACTS } from '../../support/services/api-bodies.ts'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

describe('contacts of servers', () => {
  let people: People
  before(async () => {
    people = peopleOf(await apiService())
  })

  const contactOf = async ({ id, owner }: Team, body: object = {}): Promise<number> =>
    (await owner.data(id, 'POST', '/notification-contacts', { ...CONTACTS.slack, ...body })).id
  const serverOf = async ({ id, owner }: Team, body: object = {}): Promise<number> =>
    (await owner.data(id, 'POST', '/servers', { name: 'Web', ...body })).id
  const idsOf = async ({ id, viewer }: Team, server: number): Promise<number[]> =>
    (await viewer.data(id, 'GET', `/servers/${server}`)).settings.contact_ids
  const countOf = async ({ id, viewer }: Team, contact: number) =>
    (await viewer.data(id, 'GET', '/contact-summaries')).find((one: ContactSummary) => one.id === contact)
      ?.servers_count

  it('join, when asked to, exactly the servers that have contacts of their own', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const first = await contactOf(team)
    const own = { contact_ids: [first] }
    const [attached, paused] = [await serverOf(team, own), await serverOf(team, { ...own, is_active: false })]
    const bare = await serverOf(team)
    const foreign = await contactOf(other)
    const theirs = await serverOf(other, { contact_ids: [foreign] })
    await contactOf(team)
    assert.deepEqual(await idsOf(team, attached), [first])
    const joined = await contactOf(team, { attach_to_existing: true })
    assert.deepEqual(await idsOf(team, attached), [first, joined])
    assert.deepEqual(await idsOf(team, paused), [first, joined])
    assert.deepEqual([await idsOf(team, bare), await idsOf(other, theirs)], [[], [foreign]])
  })

  it('are counted where they are used, but for deleted servers, and detached with the contact', async () => {
    const team = await people.team()
    const [contact, other] = [await contactOf(team), await contactOf(team)]
    const servers = [
      await serverOf(team, { contact_ids: [contact, contact] }),
      await serverOf(team, { contact_ids: [contact, other] }),
    ]
    assert.deepEqual([await countOf(team, contact), await countOf(team, other)], [2, 1])
    await team.owner.data(team.id, 'DELETE', `/servers/${servers[0]}`)
    assert.equal(await countOf(team, contact), 1)
    await team.owner.data(team.id, 'DELETE', `/notification-contacts/${contact}`)
    assert.deepEqual(await idsOf(team, servers[1] as number), [other])
  })

  it('are alerted by what has them in its list and by what has no list, and by all where nothing is left out', async () => {
    const team = await people.team()
    const [contact, other] = [await contactOf(team), await contactOf(team)]
    const alertedBy = async (id: number) => {
      const summaries: ContactSummary[] = await team.owner.data(team.id, 'GET', '/contact-summaries')
      return summaries.find((summary) => summary.id === id)?.alerted_by
    }
    const all = { monitor: null, server: null, site: null }
    await serverOf(team, { contact_ids: [] })
    assert.deepEqual([await alertedBy(contact), await alertedBy(other)], [all, all])
    await serverOf(team, { contact_ids: [contact] })
    await serverOf(team, { contact_ids: [contact, other] })
    assert.deepEqual([await alertedBy(contact), await alertedBy(other)], [all, { ...all, server: 2 }])
  })

  for (const [monitors_count, servers_count, sites_count, said] of [
    [0, 0, 0, null],
    [1, 0, 0, '1 monitor'],
    [0, 2, 0, '2 servers'],
    [3, 1, 0, '3 monitors and 1 server'],
    [1, 2, 1, '1 monitor, 2 servers and 1 site'],
  ] as const) {
    it(`of ${monitors_count} monitors, ${servers_count} servers and ${sites_count} sites are said so`, () =>
      assert.equal(sayAttachments({ monitors_count, servers_count, sites_count }), said))
  }
})

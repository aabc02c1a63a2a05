import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { CONTACTS } from '../support/services/api-bodies.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type People, peopleOf } from '../support/services/people.ts'

const HOUR_MS = 3_600_000

describe('the deletion', () => {
  let service: AskedService
  let people: People
  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  for (const [kind, name, body] of [
    ['servers', 'Web', {}],
    ['sites', 'Shop', { url: 'https://example.com/', tags: ['env:live'] }],
  ] as const) {
    it(`of ${kind} is taken back with all settings and contacts, once, by those who may, and not of another team`, async () => {
      const [{ id: team, owner, viewer }, other] = [await people.team(), await people.team()]
      const { id: contact } = await owner.data(team, 'POST', '/notification-contacts', CONTACTS.slack)
      const made = await owner.data(team, 'POST', `/${kind}`, { name, contact_ids: [contact], ...body })
      const one = `/${kind}/${made.id}`
      const restore = `/deleted-${kind}/${made.id}/restore`
      assert.equal((await owner.ask(team, 'POST', restore)).status, 404)
      await owner.data(team, 'DELETE', one)
      assert.equal((await viewer.ask(team, 'POST', restore)).status, 403)
      assert.equal((await other.owner.ask(other.id, 'POST', restore)).status, 404)
      const restored = await owner.data(team, 'POST', restore)
      assert.deepEqual(restored.settings, made.settings)
      assert.equal((await owner.data(team, 'GET', one)).name, name)
      assert.equal((await owner.ask(team, 'POST', restore)).status, 404)
    })

    it(`of ${kind} is final an hour later`, async () => {
      const { id: team, owner } = await people.team()
      const { id } = await owner.data(team, 'POST', `/${kind}`, { name, ...body })
      await owner.data(team, 'DELETE', `/${kind}/${id}`)
      const { db, databaseNow } = service.services
      await db.query
        .updateTable(kind)
        .set({ deleted_at: new Date(databaseNow().getTime() - HOUR_MS - 1) })
        .where('id', '=', id)
        .execute()
      assert.equal((await owner.ask(team, 'POST', `/deleted-${kind}/${id}/restore`)).status, 404)
    })
  }
})

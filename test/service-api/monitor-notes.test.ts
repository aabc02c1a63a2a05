import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import { type People, peopleOf } from '../support/services/people.ts'

const NOTES = { runbook_url: 'https://wiki.example.com/shop', notes: 'Call Ada.\nRestart it.' }
const NONE = { runbook_url: null, notes: null }

describe('the notes of a monitor', () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  it('are seen by members, changed by owners and admins, and logged', async () => {
    const { id, owner, admin, viewer } = await people.team()
    const other = await people.team()
    const monitor = {
      name: 'Shop',
      type: 'http',
      url: 'http://localhost/',
      check_interval_minutes: 60,
      is_active: false,
    }
    const made = await owner.data(id, 'POST', '/monitors', monitor)
    const path = `/monitors/${made.id}/notes`
    assert.deepEqual(await viewer.data(id, 'GET', path), NONE)
    assert.deepEqual(await admin.data(id, 'PUT', path, NOTES), NOTES)
    assert.deepEqual(await viewer.data(id, 'GET', path), NOTES)
    assert.equal((await viewer.ask(id, 'PUT', path, NONE)).status, 403)
    assert.equal((await other.owner.ask(other.id, 'GET', path)).status, 404)
    assert.equal((await other.owner.ask(other.id, 'PUT', path, NONE)).status, 404)
    assertInvalid(await owner.ask(id, 'PUT', path, { ...NOTES, runbook_url: 'javascript:alert(1)' }), [
      'runbook_url',
    ])
    assert.deepEqual(await owner.data(id, 'PUT', path, { notes: NOTES.notes }), {
      ...NONE,
      notes: NOTES.notes,
    })
    const shown = await owner.data(id, 'GET', `/monitors/${made.id}`)
    assert.ok(!('notes' in shown) && !('runbook_url' in shown), 'no part of the public API')
    const [newest] = await owner.data(id, 'GET', '/audit-log')
    assert.deepEqual(
      [newest.action, newest.subject, newest.fields],
      ['updateMonitorNotes', 'Shop', ['notes']],
    )
  })
})

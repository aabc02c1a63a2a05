import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

const SECRET = 'pLaNtEd-0123456789'

describe('a line of the audit log', () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  it('has values that changed, as they were and as they are, and never a secret', async () => {
    const { id, owner, admin } = await people.team()
    const newest = async () => (await owner.data(id, 'GET', '/audit-log'))[0]
    const monitor = await owner.data(id, 'POST', '/monitors', {
      ...{
        name: 'shop',
        type: 'http',
        url: `https://shop.example/?key=${SECRET}-0`,
        check_interval_minutes: 5,
      },
    })
    assert.deepEqual((await newest()).changes, [])
    await owner.data(id, 'PATCH', `/monitors/${monitor.id}`, {
      ...{
        check_interval_minutes: 15,
        password: SECRET,
        username: 'ada',
        request_headers: { 'X-Key': SECRET },
      },
      url: `https://shop.example/?key=${SECRET}`,
    })
    const line = await newest()
    assert.deepEqual(line.changes, [{ field: 'check_interval_minutes', before: '5', after: '15' }])
    assert.ok(line.fields.includes('url') && line.fields.includes('password'))
    await owner.data(id, 'POST', `/monitors/${monitor.id}/toggle`)
    assert.deepEqual((await newest()).changes, [{ field: 'is_active', before: 'true', after: 'false' }])
    await owner.data(id, 'PATCH', `/members/${admin.id}`, { role: 'viewer' })
    assert.deepEqual((await newest()).changes, [{ field: 'role', before: 'admin', after: 'viewer' }])
    assert.ok(!JSON.stringify(await owner.data(id, 'GET', '/audit-log')).includes(SECRET))
  })
})

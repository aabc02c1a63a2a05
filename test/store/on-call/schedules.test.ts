import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schedule } from '../../../src/core/on-call/schedule.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { deleteUser } from '../../../src/store/accounts/accounts.ts'
import { deleteMember } from '../../../src/store/accounts/users.ts'
import { deleteContact } from '../../../src/store/alerting/contacts.ts'
import { insertOverride } from '../../../src/store/on-call/overrides.ts'
import {
  findSchedule,
  insertSchedule,
  listSchedules,
  updateSchedule,
} from '../../../src/store/on-call/schedules.ts'
import { layer } from '../../support/on-call/schedules.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { addPerson, addTeam } from '../../support/records/teams.ts'

const BEGINNING = new Date(0)

function person(key: number, contact_ids: number[], user_id: number | null = null) {
  return { key, name: `Person ${key}`, user_id, contact_ids }
}

function schedule(participants: Schedule['participants'], changes: Partial<Schedule> = {}): Schedule {
  return { name: 'Night', time_zone: 'Europe/Berlin', participants, layers: [layer()], ...changes }
}

async function keepTeam(db: Database) {
  const teamId = await addTeam(db)
  const grace = await addPerson(db, { name: 'Grace' }, { teamId })
  const [mail = 0, phone = 0] = await addContacts(db, [{ team_id: teamId }, { team_id: teamId }])
  return { teamId, grace, mail, phone }
}

test('a schedule comes back as it was written, participants and contacts in their order', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { teamId, grace, mail, phone } = await keepTeam(db)
  const written = schedule([person(2, [phone, mail], grace), person(1, [mail])])
  const id = await insertSchedule(db.query, teamId, written)
  const { createdAt, overrides, ...found } = (await findSchedule(db.query, teamId, id)) ?? assert.fail()
  assert.deepEqual(found, { ...written, id })
  assert.deepEqual(overrides, [])

  await insertOverride(db.query, teamId, id, {
    participant: 1,
    starts_at: new Date('2027-01-05T00:00Z'),
    ends_at: new Date('2027-01-06T00:00Z'),
  })
  const changed = schedule([person(1, [phone]), person(3, [mail], grace)], { name: 'Day' })
  await updateSchedule(db.query, teamId, id, changed)
  const [listed] = await listSchedules(db.query, teamId, BEGINNING)
  assert.deepEqual({ ...listed, createdAt, overrides: [] }, { ...changed, id, createdAt, overrides: [] })
  assert.deepEqual(
    listed?.overrides.map(({ participant }) => participant),
    [1],
    'an override stays with its participant',
  )
  assert.deepEqual((await listSchedules(db.query, teamId, new Date('2027-01-06T00:00Z')))[0]?.overrides, [])

  await updateSchedule(db.query, teamId, id, schedule([person(3, [mail])]))
  assert.deepEqual((await findSchedule(db.query, teamId, id))?.overrides, [], 'and goes with it')
})

test('contacts, members and schedules of another team are left out', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { teamId, mail } = await keepTeam(db)
  const other = await addTeam(db, { name: 'Other' })
  const stranger = await addPerson(db, { name: 'Eve' }, { teamId: other })
  const [theirs = 0] = await addContacts(db, [{ team_id: other }])
  const id = await insertSchedule(db.query, teamId, schedule([person(1, [theirs, mail], stranger)]))
  assert.deepEqual((await findSchedule(db.query, teamId, id))?.participants, [person(1, [mail])])
  assert.equal(await findSchedule(db.query, other, id), null)
  assert.deepEqual(await listSchedules(db.query, other, BEGINNING), [])
})

test('a deleted contact leaves its participants, and a member who goes leaves the name', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { teamId, grace, mail, phone } = await keepTeam(db)
  const id = await insertSchedule(
    db.query,
    teamId,
    schedule([person(1, [mail], grace), person(2, [phone, mail])]),
  )
  const participants = async () => (await findSchedule(db.query, teamId, id))?.participants
  await deleteContact(db.query, teamId, mail)
  assert.deepEqual(await participants(), [person(1, [], grace), person(2, [phone])])
  await deleteMember(db.query, teamId, grace)
  assert.deepEqual(await participants(), [person(1, []), person(2, [phone])])
})

test('a deleted account leaves turns without its name', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { teamId, grace, mail } = await keepTeam(db)
  const id = await insertSchedule(db.query, teamId, schedule([person(1, [mail], grace)]))
  await deleteUser(db.query, { id: grace, email: 'grace@example.com', name: 'Grace' })
  assert.deepEqual((await findSchedule(db.query, teamId, id))?.participants, [
    { ...person(1, [mail]), name: `Deleted account ${grace}` },
  ])
})

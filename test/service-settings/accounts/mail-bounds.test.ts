import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { MAIL_BOUNDS } from '../../../src/core/accounts/mail-bounds.ts'
import { run } from '../../../src/operations/run.ts'
import { forClient } from '../../../src/operations/sign-in/throttle.ts'
import { holdWindow } from '../../support/records/rate-limit-windows.ts'
import { changeRows, countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { arrived } from '../../support/servers/smtp-receiver.ts'
import { type MailedService, startMailedService } from '../../support/services/mailed-service.ts'
import { clientOf } from '../../support/sign-in/client-of.ts'
import { until } from '../../support/until.ts'

let emails = 0
const newEmail = () => `stranger${++emails}@example.org`

describe('mail to people who have not agreed, where everybody may sign up', () => {
  const scope = suiteScope()
  let mailed: MailedService

  before(async () => {
    mailed = await startMailedService(scope, { SIGNUP: 'open' })
  })

  const sentTo = (email: string) => arrived(mailed.smtp).filter(({ to }) => to.includes(email)).length

  it('of a burst over several teams and processes goes to thirty addresses, and a quiet team is not affected', async () => {
    const { people, service, smtp } = mailed
    const first = await people.team()
    const hostile = first.owner
    const teams = [first.id]
    for (const name of ['Second', 'Third']) {
      teams.push((await hostile.send('POST', '/auth/teams', { name })).body.data.id)
    }
    const before = arrived(smtp).length
    const body = (email: string) => ({ name: email, type: 'email', config: { email } })
    // Half of them over HTTP, half by operations with counters of their own, as in another process.
    const acts = Array.from({ length: 48 }, (_, index) => {
      const teamId = teams[index % teams.length] as number
      const email = newEmail()
      if (index % 2 === 0) return hostile.ask(teamId, 'POST', '/notification-contacts', body(email))
      return run(service.services, 'createContact', {
        actor: { userId: hostile.id, teamId, role: 'owner', plan: 'free', door: 'api' },
        params: {},
        query: {},
        readBody: async () => body(email),
      })
    })
    const statuses = (await Promise.all(acts)).map(({ status }) => status)
    const most = MAIL_BOUNDS['inviting-person'].most.open
    assert.deepEqual(
      [statuses.filter((status) => status === 201).length, new Set(statuses)],
      [most, new Set([201, 429])],
    )
    assert.equal(
      (await countRows(service.services.db, 'agreements', { team_id: teams[0] as number })) > 0,
      true,
    )
    await until('all of them', () => arrived(smtp).length === before + most)

    const quiet = await people.team()
    const email = newEmail()
    assert.equal((await quiet.owner.ask(quiet.id, 'POST', '/notification-contacts', body(email))).status, 201)
    await until('the letter of the quiet team', () => sentTo(email) === 1)
    assert.equal(arrived(smtp).length, before + most + 1)

    // Another member of the hostile team acts for themselves, and what agreed before is alerted as ever.
    assert.equal(
      (await first.admin.ask(first.id, 'POST', '/notification-contacts', body(newEmail()))).status,
      201,
    )
    const known = hostile.email
    await changeRows(service.services.db, 'users', { id: hostile.id }, { email_verified_at: new Date() })
    const contact = await hostile.data(first.id, 'POST', '/notification-contacts', body(known))
    await hostile.data(first.id, 'POST', `/notification-contacts/${contact.id}/test`)
    await until('the alert', () => sentTo(known) > 0)
  })
})

describe('mail to people who have not agreed, by many accounts behind one network', () => {
  it('goes to as many addresses as that network may ask, and to more from another one', async (context) => {
    const { people, service } = await startMailedService(context, { SIGNUP: 'open' })
    const accounts = await Promise.all([people.team(), people.team(), people.team()])
    const [first] = accounts
    const add = async (index: number, client: string) => {
      const { id, owner } = accounts[index] as typeof first
      const email = newEmail()
      const contact = { name: email, type: 'email', config: { email } }
      return (
        await forClient(
          () => clientOf(client),
          () =>
            run(service.services, 'createContact', {
              actor: { userId: owner.id, teamId: id, role: 'owner', plan: 'free', door: 'api' },
              params: {},
              query: {},
              readBody: async () => contact,
            }),
        )
      ).status
    }
    const network = '2001:db8:5:0::/64'
    assert.equal(await add(0, network), 201)
    await holdWindow(service, `inviting-client:${network}`, MAIL_BOUNDS['inviting-client'].most.open - 1)
    assert.equal(await add(1, network), 201)
    assert.equal(await add(2, network), 429)
    assert.equal(await add(2, '203.0.113.77'), 201)
    await holdWindow(service, `inviting-client-day:${network}`, MAIL_BOUNDS['inviting-client-day'].most.open)
    await holdWindow(service, `inviting-client:${network}`, 0)
    assert.equal(await add(0, network), 429)
    // A command of the operator is asked by no network.
    for (let count = 0; count < 3; count++) assert.equal(await add(1, ''), 201)
  })
})

describe('mail to people who have not agreed, where only operators make teams', () => {
  it('has wider bounds, and contacts are not asked', async (context) => {
    const { people, service } = await startMailedService(context)
    const { id, owner } = await people.team()
    const { open, closed } = MAIL_BOUNDS['inviting-team'].most
    const add = async (email: string) => {
      const contact = { name: email, type: 'email', config: { email } }
      return (await owner.ask(id, 'POST', '/notification-contacts', contact)).status
    }
    const invite = async (email: string) =>
      (await owner.ask(id, 'POST', '/invitations', { email, role: 'viewer' })).status
    assert.equal(await add(newEmail()), 201)
    assert.equal(await countRows(service.services.db, 'agreements'), 0)
    assert.equal(await invite(newEmail()), 201)
    const use = (used: number) => holdWindow(service, `inviting-team:${id}`, used)
    await use(open)
    assert.equal(await invite(newEmail()), 201)
    await use(closed)
    assert.equal(await invite(newEmail()), 429)
    assert.equal(await add(newEmail()), 201)
  })
})

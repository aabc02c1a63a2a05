import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { contract, type OperationId } from '../../../src/contract/contract.ts'
import { type Access, mayUse } from '../../../src/core/teams/access.ts'
import { type Case, casesOf } from '../../support/access/cases.ts'
import { contentOfTables } from '../../support/access/table-content.ts'
import { type Make, recordsOf } from '../../support/access/team-records.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, type Person, peopleOf } from '../../support/services/people.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { openBrowser } from '../../support/sign-in/cookie-browser.ts'

const WITH_ID = ({ operation }: Case) => operation.path.includes('{')
const CHANGES = ({ operation }: Case) => operation.method !== 'GET'
const ELSEWHERE = { origin: 'https://elsewhere.example' }

/** Answers to bodies with records of another team that are not refused: the records are as if they were not there. */
const WITHOUT_THEM: Partial<Record<OperationId, (data: unknown) => void>> = {
  changeTags: (data) => assert.deepEqual(data, { changed: 0 }),
  previewStatusPage: (data) => assert.doesNotMatch(JSON.stringify(data), /Cart/),
  // Shows how many contacts a participant has, by what was sent.
  previewSchedule: () => {},
}

describe('every operation, with a body that it takes', () => {
  let service: AskedService
  let people: People
  let ours: Make
  let theirs: Make
  let visitor: Person
  let token: string
  let content: Map<string, string>
  let cases: Case[]

  before(async () => {
    // Nothing changes anything but what is asked for, and no mail is sent.
    service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9' })
    people = peopleOf(service)
    ours = recordsOf(service, people, await people.team())
    theirs = recordsOf(service, people, await people.team())
    visitor = people.stranger()
    token = await service.createToken(ours.team.id, 'owner')
    cases = await casesOf(ours, theirs)
    await Promise.all([ours, theirs].flatMap(({ team }) => [team.admin.signIn(), team.viewer.signIn()]))
    // The first use of a session a minute after the last is on record: none of them comes so late, however slow this is.
    await service.services.db.pool.query(`UPDATE sessions SET last_used_at = now() + interval '1 day'`)
    content = await contentOfTables(service.services.db)
  })
  after(() => service.close())

  it('is refused to whoever has not signed in', () =>
    assertRefused(cases, 401, ({ operation, path, body }) =>
      visitor.ask(ours.team.id, operation.method, path, body),
    ))

  it('is refused to who is of another team, as if our team were not there', () =>
    assertRefused(cases, 404, ({ operation, path, body }) =>
      theirs.team.owner.ask(ours.team.id, operation.method, path, body),
    ))

  it('finds no record of ours in another team', () =>
    assertRefused(cases.filter(WITH_ID), 404, ({ operation, path, body }) =>
      theirs.team.owner.ask(theirs.team.id, operation.method, path, body),
    ))

  it('is refused to each role that may not use it', async () => {
    for (const role of ['viewer', 'admin'] as const) {
      const barred = cases.filter(({ operation }) => !mayUse(role, operation.access))
      assert.ok(barred.length > 5, role)
      await assertRefused(barred, 403, ({ operation, path, body }) =>
        ours.team[role].ask(ours.team.id, operation.method, path, body),
      )
    }
  })

  it('changes nothing for a page of another origin that a browser sends it from', async () => {
    const browser = openBrowser(service.url)
    const headers = { ...ELSEWHERE, cookie: ours.team.owner.cookie() }
    await assertRefused(cases.filter(CHANGES), 403, ({ operation, path, body }) =>
      browser.send(operation.method, `/app/teams/${ours.team.id}${path}`, body, headers),
    )
  })

  it('is refused to an API token unless it is public', async () => {
    const internal = cases.filter(({ id }) => !(id in contract))
    for (const { id, operation, path, body } of internal) {
      const { status } = await service.call(token, operation.method, path, body)
      // The path may be that of a public operation with another method.
      assert.ok(status === 404 || status === 405, `${id}: ${status}`)
    }
    await assertRefused(internal, 401, ({ operation, path, body }) =>
      openBrowser(service.url).send(operation.method, `/app/teams/${ours.team.id}${path}`, body, {
        authorization: `Bearer ${token}`,
      }),
    )
  })

  it('takes no record of another team in its body', async () => {
    const naming = cases.filter(({ stolen }) => stolen !== undefined)
    assert.ok(naming.length > 20)
    for (const { id, operation, path, stolen } of naming) {
      const { status, body } = await ours.team.owner.ask(ours.team.id, operation.method, path, stolen)
      const judge = WITHOUT_THEM[id]
      if (judge) judge(body.data)
      else assert.ok(status === 404 || status === 422, `${id}: ${status} ${JSON.stringify(body)}`)
    }
    const known = naming.map(({ id }) => id)
    for (const id of Object.keys(WITHOUT_THEM)) assert.ok(known.includes(id as OperationId), id)
  })

  it('has changed nothing by all that', async () => {
    const now = await contentOfTables(service.services.db)
    const changed = [...now].filter(([table, text]) => content.get(table) !== text).map(([table]) => table)
    // A change of tags that found none of the records is on record as a change.
    assert.deepEqual(changed, ['audit_entries'])
  })

  it('is done for the least role that may use it', async () => {
    for (const { id, operation, path, body } of cases) {
      const { access, method, status, output } = operation
      const answer = await (await doerOf(id, access)).ask(ours.team.id, method, path, body)
      assert.equal(answer.status, status, `${id}: ${JSON.stringify(answer.body)}`)
      if (output) assert.deepEqual(output.parse(answer.body), answer.body, id)
    }
  })

  async function doerOf(id: OperationId, access: Access): Promise<Person> {
    // It ends a membership, or a token of one's own.
    if (id === 'leaveTeam') return people.member(ours.team.id, 'viewer')
    if (id === 'revokeApiToken' || id === 'rotateApiToken') return ours.team.owner
    return ours.team[(['viewer', 'admin', 'owner'] as const).find((role) => mayUse(role, access)) ?? 'owner']
  }

  async function assertRefused(
    refused: Case[],
    status: number,
    send: (one: Case) => ReturnType<Person['send']>,
  ): Promise<void> {
    assert.ok(refused.length > 0)
    for (const one of refused) {
      const answer = await send(one)
      assert.equal(answer.status, status, `${one.id}: ${JSON.stringify(answer.body)}`)
    }
  }
})

// npm test leaves this out: it needs a service with a mail server of its own, and waits for its mails (seconds).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { queueEditions } from '../../../../src/engine/reports/queue-editions.ts'
import { ago, changeRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import {
  arrived,
  type Mail,
  type SmtpReceiver,
  startSmtpReceiver,
} from '../../../support/servers/smtp-receiver.ts'
import { MONITORS } from '../../../support/services/api-bodies.ts'
import { assertInvalid } from '../../../support/services/api-problems.ts'
import { ask } from '../../../support/services/http.ts'
import { type Person, peopleOf, type Team } from '../../../support/services/people.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'
import { until } from '../../../support/until.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const REPORT = { name: 'For <customers>', time_zone: 'Europe/Berlin' }

describe('reports that are mailed each month', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: ServiceHere
  let team: Team
  let owner: Person

  before(async () => {
    smtp = await startSmtpReceiver(scope)
    service = await startServiceHere({
      ROLES: 'api,alerts',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      PRIVATE_TARGETS: 'allow',
      TRUST_PROXY: '1',
    })
    team = await peopleOf(service).team()
    owner = team.owner
    await owner.data(team.id, 'POST', '/monitors', { ...MONITORS.http, name: '=SUM(A1)' })
  })
  after(() => service.close())

  const save = (body: object = {}) => owner.data(team.id, 'POST', '/reports', { ...REPORT, ...body })
  const add = (report: number, email: string) =>
    owner.ask(team.id, 'POST', `/reports/${report}/recipients`, { email })
  const recipientsOf = (report: number, person = owner) =>
    person.data(team.id, 'GET', `/reports/${report}/recipients`)
  const statesOf = async (report: number) =>
    (await recipientsOf(report)).map(({ state }: { state: string }) => state)
  const mailsTo = (email: string): Mail[] => arrived(smtp).filter(({ to }) => to.includes(email))
  async function mailed(email: string, count: number): Promise<Mail> {
    await until(`${count} mails to ${email}`, () => mailsTo(email).length >= count)
    return mailsTo(email)[count - 1] as Mail
  }
  const linkIn = ({ text }: Mail) => /http\S+\/report-mails\/\S+/.exec(text)?.[0] ?? ''
  const post = (link: string, fields: Record<string, string>) =>
    ask(link, { method: 'POST', headers: FORM, body: new URLSearchParams(fields).toString() })
  /** As scanners of mail do. */
  async function scan(link: string) {
    for (const method of ['GET', 'HEAD']) assert.equal((await ask(link, { method })).status, 200)
  }
  /** The morning of the first comes. */
  async function pass(report: number) {
    const { db } = service.services
    await changeRows(db, 'reports', { id: report }, { next_mail_at: ago(60_000) })
    await queueEditions(db, new Date(), (error) => assert.fail(String(error)))
  }

  it('go to addresses that confirmed by a button, and end by one click, while scanners change nothing', async () => {
    const { id } = await save()
    const email = 'customer@example.com'
    assert.equal((await add(id, email)).status, 201)
    const letter = await mailed(email, 1)
    assert.match(letter.headers.get('subject') ?? '', /monthly report/)
    assert.ok(letter.text.includes('“For customers”'), letter.text)
    const link = linkIn(letter)
    await scan(link)
    assert.deepEqual(await statesOf(id), ['unconfirmed'])
    await pass(id)
    assert.equal((await post(link, {})).status, 400)
    assert.match((await post(link, { action: 'confirm' })).text, /You will get the report/)
    assert.deepEqual(await statesOf(id), ['confirmed'])
    assertInvalid(await add(id, 'Customer@example.com'), ['email'])

    await service.services.db.pool.query('DELETE FROM report_editions')
    await pass(id)
    const mail = await mailed(email, 2)
    const { headers, text, html, files } = mail
    assert.match(headers.get('subject') ?? '', /^\[Team .*\] For <customers> – \w+ \d{4}$/)
    assert.equal(headers.get('list-unsubscribe'), `<${link}>`)
    assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    for (const part of ['Uptime: –', 'Incidents: 0', 'days in Europe/Berlin', '=SUM(A1)', link]) {
      assert.ok(text.includes(part), `${part} in ${text}`)
    }
    assert.ok(html.includes('For &lt;customers&gt;') && !html.includes('<customers>'))
    const [[name, csv] = ['', '']] = files
    assert.match(name, /^report-\d{4}-\d\d\.csv$/)
    assert.match(csv, /,monitor,\d+,"'=SUM\(A1\)",/)
    await scan(link)
    await pass(id)
    assert.deepEqual(await statesOf(id), ['confirmed'])

    assert.match((await post(link, { 'List-Unsubscribe': 'One-Click' })).text, /no longer get this report/)
    assert.deepEqual(await statesOf(id), [])
    assert.equal((await ask(link)).status, 404)
    assert.equal((await post(link, { action: 'confirm' })).status, 404)
    assert.equal(mailsTo(email).length, 2, 'a month is mailed once')
  })

  it('go to a member with a confirmed address at once, and only members who may write see addresses', async () => {
    const { id } = await save({ name: 'Ours' })
    await changeRows(service.services.db, 'users', { id: team.admin.id }, { email_verified_at: new Date() })
    await add(id, team.admin.email)
    await add(id, 'waiting@example.com')
    assert.deepEqual(await statesOf(id), ['confirmed', 'unconfirmed'])
    assert.deepEqual(
      (await recipientsOf(id, team.viewer)).map(({ address }: { address: string | null }) => address),
      [null, null],
    )
    const [first] = await recipientsOf(id)
    assert.equal(first.address, team.admin.email)
    assert.equal((await team.viewer.ask(team.id, 'DELETE', `/report-recipients/${first.id}`)).status, 403)
    assert.equal((await owner.ask(team.id, 'DELETE', `/report-recipients/${first.id}`)).status, 204)
    const [saved] = (await owner.data(team.id, 'GET', '/reports')).filter(
      ({ name }: { name: string }) => name === 'Ours',
    )
    assert.deepEqual([saved.recipients_count, saved.confirmed_count], [1, 0])
  })

  it('are refused with the field that does not fit, and not shown to other teams', async () => {
    const other = await peopleOf(service).team()
    const foreign = await other.owner.data(other.id, 'POST', '/monitors', MONITORS.http)
    const wrong: [body: object, field: string][] = [
      [{ ...REPORT, name: '' }, 'name'],
      [{ ...REPORT, time_zone: '+02:00' }, 'time_zone'],
      [{ ...REPORT, all_subjects: false }, 'monitor_ids'],
      [{ ...REPORT, all_subjects: false, monitor_ids: [foreign.id] }, 'monitor_ids'],
      [
        { ...REPORT, all_subjects: false, site_ids: Array.from({ length: 201 }, (_, id) => id + 1) },
        'site_ids',
      ],
      [{ ...REPORT, all_subjects: false, tags: ['no tag'] }, 'tags.0'],
      [{ ...REPORT, all_subjects: false, tags: ['env:prod'], site_ids: [1] }, 'site_ids'],
    ]
    for (const [body, field] of wrong)
      assertInvalid(await owner.ask(team.id, 'POST', '/reports', body), [field])
    const { id } = await save({ name: 'Patched' })
    const patched = await owner.data(team.id, 'PATCH', `/reports/${id}`, {
      name: 'Renamed',
      time_zone: 'asia/tokyo',
    })
    assert.deepEqual([patched.name, patched.time_zone, patched.all_subjects], ['Renamed', 'Asia/Tokyo', true])
    assert.match(patched.next_mail_at, /T21:00:00/)
    assertInvalid(await add(id, 'nobody'), ['email'])
    for (const [method, path] of [
      ['PATCH', `/reports/${id}`],
      ['DELETE', `/reports/${id}`],
      ['GET', `/reports/${id}/recipients`],
    ] as const) {
      assert.equal((await other.owner.ask(other.id, method, path, {})).status, 404, path)
    }
    assert.equal((await team.viewer.ask(team.id, 'POST', '/reports', REPORT)).status, 403)
    assert.equal((await owner.ask(team.id, 'DELETE', `/reports/${id}`)).status, 204)
  })
})

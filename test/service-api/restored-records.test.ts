import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { KEPT_KINDS, type KeptKind } from '../../src/core/history/kept-record.ts'
import type { Database } from '../../src/postgres/database.ts'
import { KEPT, removeSomeKept } from '../../src/store/deleted-records.ts'
import { layer } from '../support/on-call/schedules.ts'
import { addDeliveries } from '../support/records/alerting.ts'
import { addRow, changeRows } from '../support/records/rows.ts'
import { addSubscriber } from '../support/records/status-pages.ts'
import { CONTACTS } from '../support/services/api-bodies.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type People, type Person, peopleOf, type Team } from '../support/services/people.ts'

const HOUR_MS = 3_600_000

/** Tables whose rows go with a record and do not come back, with the reason. */
const GONE: Record<string, string> = {
  status_notices: 'messages to subscribers: what is taken back is not sent again',
  report_mails: 'mails of a report: the same',
  team_incidents: 'drills of a policy, which are over',
}

/** Columns that count changes. */
const COUNTED = new Set(['revision', 'updated_at'])

type Reference = { child: string; own: string[]; theirs: string[]; deletes: 'c' | 'n' }

async function referencesTo({ pool }: Database, table: string): Promise<Reference[]> {
  const { rows } = await pool.query<Reference>(
    `SELECT c.conrelid::regclass::text AS child, c.confdeltype AS deletes,
       ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k (n, i)
         JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n ORDER BY i) AS own,
       ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY k (n, i)
         JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.n ORDER BY i) AS theirs
     FROM pg_constraint c
     WHERE c.contype = 'f' AND c.confrelid = $1::regclass AND c.conparentid = 0 AND c.confdeltype IN ('c', 'n')
     ORDER BY child`,
    [table],
  )
  return rows
}

type Followed = Map<string, { condition: string; deletes: 'c' | 'n' }[]>

/** The tables whose rows a deletion reaches, by the references of the database, with conditions that find the rows. */
async function reached(db: Database, table: string, condition: string, found: Followed = new Map()) {
  for (const { child, own, theirs, deletes } of await referencesTo(db, table)) {
    if (child in GONE) continue
    const inner = `(${own.join(', ')}) IN (SELECT ${theirs.join(', ')} FROM ${table} WHERE ${condition})`
    found.set(child, [...(found.get(child) ?? []), { condition: inner, deletes }])
    if (deletes === 'c') await reached(db, child, inner, found)
  }
  return found
}

/** All rows of a record, as text. */
async function rowsOf(db: Database, table: string, id: number): Promise<string[]> {
  const own = `id = ${id}`
  const parts = [[table, own] as const]
  for (const [child, all] of await reached(db, table, own))
    parts.push([child, all.map(({ condition }) => `(${condition})`).join(' OR ')])
  const found: string[] = []
  for (const [name, condition] of parts) {
    const { rows } = await db.pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM ${name} t WHERE ${condition}`,
    )
    for (const { row } of rows) {
      const kept = Object.entries(row).filter(([column]) => !COUNTED.has(column))
      found.push(`${name} ${JSON.stringify(Object.fromEntries(kept))}`)
    }
  }
  return found.sort()
}

describe('the deletion of a record', () => {
  let service: AskedService
  let db: Database
  let people: People
  before(async () => {
    service = await apiService()
    db = service.services.db
    people = peopleOf(service)
  })

  /** A team of whose every kind of record there is one, with all that it may have. */
  async function furnished() {
    const team = await people.team()
    const make = (path: string, body: object, method = 'POST') => team.owner.data(team.id, method, path, body)
    const contact = (await make('/notification-contacts', CONTACTS.slack)).id
    const server = (await make('/servers', { name: 'Web', contact_ids: [contact] })).id
    const participants = [{ key: 1, name: 'Night watch', contact_ids: [contact] }]
    const layers = [layer({ rotation: [1], starts_on: '2026-01-05' })]
    const schedule = (await make('/schedules', { name: 'Nights', time_zone: 'UTC', participants, layers })).id
    const span = { starts_at: new Date(), ends_at: new Date(Date.now() + HOUR_MS) }
    const shown = await make(`/schedules/${schedule}/overrides`, { participant: 1, ...span })
    const override = shown.overrides[0].id
    await make(`/schedules/${schedule}/calendar`, {})
    const steps = [{ after_minutes: 5, contact_ids: [contact], schedule_id: null }]
    const policy = (await make('/escalation-policies', { name: 'Web', steps })).id
    await make(`/servers/${server}/escalation-policy`, { policy_id: policy }, 'PUT')
    const words = { phase: 'investigating', body: 'We are looking.' }
    const template = (await make('/status-templates', { name: 'Outage', title: '{component}', ...words })).id
    const slug = `restored-${team.id}`
    const page = (await make('/status-pages', { name: 'Shop', slug, template_id: template })).id
    const component = { monitor_id: null, server_id: server, name: 'Web' }
    const items = [{ group: { name: 'Hosts', components: [component] } }]
    await make(`/status-pages/${page}/layout`, { items }, 'PUT')
    await make(`/status-pages/${page}/domains`, { domain: `status-${team.id}.example.com` })
    await make(`/status-pages/${page}/feed-token`, {})
    const post = (
      await make(`/status-pages/${page}/posts`, { kind: 'incident', title: 'Late', update: words })
    ).id
    const later = { phase: 'identified', body: 'A disk is full.' }
    const { updates } = await make(`/status-posts/${post}/updates`, later)
    const update = updates.find(({ phase }: { phase: string }) => phase === 'identified').id
    await addSubscriber(db, service.services.vault, { teamId: team.id, pageId: page })
    const report = (await make('/reports', { name: 'Month', time_zone: 'UTC', all_subjects: true })).id
    await addRow(db, 'report_editions', { report_id: report, month: '2026-10', content: '{}' })
    const switched = { kind: 'switch', name: 'Deploys', server_ids: [server] }
    const window = (await make('/maintenance-windows', switched)).id
    await make(`/maintenance-windows/${window}/start`, { minutes: 30 })
    await addDeliveries(db, [{ team_id: team.id, contact_id: contact, state: 'sent', attempts: 1 }])
    const paths: Record<KeptKind, [path: string, id: number]> = {
      Contact: [`/notification-contacts/${contact}`, contact],
      EscalationPolicy: [`/escalation-policies/${policy}`, policy],
      MaintenanceWindow: [`/maintenance-windows/${window}`, window],
      Report: [`/reports/${report}`, report],
      Schedule: [`/schedules/${schedule}`, schedule],
      ScheduleOverride: [`/schedule-overrides/${override}`, override],
      StatusPage: [`/status-pages/${page}`, page],
      StatusPost: [`/status-posts/${post}`, post],
      StatusTemplate: [`/status-templates/${template}`, template],
      StatusUpdate: [`/status-updates/${update}`, update],
    }
    return { team, paths }
  }

  const restore = ({ id: team }: Team, person: Person, kind: KeptKind, id: number) =>
    person.ask(team, 'POST', '/deleted-records/restore', { kind, id })

  for (const kind of KEPT_KINDS) {
    const { table, parts, links } = KEPT[kind]

    it(`of ${table} keeps the rows of every table that goes with it`, async () => {
      const followed = await reached(db, table, 'true')
      const [gone, emptied] = (['c', 'n'] as const).map((deletes) =>
        [...followed].filter(([, all]) => all.some((one) => one.deletes === deletes)).map(([child]) => child),
      )
      // A window stays, with what it covers.
      if (KEPT[kind].isMarked) return assert.deepEqual(parts.length, 1)
      assert.deepEqual(parts.map((part) => part.table).sort(), gone?.sort())
      const kept = new Set<string>([...links, ...parts].map((one) => one.table))
      assert.deepEqual(
        emptied?.filter((child) => !kept.has(child)),
        [],
      )
    })

    it(`of ${table} is taken back as it was, once, by those who may, and not of another team`, async () => {
      const [{ team, paths }, other] = [await furnished(), await people.team()]
      const [path, id] = paths[kind]
      const { owner, viewer } = team
      const was = await rowsOf(db, table, id)
      assert.ok(was.length > 0)
      const hasPage = !path.startsWith('/schedule-overrides') && !path.startsWith('/status-updates')
      const shown = hasPage ? await owner.ask(team.id, 'GET', path) : null
      assert.equal((await restore(team, owner, kind, id)).status, 404)
      assert.ok((await owner.ask(team.id, 'DELETE', path)).status < 300)
      assert.notDeepEqual(await rowsOf(db, table, id), was)
      assert.equal((await restore(team, viewer, kind, id)).status, 403)
      assert.equal((await restore(other, other.owner, kind, id)).status, 404)
      const { status, body } = await restore(team, owner, kind, id)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(await rowsOf(db, table, id), was)
      if (shown) {
        const again = await owner.ask(team.id, 'GET', path)
        assert.equal(again.status, shown.status)
        assert.equal(again.body?.data?.name, shown.body?.data?.name)
      }
      assert.equal((await restore(team, owner, kind, id)).status, 404)
      const [line] = await owner.data(team.id, 'GET', '/audit-log')
      assert.deepEqual([line.action, line.subject_id], ['restoreRecord', id])
    })
  }

  it('of an update of a post gives the post back the phase and the title in the log', async () => {
    const { team, paths } = await furnished()
    const [[post], [path, id]] = [paths.StatusPost, paths.StatusUpdate]
    const phase = async () => (await team.owner.data(team.id, 'GET', post)).phase
    assert.equal(await phase(), 'identified')
    await team.owner.data(team.id, 'DELETE', path)
    assert.equal(await phase(), 'investigating')
    const { body } = await restore(team, team.owner, 'StatusUpdate', id)
    assert.deepEqual(body.data, { kind: 'StatusUpdate', id, name: 'Late' })
    assert.equal(await phase(), 'identified')
    await team.owner.data(team.id, 'DELETE', path)
    await team.owner.data(team.id, 'DELETE', post)
    assert.equal((await restore(team, team.owner, 'StatusUpdate', id)).status, 409, 'its post is gone')
  })

  it('is final an hour later, and nothing of it is kept', async () => {
    const { team, paths } = await furnished()
    const [path, id] = paths.Report
    await team.owner.data(team.id, 'DELETE', path)
    const before = new Date(service.services.databaseNow().getTime() - HOUR_MS - 1_000)
    await changeRows(db, 'deleted_records', { team_id: team.id }, { deleted_at: before })
    assert.equal((await restore(team, team.owner, 'Report', id)).status, 404)
    await removeSomeKept(db, new Date(before.getTime() + 1))
    const { rows } = await db.pool.query('SELECT FROM deleted_records WHERE team_id = $1', [team.id])
    assert.equal(rows.length, 0)
  })

  it('is final once something else has its address, and then says so', async () => {
    const { team, paths } = await furnished()
    const [path, id] = paths.StatusPage
    const { slug } = await team.owner.data(team.id, 'GET', path)
    await team.owner.data(team.id, 'DELETE', path)
    const { id: taker } = await team.owner.data(team.id, 'POST', '/status-pages', { name: 'New', slug })
    const refused = await restore(team, team.owner, 'StatusPage', id)
    assert.equal(refused.status, 409)
    assert.match(refused.body.detail, /its address, or something that it belonged to/)
    await team.owner.data(team.id, 'DELETE', `/status-pages/${taker}`)
    assert.equal((await restore(team, team.owner, 'StatusPage', id)).status, 200)
  })

  it('leaves out what else has gone meanwhile', async () => {
    const { team, paths } = await furnished()
    const [contact, schedule] = [paths.Contact, paths.Schedule]
    await team.owner.data(team.id, 'DELETE', paths.EscalationPolicy[0])
    await team.owner.data(team.id, 'DELETE', contact[0])
    await team.owner.data(team.id, 'DELETE', schedule[0])
    assert.equal((await restore(team, team.owner, 'Contact', contact[1])).status, 200)
    assert.equal((await restore(team, team.owner, 'Schedule', schedule[1])).status, 200)
    const { participants } = await team.owner.data(team.id, 'GET', schedule[0])
    assert.deepEqual(participants[0].contact_ids, [], 'it had no contacts any more when it was deleted')
  })

  it('is final where the account of a member goes', async () => {
    const { team, paths } = await furnished()
    const [path, id] = paths.Contact
    await team.owner.data(team.id, 'DELETE', path)
    const { status } = await team.admin.send('POST', '/auth/account/delete', {
      ...{ password: 'a long password', code: null },
    })
    assert.ok(status < 300, String(status))
    assert.equal((await restore(team, team.owner, 'Contact', id)).status, 404)
  })
})

// npm test leaves this out: it writes posts of every kind, and reads the pages that show them (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  ShownTemplate,
  StatusPostDetail,
  StatusPostRow,
  SubscriberRow,
} from '../../../../../src/core/status-pages/shown-post.ts'
import { insertSubscriber } from '../../../../../src/store/status-pages/subscribers.ts'
import { changeRows } from '../../../../support/records/rows.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../../../support/services/people.ts'

const NEVER = 2_147_483_647

describe('posts of status pages', () => {
  let service: AskedService
  let people: People
  let slugs = 0

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  /** A published page with two components that are set by hand. */
  async function pageOf({ id, owner }: Team): Promise<{ path: string; id: number; ids: number[] }> {
    const page = await owner.data(id, 'POST', '/status-pages', { name: 'Shop', slug: `posts-${++slugs}` })
    const path = `/status-pages/${page.id}`
    const items = ['Cart', 'Mail'].map((name) => ({ component: { id: null, monitor_id: null, name } }))
    const { layout } = await owner.data(id, 'PUT', `${path}/layout`, { items })
    await owner.data(id, 'POST', `${path}/publish`)
    return {
      path,
      id: page.id,
      ids: layout.items.map((item: { component: { id: number } }) => item.component.id),
    }
  }

  const incident = (changes: object = {}, update: object = {}) => ({
    kind: 'incident',
    title: 'Cart is slow',
    update: { phase: 'investigating', body: 'We *look*.', ...update },
    ...changes,
  })
  const write = async ({ id, owner }: Team, method: string, path: string, body?: object) =>
    StatusPostDetail.parse(await owner.data(id, method, path, body))
  const revisionOf = async (pageId: number): Promise<number> => {
    const row = await service.services.db.query
      .selectFrom('status_pages')
      .select('revision')
      .where('id', '=', pageId)
      .executeTakeFirstOrThrow()
    return row.revision
  }

  it('are drafts until they are published, and each change raises the revision of the page', async () => {
    const team = await people.team()
    const { path, id, ids } = await pageOf(team)
    let revision = await revisionOf(id)
    const raised = async () => {
      const before = revision
      revision = await revisionOf(id)
      return revision > before
    }
    const impacts = [{ component_id: ids[0], state: 'degraded' }]
    const draft = await write(team, 'POST', `${path}/posts`, incident({ is_draft: true }, { impacts }))
    assert.deepEqual([draft.is_draft, draft.published_at, draft.impact], [true, null, 'degraded'])
    assert.deepEqual(draft.updates[0]?.impacts, impacts)
    assert.ok(await raised())
    const post = `/status-posts/${draft.id}`
    const published = await write(team, 'POST', `${post}/publish`, {})
    assert.equal(published.is_draft, false)
    assert.ok(await raised())
    const again = await write(team, 'POST', `${post}/publish`, {})
    assert.equal(again.published_at, published.published_at)
    assert.equal((await write(team, 'PATCH', post, { title: 'Cart' })).title, 'Cart')
    const resolved = await write(team, 'POST', `${post}/updates`, { phase: 'resolved', body: 'Done.' })
    assert.deepEqual([resolved.phase, resolved.updates.length], ['resolved', 2])
    assert.equal(resolved.resolved_at, resolved.updates[0]?.at)
    const last = `/status-updates/${resolved.updates[0]?.id}`
    const edited = await write(team, 'PATCH', last, { body: 'All done.' })
    assert.equal(edited.updates[0]?.body, 'All done.')
    assert.notEqual(edited.updates[0]?.edited_at, null)
    const open = await write(team, 'DELETE', last)
    assert.deepEqual([open.phase, open.resolved_at, open.updates.length], ['investigating', null, 1])
    await raised()
    const only = await team.owner.ask(team.id, 'DELETE', `/status-updates/${open.updates[0]?.id}`)
    assertInvalid(only, ['update'])
    assert.ok(!(await raised()), 'nothing changed')
    assert.equal((await team.owner.ask(team.id, 'DELETE', post)).status, 204)
    assert.ok(await raised())
    assertProblem(await team.owner.ask(team.id, 'GET', post), 404)
  })

  it('stand in the order of the times that they are dated back to', async () => {
    const team = await people.team()
    const { path } = await pageOf(team)
    const update = { phase: 'resolved', at: '2026-01-02T11:00:00+01:00', notifies: false }
    const made = await write(team, 'POST', `${path}/posts`, incident({}, update))
    assert.equal(made.started_at, '2026-01-02T10:00:00.000000Z')
    const earlier = { phase: 'identified', body: 'Found.', at: '2026-01-02T09:00:00Z' }
    const dated = await write(team, 'POST', `/status-posts/${made.id}/updates`, earlier)
    assert.deepEqual(
      dated.updates.map(({ phase }) => phase),
      ['resolved', 'identified'],
    )
    assert.deepEqual(
      [dated.phase, dated.started_at, dated.resolved_at],
      ['resolved', '2026-01-02T09:00:00.000000Z', '2026-01-02T10:00:00.000000Z'],
    )
    const moved = { at: '2026-01-02T08:00:00Z' }
    const swapped = await write(team, 'PATCH', `/status-updates/${made.updates[0]?.id}`, moved)
    assert.deepEqual([swapped.phase, swapped.resolved_at], ['identified', null])
  })

  it('are listed by their state, newest first, in pages', async () => {
    const team = await people.team()
    const { path } = await pageOf(team)
    const resolved = { phase: 'resolved', at: '2026-01-02T10:00:00Z' }
    await write(team, 'POST', `${path}/posts`, incident({ title: 'old' }, resolved))
    await write(team, 'POST', `${path}/posts`, incident({ title: 'now' }))
    await write(team, 'POST', `${path}/posts`, incident({ title: 'draft', is_draft: true }))
    const titles = async (query: string) => {
      const { body } = await team.viewer.ask(team.id, 'GET', `${path}/posts${query}`)
      return body.data.map((row: unknown) => StatusPostRow.parse(row).title)
    }
    assert.deepEqual(await titles(''), ['draft', 'now', 'old'])
    assert.deepEqual(await titles('?state=draft'), ['draft'])
    assert.deepEqual(await titles('?state=active'), ['now'])
    assert.deepEqual(await titles('?state=over'), ['old'])
    assert.deepEqual(await titles('?per_page=1&page=3'), ['old'])
  })

  it('about maintenance are drafted from an occurrence of a window', async () => {
    const team = await people.team()
    const { path } = await pageOf(team)
    const [from, until] = ['2031-03-01T01:00:00.000000Z', '2031-03-01T03:00:00.000000Z']
    const window = await team.owner.data(team.id, 'POST', '/maintenance-windows', {
      name: 'New disks',
      note: 'Nothing is lost.',
      kind: 'one_off',
      all_subjects: true,
      starts_at: from,
      ends_at: until,
    })
    const asked = { window_id: window.id, starts_at: from }
    const post = await write(team, 'POST', `${path}/posts/from-window`, asked)
    assert.deepEqual(
      [post.kind, post.title, post.scheduled_for, post.scheduled_until, post.is_draft],
      ['maintenance', 'New disks', from, until, true],
    )
    assert.deepEqual([post.updates[0]?.phase, post.updates[0]?.body], ['scheduled', 'Nothing is lost.'])
    assert.deepEqual([post.window, post.follows_window], [{ id: window.id, name: 'New disks' }, true])
    assert.equal((await write(team, 'POST', `${path}/posts/from-window`, asked)).id, post.id, 'twice is once')
    const renamed = { title: 'New disks!', scheduled_for: from, scheduled_until: until }
    assert.equal((await write(team, 'PATCH', `/status-posts/${post.id}`, renamed)).follows_window, true)
    const later = { scheduled_until: '2031-03-01T04:00:00.000000Z' }
    const moved = await write(team, 'PATCH', `/status-posts/${post.id}`, later)
    assert.deepEqual([moved.scheduled_until, moved.follows_window], [later.scheduled_until, false])
    const wrong: [string, string, object, string[]][] = [
      ['POST', `${path}/posts/from-window`, { ...asked, starts_at: until }, ['starts_at']],
      ['POST', `${path}/posts/from-window`, { ...asked, window_id: NEVER }, ['window_id']],
      ['PATCH', `/status-posts/${post.id}`, { scheduled_until: from }, ['scheduled_until']],
      ['POST', `/status-posts/${post.id}/updates`, { phase: 'resolved', body: '' }, ['phase']],
      ['PATCH', `/status-updates/${post.updates[0]?.id}`, { phase: 'resolved' }, ['phase']],
    ]
    for (const [method, at, body, fields] of wrong)
      assertInvalid(await team.owner.ask(team.id, method, at, body), fields)
  })

  it('refuse components of other pages, and times to come', async () => {
    const team = await people.team()
    const { path, ids } = await pageOf(team)
    const other = await pageOf(team)
    const foreign = { impacts: [...ids, ...other.ids].map((id) => ({ component_id: id, state: 'degraded' })) }
    const fields = ['update.impacts.2.component_id', 'update.impacts.3.component_id']
    assertInvalid(await team.owner.ask(team.id, 'POST', `${path}/posts`, incident({}, foreign)), fields)
    const ahead = incident({}, { at: '2040-01-01T00:00:00Z' })
    assertInvalid(await team.owner.ask(team.id, 'POST', `${path}/posts`, ahead), ['update.at'])
  })

  it('are shown as the page shows them, with nothing that runs', async () => {
    const team = await people.team()
    const body = '**Bold** <script>alert(1)</script>'
    const { html } = await team.viewer.data(team.id, 'POST', '/status-posts/preview', { body })
    assert.equal(html, '<p><strong>Bold</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n')
  })

  it('come from templates of the team, one of which a page publishes outages with', async () => {
    const team = await people.team()
    const { path } = await pageOf(team)
    const fields = {
      name: 'Outage',
      title: '{component} is down',
      phase: 'investigating',
      body: 'Since {time}.',
    }
    const made = ShownTemplate.parse(await team.owner.data(team.id, 'POST', '/status-templates', fields))
    assert.deepEqual(await team.viewer.data(team.id, 'GET', '/status-templates'), [made])
    const one = `/status-templates/${made.id}`
    assert.deepEqual(await team.owner.data(team.id, 'PATCH', one, { name: 'Down' }), {
      ...made,
      name: 'Down',
    })
    const chosen = async (template_id: number | null) =>
      team.owner.ask(team.id, 'PATCH', path, { template_id })
    assert.equal((await chosen(made.id)).body.data.fields.template_id, made.id)
    const foreign = await people.team()
    const theirs = await foreign.owner.data(foreign.id, 'POST', '/status-templates', fields)
    assertInvalid(await chosen(theirs.id), ['template_id'])
    assert.equal((await team.owner.ask(team.id, 'DELETE', one)).status, 204)
    const { fields: left } = await team.owner.data(team.id, 'GET', path)
    assert.equal(left.template_id, null)
  })

  it('have subscribers, whose addresses only those see who may write', async () => {
    const team = await people.team()
    const page = await pageOf(team)
    const { db, vault } = service.services
    for (const name of ['ada', 'bob']) {
      const confirmedAt = name === 'ada' ? new Date() : null
      const address = `${name}@example.com`
      await insertSubscriber(db.query, vault, {
        ...{ pageId: page.id, teamId: team.id, type: 'email', address, token: `${name} ${page.id}` },
        ...{ componentIds: null, confirmedAt },
      })
    }
    const listed = async (person = team.owner, query = ''): Promise<SubscriberRow[]> => {
      const rows = await person.data(team.id, 'GET', `${page.path}/subscribers${query}`)
      return rows.map((row: unknown) => SubscriberRow.parse(row))
    }
    const shown = (rows: SubscriberRow[]) => rows.map(({ address, state }) => [address, state])
    assert.deepEqual(shown(await listed()), [
      ['bob@example.com', 'unconfirmed'],
      ['ada@example.com', 'confirmed'],
    ])
    assert.deepEqual(shown(await listed(team.viewer, '?state=confirmed')), [[null, 'confirmed']])
    assert.deepEqual(shown(await listed(team.owner, '?search=ADA@')), [['ada@example.com', 'confirmed']])
    assert.deepEqual(await listed(team.owner, '?search=ada&state=unconfirmed'), [])
    assertInvalid(await team.viewer.ask(team.id, 'GET', `${page.path}/subscribers?search=ada`), ['search'])
    const { csv } = await team.admin.data(team.id, 'GET', `${page.path}/subscribers/export`)
    assert.match(csv, /^email,ada@example\.com,confirmed,,/m)
    const post = await write(team, 'POST', `${page.path}/posts`, incident())
    assert.deepEqual(post.updates[0]?.notices, { pending: 1, sent: 0, failed: 0 })
    const [bob, ada] = await listed()
    const remove = async (id = 0) =>
      assert.equal((await team.owner.ask(team.id, 'DELETE', `/status-subscribers/${id}`)).status, 204)
    await remove(bob?.id)
    assert.deepEqual(shown(await listed()), [['ada@example.com', 'confirmed']])
    // Told is told, whoever goes.
    await changeRows(db, 'status_notices', { subscriber_id: ada?.id as number }, { state: 'sent' })
    await remove(ada?.id)
    const { updates } = StatusPostDetail.parse(
      await team.owner.data(team.id, 'GET', `/status-posts/${post.id}`),
    )
    assert.deepEqual(updates[0]?.notices, { pending: 0, sent: 1, failed: 0 })
    assert.equal(updates[0]?.html, '<p>We <em>look</em>.</p>\n')
  })

  it('are changed by owners and admins alone, no other team sees any, and the log names who', async () => {
    const team = await people.team()
    const other = await people.team()
    const { path } = await pageOf(team)
    const post = await write(team, 'POST', `${path}/posts`, incident({ is_draft: true }))
    const template = { name: 'a', title: 'b', phase: 'investigating', body: '' }
    const { id: templateId } = await team.owner.data(team.id, 'POST', '/status-templates', template)
    const update = `/status-updates/${post.updates[0]?.id}`
    const asked: [string, string, object?][] = [
      ['POST', `${path}/posts`, incident()],
      ['POST', `${path}/posts/from-window`, { window_id: 1, starts_at: '2027-01-01T00:00:00Z' }],
      ['PATCH', `/status-posts/${post.id}`, { title: 'x' }],
      ['POST', `/status-posts/${post.id}/publish`, {}],
      ['POST', `/status-posts/${post.id}/updates`, { phase: 'resolved', body: '' }],
      ['PATCH', update, { body: 'x' }],
      ['DELETE', update],
      ['PATCH', `/status-templates/${templateId}`, { name: 'x' }],
      ['DELETE', `/status-templates/${templateId}`],
      ['GET', `${path}/subscribers/export`],
      ['DELETE', `/status-posts/${post.id}`],
    ]
    for (const [method, at, body] of asked) {
      assertProblem(await team.viewer.ask(team.id, method, at, body), 403)
      assertProblem(await other.owner.ask(other.id, method, at, body), 404)
    }
    for (const at of [`${path}/posts`, `/status-posts/${post.id}`, `${path}/subscribers`])
      assertProblem(await other.owner.ask(other.id, 'GET', at), 404)
    await write(team, 'POST', `/status-posts/${post.id}/publish`, {})
    const [entry] = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.deepEqual([entry.action, entry.subject], ['publishStatusPost', 'Cart is slow'])
  })
})

// npm test leaves this out: it reads models of pages over 90 days of history in each of its forms (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS, startOfDay } from '../../../../src/core/history/history-span.ts'
import { placeLayout } from '../../../../src/core/status-pages/layout.ts'
import type { PageComponent, PageItem, PageModel } from '../../../../src/core/status-pages/page-model.ts'
import type { Impact, PostKind, PostPhase } from '../../../../src/core/status-pages/post.ts'
import type { Layout } from '../../../../src/core/status-pages/status-page.ts'
import { Layout as LayoutSchema, type StatusPage } from '../../../../src/core/status-pages/status-page.ts'
import { createPageReader, type PageReader } from '../../../../src/operations/status-pages/read-model.ts'
import type { Database } from '../../../../src/postgres/database.ts'
import { createPartition } from '../../../../src/store/history/partitions.ts'
import { readLayout, writeLayout } from '../../../../src/store/status-pages/layout.ts'
import { keepChecks, upAt } from '../../../support/history/checks.ts'
import { addWindow } from '../../../support/maintenance/stored-windows.ts'
import { oneOff, recurring } from '../../../support/maintenance/windows.ts'
import { countStatements } from '../../../support/postgres/counted-statements.ts'
import { openTestDatabase } from '../../../support/postgres/database.ts'
import { addIncident } from '../../../support/records/history.ts'
import { addMonitor, addMonitors } from '../../../support/records/monitors.ts'
import { addRow, addRows, changeRows } from '../../../support/records/rows.ts'
import { addStatusPage } from '../../../support/records/status-pages.ts'
import { addTeam } from '../../../support/records/teams.ts'

const NOW = new Date('2027-03-10T12:30:00Z')
const TODAY = startOfDay(NOW)
const NOON = new Date('2027-03-10T12:00:00Z')
const MINUTE_MS = 60_000
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const LONG_AGO = ago(400 * DAY_MS)

describe('the model of a status page', () => {
  let db: Database
  let close: () => Promise<void>
  let reader: PageReader
  let pages = 0

  before(async () => {
    ;({ db, close } = await openTestDatabase())
    reader = createPageReader({ db, siteUrl: 'https://up.example.com', databaseNow: () => NOW })
    await db.pool.query([createPartition('checks', NOW), createPartition('check_hours', NOW)].join(';'))
    await addRow(db, 'history_progress', { hours_until: NOON, timed_until: NOON })
  })
  after(() => close())

  type Items = { items: object[] }
  /** A page of a team with these items, and the ids of its components in their order. */
  async function addPage(
    teamId: number,
    layout: Items,
    settings: Partial<StatusPage> = {},
  ): Promise<{ id: number; ids: number[] }> {
    const id = await addStatusPage(db, teamId, { slug: `shop-${++pages}`, days: 30, ...settings })
    await writeLayout(db.query, id, placeLayout(LayoutSchema.parse(layout) as Layout))
    const { components } = await readLayout(db.query, id)
    await changeRows(db, 'status_components', { page_id: id }, { created_at: LONG_AGO, updated_at: LONG_AGO })
    await changeRows(db, 'status_pages', { id }, { created_at: LONG_AGO, updated_at: LONG_AGO })
    return { id, ids: components.map((one) => one.id).sort((a, b) => a - b) }
  }

  const component = (monitor_id: number | null, name = 'A', changes: object = {}) => ({
    component: { monitor_id, name, ...changes },
  })
  const model = async (pageId: number): Promise<PageModel> => (await reader.readModel(pageId)) as PageModel
  const componentsOf = ({ items }: { items: PageItem[] }): PageComponent[] =>
    items.flatMap((item) => ('group' in item ? item.group.components : item.component))
  const only = async (pageId: number) => componentsOf(await model(pageId))[0] as PageComponent

  /** A published post and its updates: phase, minutes ago, impacts. */
  async function addPost(
    page: { id: number; teamId: number },
    updates: [PostPhase, number, Impact[]][],
    columns: {
      kind?: PostKind
      published_at?: Date | null
      scheduled_for?: Date
      scheduled_until?: Date
      window_id?: number
      occurrence_at?: Date
    } = {},
  ): Promise<number> {
    const [first] = updates
    const last = updates.at(-1)
    const over = last && ['resolved', 'completed', 'postmortem'].includes(last[0])
    const { id } = await addRow(db, 'status_posts', {
      page_id: page.id,
      team_id: page.teamId,
      kind: 'incident',
      title: 'Trouble',
      phase: last?.[0] as PostPhase,
      started_at: ago((first?.[1] ?? 0) * MINUTE_MS),
      resolved_at: over ? ago(last[1] * MINUTE_MS) : null,
      scheduled_for: null,
      scheduled_until: null,
      incident_id: null,
      published_at: ago((first?.[1] ?? 0) * MINUTE_MS),
      ...columns,
    })
    await addRows(
      db,
      'status_updates',
      updates.map(([phase, minutes, impacts]) => ({
        post_id: id,
        phase,
        body: `It is **${phase}**.`,
        impacts: JSON.stringify(impacts) as unknown as Impact[],
        at: ago(minutes * MINUTE_MS),
        edited_at: null,
      })),
    )
    return id
  }

  it('has the state of each component, of its group and of all: the worst', async () => {
    const teamId = await addTeam(db)
    const status = (columns: object, given: object = {}) => ({ team_id: teamId, ...given, state: columns })
    const [up, down, pending, paused, planned, degraded] = await addMonitors(
      db,
      6,
      (index) =>
        [
          status({ status: 'up' as const }),
          status({ status: 'down' as const }),
          status({ status: 'pending' as const }),
          status({ status: 'down' as const }, { is_active: false }),
          status({ status: 'down' as const }),
          status({ status: 'degraded' as const }),
        ][index] as object,
    )
    await addWindow(db, teamId, {
      ...oneOff(ago(HOUR_MS).toISOString(), ago(-HOUR_MS).toISOString()),
      all_subjects: false,
      monitor_ids: [planned?.id as number],
    })
    const { id } = await addPage(teamId, {
      items: [
        component(up?.id as number),
        {
          group: {
            name: 'G',
            components: [component(down?.id as number).component, component(pending?.id as number).component],
          },
        },
        component(paused?.id as number),
        component(planned?.id as number),
        component(degraded?.id as number),
        component(null, 'By hand', { state: 'degraded' }),
      ],
    })
    const shown = await model(id)
    assert.deepEqual(
      componentsOf(shown).map(({ state }) => state),
      ['operational', 'major_outage', 'unknown', 'unknown', 'maintenance', 'operational', 'degraded'],
    )
    const [, group] = shown.items
    assert.deepEqual(group && 'group' in group && [group.group.state, group.group.isOpen], [
      'major_outage',
      true,
    ])
    assert.deepEqual([shown.state, shown.asOf], ['major_outage', NOW])
  })

  it('leaves out components of deleted monitors, and holds nothing internal', async () => {
    const monitor = { name: 'db-internal-7', url: 'http://10.1.2.3/secret', deleted_at: null }
    const kept = await addMonitor(db, monitor)
    const deleted = await addMonitor(db, { ...monitor, team_id: kept.teamId, deleted_at: ago(1) })
    const foreign = await addMonitor(db, monitor)
    await addIncident(db, { team_id: kept.teamId, monitor_id: kept.id, cause: 'refused by 10.1.2.3' })
    const items = [kept, deleted, foreign].map(({ id }) => component(id, 'Shop', { shows_chart: true }))
    const { id } = await addPage(kept.teamId, { items })
    const shown = await model(id)
    assert.equal(componentsOf(shown).length, 1)
    assert.doesNotMatch(JSON.stringify(shown), /internal|10\.1\.2\.3|secret/)
  })

  it('has days from roll-ups, from hours of today and from checks since, from when the monitor was there', async () => {
    const created = new Date('2027-03-08T06:00:00Z')
    const monitor = await addMonitor(db, { created_at: created })
    await addRows(db, 'check_days', [
      {
        monitor_id: monitor.id,
        day: startOfDay(NOW, -2),
        up_ms: 60_000_000,
        down_ms: 0,
        degraded_ms: 0,
        maintenance_ms: 0,
      },
      {
        monitor_id: monitor.id,
        day: startOfDay(NOW, -1),
        up_ms: 86_000_000,
        down_ms: 400_000,
        degraded_ms: 0,
        maintenance_ms: 0,
      },
      // The times of another region are in the other row.
      { monitor_id: monitor.id, day: startOfDay(NOW, -1), region: 'lon' },
    ])
    const hours = Array.from({ length: 12 }, (_, hour) => ({
      monitor_id: monitor.id,
      hour: new Date(TODAY.getTime() + hour * HOUR_MS),
      up_ms: hour === 0 ? 3_000_000 : HOUR_MS,
      degraded_ms: 0,
      down_ms: 0,
      maintenance_ms: hour === 0 ? 600_000 : 0,
    }))
    await addRows(db, 'check_hours', hours)
    const checks = Array.from({ length: 30 }, (_, minute) =>
      upAt(new Date(NOON.getTime() + minute * MINUTE_MS)),
    )
    await keepChecks(db, monitor.id, checks)
    const { id } = await addPage(monitor.teamId, { items: [component(monitor.id)] })
    const { history, updatedAt } = await only(id)
    const days = history?.days ?? []
    assert.equal(days.length, 30)
    assert.ok(days.slice(0, 27).every(({ times }) => times === null))
    const none = { upMs: 0, degradedMs: 0, downMs: 0, maintenanceMs: 0, unknownMs: 0 }
    assert.deepEqual(days.slice(27), [
      {
        day: startOfDay(NOW, -2),
        times: { ...none, upMs: 60_000_000, unknownMs: 18 * HOUR_MS - 60_000_000 },
      },
      { day: startOfDay(NOW, -1), times: { ...none, upMs: 86_000_000, downMs: 400_000 } },
      {
        day: TODAY,
        times: { ...none, upMs: 12.5 * HOUR_MS - 600_000, maintenanceMs: 600_000 },
      },
    ])
    const up = 60_000_000 + 86_000_000 + 12.5 * HOUR_MS - 600_000
    assert.equal(history?.uptime, up / (up + 400_000))
    assert.deepEqual([history?.maintenanceMs, history?.unknownMs], [600_000, 18 * HOUR_MS - 60_000_000])
    assert.ok(updatedAt > LONG_AGO)
  })

  it('has charts of medians by the quarter where they are chosen, read once a quarter', async (t) => {
    const monitor = await addMonitor(db)
    const slow = (minutes: number, responseTimeMs: number) => ({
      ...upAt(ago(minutes * MINUTE_MS)),
      responseTimeMs,
    })
    await keepChecks(db, monitor.id, [slow(20, 100), slow(22, 100), slow(24, 5_000), slow(5, 900)])
    const { id } = await addPage(monitor.teamId, {
      items: [component(monitor.id, 'A', { shows_chart: true }), component(monitor.id, 'B')],
    })
    const [one, other] = componentsOf(await model(id))
    const medians = one?.chart?.medianMs ?? []
    assert.deepEqual(one?.chart?.from, new Date('2027-03-09T12:30:00Z'))
    assert.equal(medians.length, 96)
    assert.ok(medians.slice(0, 94).every((median) => median === null))
    const [before, last] = medians.slice(94) as [number, number]
    assert.ok(Math.abs(before - 100) < 10 && Math.abs(last - 900) < 90, `${before} ${last}`)
    assert.equal(other?.chart, null)
    const first = await countStatements(t, () =>
      createPageReader({ db, siteUrl: '', databaseNow: () => NOW }).readModel(id),
    )
    assert.equal(await countStatements(t, () => model(id)), first - 1)
  })

  it('takes what published posts say now, and says what they said', async () => {
    const teamId = await addTeam(db)
    const layout = { items: [component(null, 'A'), component(null, 'B'), component(null, 'C')] }
    const page = { ...(await addPage(teamId, layout)), teamId }
    const [a, b, c] = page.ids as [number, number, number]
    const says = (...impacts: [number, Impact['state']][]) =>
      impacts.map(([component_id, state]) => ({ component_id, state }))
    const open = await addPost(page, [
      ['investigating', 60, says([a, 'major_outage'], [b, 'degraded'])],
      ['monitoring', 30, says([a, 'partial_outage'], [2_147_483_647, 'degraded'])],
    ])
    const over = await addPost(page, [
      ['investigating', 300, says([b, 'major_outage'])],
      ['resolved', 240, []],
    ])
    await addPost(page, [['investigating', 10, says([c, 'major_outage'])]], { published_at: null })
    await addPost(page, [
      ['investigating', 20 * 1_440, says([c, 'major_outage'])],
      ['resolved', 20 * 1_440 - 60, []],
    ])
    const soon = ago(-2 * HOUR_MS)
    const planned = await addPost(page, [['scheduled', 90, says([c, 'maintenance'])]], {
      kind: 'maintenance',
      scheduled_for: soon,
      scheduled_until: ago(-3 * HOUR_MS),
    })
    const shown = await model(page.id)
    assert.deepEqual(
      componentsOf(shown).map(({ state }) => state),
      ['partial_outage', 'operational', 'operational'],
    )
    assert.deepEqual(
      [shown.active, shown.recent].map((posts) => posts.map(({ id }) => id)),
      [[open, planned], [over]],
    )
    const [post] = shown.active
    assert.deepEqual([post?.impact, post?.phase], ['major_outage', 'monitoring'])
    assert.deepEqual(post?.components, [
      { id: a, name: 'A', state: 'partial_outage' },
      { id: b, name: 'B', state: 'operational' },
    ])
    assert.deepEqual(
      post?.updates.map(({ phase, body, impacts }) => [phase, body, impacts.map(({ name }) => name).join()]),
      [
        ['monitoring', 'It is **monitoring**.', 'A'],
        ['investigating', 'It is **investigating**.', 'A,B'],
      ],
    )
    assert.deepEqual(
      shown.planned.map(({ key, title, startsAt, isRunning }) => [key, title, startsAt, isRunning]),
      [[`post-${planned}`, 'Trouble', soon, false]],
    )
    assert.equal((await reader.readPost(page.id, over))?.id, over)
    assert.equal(await reader.readPost((await addPage(teamId, { items: [] })).id, over), null)
    const february = await reader.readMonth(page.id, new Date('2027-02-01T00:00:00Z'))
    assert.deepEqual(
      february.posts.map(({ phase }) => phase),
      ['resolved'],
    )
    assert.equal((await reader.readMonth(page.id, new Date('2027-03-01T00:00:00Z'))).posts.length, 3)
  })

  it('counts the days of a component without a monitor by what posts said, without an uptime', async () => {
    const teamId = await addTeam(db)
    const page = { ...(await addPage(teamId, { items: [component(null, 'A')] })), teamId }
    const [a] = page.ids as [number]
    const [yesterday, day] = [startOfDay(NOW, -1), 1_440]
    const minutesTo = (at: Date) => (NOW.getTime() - at.getTime()) / MINUTE_MS
    const start = minutesTo(yesterday) - 60
    await addPost(page, [
      ['investigating', start, [{ component_id: a, state: 'degraded' }]],
      ['identified', start - 30, [{ component_id: a, state: 'major_outage' }]],
      ['resolved', start - 90, [{ component_id: a, state: 'major_outage' }]],
    ])
    await addPost(page, [['in_progress', 10, [{ component_id: a, state: 'maintenance' }]]], {
      kind: 'maintenance',
    })
    const { history, state } = await only(page.id)
    const [, past, today] = (history?.days ?? []).slice(-3)
    const none = { upMs: 0, degradedMs: 0, downMs: 0, maintenanceMs: 0, unknownMs: 0 }
    const minutes = (count: number) => count * MINUTE_MS
    assert.deepEqual(past?.times, {
      ...none,
      upMs: minutes(day - 90),
      degradedMs: minutes(30),
      downMs: minutes(60),
    })
    assert.deepEqual(today?.times, { ...none, upMs: minutes(740), maintenanceMs: minutes(10) })
    assert.deepEqual([history?.uptime, state], [null, 'maintenance'])
  })

  it('plans the windows that concern it, of the next days and those that are on', async () => {
    const monitor = await addMonitor(db)
    const other = await addMonitor(db, { team_id: monitor.teamId })
    const of = (ids: number[]) => ({ all_subjects: ids.length === 0, monitor_ids: ids })
    const span = (from: number, to: number) =>
      oneOff(ago(-from * HOUR_MS).toISOString(), ago(-to * HOUR_MS).toISOString())
    const { teamId } = monitor
    const now = { ...span(-1, 1), note: 'Short', ...of([monitor.id]) }
    await addWindow(db, teamId, { ...now, name: 'db-7: new disks', public_name: 'Now' })
    await addWindow(db, teamId, { ...now, name: 'Secret', shows_on_pages: false })
    const soon = await addWindow(db, teamId, { ...span(2, 3), name: 'Soon', ...of([]) })
    await addWindow(db, teamId, { ...span(2, 3), name: 'Elsewhere', ...of([other.id]) })
    await addWindow(db, teamId, { ...span(20 * 24, 20 * 24 + 1), name: 'Later', ...of([]) })
    await addWindow(db, await addTeam(db), { ...span(2, 3), name: 'Foreign', ...of([]) })
    await addWindow(db, teamId, { ...recurring({ rule: 'FREQ=WEEKLY' }), name: 'Weekly', ...of([]) })
    const { id, ids } = await addPage(teamId, { items: [component(monitor.id), component(null, 'B')] })
    const { planned } = await model(id)
    assert.deepEqual(
      planned.map(({ title, isRunning }) => [title, isRunning]),
      [
        ['Now', true],
        ['Soon', false],
        ['Weekly', false],
        ['Weekly', false],
      ],
    )
    assert.deepEqual(
      [planned[0]?.note, planned[0]?.postId, planned[0]?.components],
      ['Short', null, [{ id: ids[0], name: 'A' }]],
    )
    // A post about an occurrence stands in its place; a draft does not.
    const post = await addPost({ id, teamId }, [['scheduled', 5, []]], {
      kind: 'maintenance',
      ...{ scheduled_for: ago(-2 * HOUR_MS), scheduled_until: ago(-3 * HOUR_MS), published_at: null },
      ...{ window_id: soon, occurrence_at: ago(-2 * HOUR_MS) },
    })
    assert.deepEqual((await model(id)).planned, planned)
    await changeRows(db, 'status_posts', { id: post }, { published_at: NOW })
    assert.deepEqual(
      (await model(id)).planned.map(({ title, postId }) => [title, postId]),
      [
        ['Now', null],
        ['Trouble', post],
        ['Weekly', null],
        ['Weekly', null],
      ],
    )
  })

  it('is read with the same few statements, whatever is on it', async (t) => {
    const teamId = await addTeam(db)
    const monitors = await addMonitors(db, 300, () => ({ team_id: teamId, created_at: LONG_AGO }))
    await db.pool.query(
      `INSERT INTO check_days (monitor_id, day, up_ms, degraded_ms, down_ms, maintenance_ms)
       SELECT id, day, 86400000, 0, 0, 0 FROM unnest($1::int[]) AS id,
         generate_series($2::timestamptz, $3::timestamptz, interval '1 day') AS day`,
      [monitors.map(({ id }) => id), startOfDay(NOW, -89), startOfDay(NOW, -1)],
    )
    const items = monitors.map(({ id }) => component(id, 'A', { shows_chart: true }))
    await addWindow(db, teamId, recurring({ rule: 'FREQ=DAILY' }))
    const large = await addPage(teamId, { items }, { days: 90 })
    await addPost({ ...large, teamId }, [['investigating', 5, []]])
    const statements = await countStatements(t, () => model(large.id))
    assert.ok(statements <= 22, `${statements} statements`)
    const shown = componentsOf(await model(large.id))
    assert.equal(shown.length, 300)
    assert.ok(shown.every(({ history }) => history?.days.length === 90 && history.uptime === 1))
  })

  it('has the address of the proved domain, and none of a page that is gone', async () => {
    const teamId = await addTeam(db)
    const { id } = await addPage(teamId, { items: [] })
    const domain = { page_id: id, team_id: teamId, proof: 'x', proved_at: null, looked_at: null }
    await addRow(db, 'status_domains', { ...domain, domain: 'status.example.com' })
    const slug = `shop-${pages}`
    assert.equal((await model(id)).url, `https://up.example.com/status/${slug}`)
    await changeRows(db, 'status_domains', { page_id: id }, { proved_at: NOW })
    assert.equal((await model(id)).url, 'https://status.example.com')
    await changeRows(db, 'status_pages', { id }, { visibility: 'members' })
    assert.equal((await model(id)).url, `https://up.example.com/status/${slug}`)
    await db.query.deleteFrom('status_pages').where('id', '=', id).execute()
    assert.equal(await reader.readModel(id), null)
  })
})

// npm test leaves this out: it imports whole exports of five services, again and again (seconds of a core).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, before, describe, it } from 'node:test'
import { MAX_WINDOWS } from '../../../src/core/maintenance/window.ts'
import type { Monitor } from '../../../src/core/monitors/monitor.ts'
import { setPlan } from '../../../src/operations/accounts/operator-accounts.ts'
import { insertWindow, listWindows } from '../../../src/store/maintenance/windows.ts'
import { readSecret } from '../../../src/store/sealing/secret-addresses.ts'
import { readLayout } from '../../../src/store/status-pages/layout.ts'
import { listPages } from '../../../src/store/status-pages/pages.ts'
import { listMonitorTags } from '../../../src/store/tags/tags.ts'
import { KUMA_CONTENT, writeKumaDatabase } from '../../support/imports/kuma-database.ts'
import { exportFile } from '../../support/imports/read-exports.ts'
import { suiteScope } from '../../support/scope.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type Commander, commander } from '../../support/services/remote-command.ts'
import { startServiceHere } from '../../support/services/service-here.ts'

const PAGE = join(import.meta.dirname, '../../../docs/moving-in.md')

/** The files that the documentation calls by these names. */
const FILES: Record<string, string> = {
  'checks.json': exportFile('healthchecks.json'),
  'channels.json': exportFile('healthchecks-channels.json'),
  'config.yaml': exportFile('gatus.yaml'),
  'monitors.json': exportFile('uptimerobot-v2.json'),
  'contacts.json': exportFile('uptimerobot-v2-contacts.json'),
  'monitors-v3.json': exportFile('uptimerobot-v3.json'),
  'collection.json': exportFile('postman.json'),
  'environment.json': exportFile('postman-environment.json'),
  'integrations.json': exportFile('uptimerobot-v3-integrations.json'),
}

describe('upbeat import', () => {
  const scope = suiteScope()
  let service: AskedService
  let person: Commander

  before(async () => {
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    person = commander(service.services)
    scope.after(async () => person.close())
    FILES['kuma.db'] = join(person.configHome, 'kuma.db')
    writeKumaDatabase(FILES['kuma.db'], KUMA_CONTENT)
  })

  /** A team, and a way to run a command as one of its admins; over HTTP each time as another one. */
  async function createMover(plan: 'business' | 'free' = 'business') {
    const team = await service.createTeam(plan)
    const { email } = await service.createMember(team.id, 'admin')
    const local = (args: string[]) =>
      person.run(['import', ...args, '--team', String(team.id), '--email', email])
    const remote = async (args: string[]) => {
      const token = await service.createToken(team.id, 'admin')
      return person.run(['import', ...args], { environment: { url: service.url, token } })
    }
    const list = async <T>(path: string): Promise<T[]> =>
      (await service.call(team.viewer, 'GET', `${path}?per_page=100`)).body.data
    return { team, local, remote, list }
  }

  const windowsOf = (teamId: number) => listWindows(service.services.db.query, teamId)

  // No two pages of a service have the same address.
  afterEach(() => service.services.db.query.deleteFrom('status_pages').execute())

  it('takes over all five by the commands of the documentation, and nothing twice', async () => {
    const mover = await createMover()
    const commands = [...(await readFile(PAGE, 'utf8')).matchAll(/^npx upbeat import (.+?)(?: +#.*)?$/gm)]
      .map(([, args = '']) => args.split(' ').map((arg) => FILES[arg] ?? arg))
      .filter((args) => args.includes('--apply'))
    assert.equal(new Set(commands.map(([kind]) => kind)).size, 5)
    for (const args of commands) {
      const ran = await mover.remote(args)
      assert.deepEqual([ran.status, ran.err], [0, ''], ran.out)
      assert.doesNotMatch(ran.out, /s3cret/)
    }
    const monitors = await mover.list<Monitor>('/monitors')
    const contacts = await mover.list('/notification-contacts')
    assert.equal(monitors.length, 12 + 3 + 8 + 7 + 4 + 3)

    for (const args of commands) {
      const { status, data } = await mover.remote([...args, '--json'])
      const states = [...data.contacts, ...data.monitors].map(({ state }) => state)
      assert.deepEqual([status, new Set(states)], [0, new Set(['existing'])])
    }
    assert.deepEqual(await mover.list('/monitors'), monitors)
    assert.deepEqual(await mover.list('/notification-contacts'), contacts)
  })

  it('shows what would be, and creates nothing, without --apply', async () => {
    const { team, local, list } = await createMover()
    const shown = await local(['uptime-kuma', FILES['kuma.db'] ?? ''])
    assert.equal(shown.status, 0)
    assert.match(shown.out, /^To create:\n {2}WHAT +NAME +TYPE +DETAIL\n/)
    assert.match(shown.out, /^ {2}monitor +Shop \(2\) +http +https:\/\/shop\.example\/api, every 1 min$/m)
    assert.match(shown.out, /^ {2}monitor +Router +icmp +\[2001:db8::1\], every 15 min, paused$/m)
    assert.match(shown.out, /^ {2}monitor +Cupboard +group +of 1 monitor, paused$/m)
    assert.match(
      shown.out,
      /^ {2}window +Reboots +recurring +Every Monday and Thursday at 23:30 for 1 hour, Europe\/Berlin: 2 monitors$/m,
    )
    assert.match(shown.out, /^ {2}window +Deploys +switch +When switched on, for at most 1 day: 1 monitor$/m)
    assert.match(shown.out, /^Skipped:\n/m)
    assert.match(shown.out, /^ {2}there is no contact of the kind Opsgenie:\n {4}notification Pager$/m)
    assert.match(
      shown.out,
      /^ {2}Nightly backup +https:\/\/kuma\.example\/api\/push\/\w+ +known when it is created$/m,
    )
    assert.match(
      shown.out,
      /^24 to create, 0 there already, 10 skipped\.\nNothing was created: add --apply to create it\.$/m,
    )
    assert.deepEqual(await list('/monitors'), [])
    assert.deepEqual(await windowsOf(team.id), [])
    assert.equal((await list('/notification-contacts')).length, 1)
    const viewer = await person.run(['import', 'gatus', FILES['config.yaml'] ?? ''], {
      environment: { url: service.url, token: team.viewer },
    })
    assert.equal(viewer.status, 0, 'who may only read may see what would be')
  })

  it('creates monitors as they were, with their contacts and secrets', async () => {
    const { local, list } = await createMover()
    assert.equal((await local(['uptime-kuma', FILES['kuma.db'] ?? '', '--apply'])).status, 0)
    const byName = new Map((await list<Monitor>('/monitors')).map((monitor) => [monitor.name, monitor]))
    const shop = byName.get('Shop')
    assert.deepEqual(
      shop?.notification_contacts.map(({ name }) => name),
      ['Chat', 'Team mail (ann@shop.example)', 'Team mail (ops@shop.example)'],
    )
    assert.deepEqual(
      [byName.get('Shop (2)')?.username, byName.get('Shop (2)')?.has_password],
      ['probe', true],
    )
    assert.equal(byName.get('Router')?.is_active, false)
  })

  it('creates maintenance windows with the monitors they cover, together and only once', async () => {
    const { team, local, list } = await createMover()
    const kuma = ['uptime-kuma', FILES['kuma.db'] ?? '', '--apply', '--json']
    assert.equal((await local(kuma)).status, 0)
    const windows = await windowsOf(team.id)
    const names = new Map((await list<Monitor>('/monitors')).map(({ id, name }) => [id, name]))
    const shown = windows.map(({ name, kind, all_subjects, monitor_ids }) => ({
      name,
      kind,
      covers: all_subjects ? 'everything' : monitor_ids.map((id) => names.get(id)).sort(),
    }))
    assert.deepEqual(shown, [
      { name: 'Reboots', kind: 'recurring', covers: ['Mail server', 'Shop'] },
      { name: 'Deploys', kind: 'switch', covers: ['Shop (2)'] },
      { name: 'Cupboard', kind: 'recurring', covers: ['Cupboard', 'In the cupboard'] },
      { name: 'Dumps 01:00', kind: 'recurring', covers: ['Nightly backup'] },
      { name: 'Dumps 13:00', kind: 'recurring', covers: ['Nightly backup'] },
    ])
    const { db, vault } = service.services
    const [reboots, deploys] = windows
    const addressOf = (id = 0) => readSecret(db.query, vault, 'switch', { teamId: team.id, id })
    assert.equal(await addressOf(reboots?.id), null)
    assert.ok(await addressOf(deploys?.id), 'a switch has an address')
    const told = await db.query
      .selectFrom('audit_entries')
      .select('subject')
      .where('team_id', '=', team.id)
      .where('action', '=', 'createMaintenanceWindow')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      told.map(({ subject }) => subject),
      shown.map(({ name }) => name),
    )

    const { data } = await local(kuma)
    assert.deepEqual(
      new Set(data.windows.map(({ state }: { state: string }) => state)),
      new Set(['existing']),
    )
    assert.deepEqual(await windowsOf(team.id), windows)
    // Beside monitors of another service, what covered everything there covers its own monitors only.
    const gatus = await local(['gatus', FILES['config.yaml'] ?? '', '--apply'])
    assert.match(gatus.out, /covered everything: here it covers the monitors that came over/)
    const global = (await windowsOf(team.id)).find(({ name }) => name === 'Maintenance')
    assert.deepEqual([global?.all_subjects, global?.monitor_ids.length], [false, 7])
  })

  it('covers everything of a team that has nothing else, where Gatus did', async () => {
    const { team, local } = await createMover()
    assert.equal((await local(['gatus', FILES['config.yaml'] ?? '', '--apply'])).status, 0)
    const covers = (await windowsOf(team.id)).map(({ name, all_subjects }) => [name, all_subjects])
    assert.deepEqual(covers, [
      ['Maintenance', true],
      ['Maintenance at 02:30', false],
      ['Maintenance at 14:30', false],
    ])
  })

  it('creates status pages with their groups and monitors, published as they were, and only once', async () => {
    const { team, local } = await createMover()
    const { query } = service.services.db
    const kuma = ['uptime-kuma', FILES['kuma.db'] ?? '', '--apply', '--json']
    assert.equal((await local(kuma)).status, 0)
    const pages = await listPages(query, team.id)
    assert.deepEqual(
      pages.map(({ name, slug, theme, isPublished }) => [name, slug, theme, isPublished]),
      [
        ['Our shop', 'shop', 'dark', true],
        ['Our shop (2)', 'in-house', 'auto', false],
      ],
    )
    const { groups, components } = await readLayout(query, pages[0]?.id ?? 0)
    const of = (group: number) => components.filter(({ group_id }) => group_id === group)
    assert.deepEqual(
      groups.map(({ id, name }) => [name, ...of(id).map((one) => `${one.name} of ${one.subject_name}`)]),
      [
        ['First', 'Shop of Shop', 'Mail server of Mail server'],
        ['Later', 'Nightly backup of Nightly backup'],
      ],
    )
    const { data } = await local(kuma)
    assert.deepEqual(
      data.pages.map(({ state, id }: { state: string; id: number }) => [state, id]),
      pages.map(({ id }) => ['existing', id]),
    )
    const other = await createMover()
    const taken = await other.local(kuma)
    assert.equal(taken.status, 1)
    assert.deepEqual(taken.data.refused[0], {
      what: 'status page Our shop',
      reason: 'slug must be another one: a page of this service has shop',
    })
  })

  it('lists windows in words where a token is all there is, and takes them over another time', async () => {
    const { team, local, remote } = await createMover()
    const kuma = ['uptime-kuma', FILES['kuma.db'] ?? '', '--apply']
    const first = await remote(kuma)
    assert.equal(first.status, 0)
    assert.match(
      first.out,
      /^ {2}the API has no maintenance windows: import once more on the machine of the service, with --team and --email:\n {4}maintenance window Reboots \(Every Monday and Thursday at 23:30/m,
    )
    assert.match(first.out, /^ {4}status page Our shop, status page Our shop \(2\)$/m)
    assert.deepEqual(await windowsOf(team.id), [])
    assert.match((await local(kuma)).out, /^7 created, 17 there already, 10 skipped, 0 not created\.$/m)
    assert.equal((await windowsOf(team.id)).length, 5)
    assert.equal((await listPages(service.services.db.query, team.id)).length, 2)
  })

  it('leaves a window for later whose monitors were refused, and takes no more than a team may have', async () => {
    const { team, local, list } = await createMover('free')
    await local(['uptime-kuma', FILES['kuma.db'] ?? '', '--apply'])
    // Room for the first three: one window needs no other, and covers one of them.
    const spare = (await list<Monitor>('/monitors')).filter(({ name }) =>
      ['Must be closed', 'No error page', 'Orders'].includes(name),
    )
    for (const { id } of spare)
      assert.equal((await service.call(team.admin, 'DELETE', `/monitors/${id}`)).status, 204)
    const tagged = await listMonitorTags(service.services.db.query, team.id)
    assert.deepEqual(
      tagged.map(({ tags }) => tags),
      [['customer-no-7', 'env:prod north']],
    )
    const cut = await local(['gatus', FILES['config.yaml'] ?? '', '--apply'])
    assert.match(
      cut.out,
      /needs its monitor gateway: import again once that exists:\n {4}maintenance window Maintenance at 02:30$/m,
    )
    const names = (await windowsOf(team.id)).map(({ name }) => name)
    // There was no room for the group, which the last window of the other export covers.
    assert.deepEqual(names.slice(4), ['Maintenance at 14:30'])

    const { team: full, local: locally } = await createMover()
    const { db, vault, now } = service.services
    const other = { ...{ kind: 'switch' as const, note: '', max_minutes: 60 }, ends_when_passing: false }
    const nothing = { monitor_ids: [], server_ids: [], site_ids: [], tags: [] }
    const shown = { shows_on_pages: true, public_name: '' }
    const window = { ...other, ...shown, all_subjects: true, ...nothing }
    for (let number = 1; number <= MAX_WINDOWS - 1; number++)
      await insertWindow(
        db.query,
        vault,
        full.id,
        { ...window, name: `${number}` },
        { since: now(), token: null },
      )
    const last = await locally(['gatus', FILES['config.yaml'] ?? '', '--apply'])
    assert.equal(last.status, 0)
    assert.match(
      last.out,
      /a team has at most 1000 maintenance windows:\n {4}maintenance window Maintenance at 02:30, maintenance window Maintenance at 14:30$/m,
    )
    assert.equal((await windowsOf(full.id)).at(-1)?.name, 'Maintenance')
  })

  it('prints the new address of a heartbeat beside the old one, the next time as well', async () => {
    const { local, list } = await createMover()
    const [kuma, gatus] = [FILES['kuma.db'] ?? '', FILES['config.yaml'] ?? '']
    await local(['uptime-kuma', kuma, '--apply'])
    await local(['gatus', gatus, '--apply'])
    const addresses = new Map(
      (await list<Monitor>('/monitors')).map((each) => [each.name, each.heartbeat_url]),
    )
    const pushed = addresses.get('Nightly backup')?.replace('/ping/', '/api/push/')
    const again = await local(['uptime-kuma', kuma])
    assert.match(
      again.out,
      new RegExp(`^ {2}Nightly backup +https://kuma\\.example/api/push/\\w+ +${pushed}$`, 'm'),
    )
    assert.match(again.out, /There is nothing to create\.\n$/)
    const { data } = await local(['gatus', gatus, '--json'])
    assert.deepEqual(data.heartbeats, [
      {
        monitor: 'jobs/Import of prices',
        old: '/api/v1/endpoints/jobs_import-of-prices/external',
        new: addresses.get('jobs/Import of prices'),
      },
    ])
  })

  it('lists what the plan refuses, ends with 1, and finishes another time without anything twice', async () => {
    const { team, local, list } = await createMover('free')
    const gatus = ['gatus', FILES['config.yaml'] ?? '']
    const kuma = ['uptime-kuma', FILES['kuma.db'] ?? '']
    const first = await local([...kuma, '--apply'])
    assert.equal(first.status, 1)
    assert.match(first.out, /free plan allows 1 status page, .*:\n {4}status page Our shop \(2\)$/m)
    const orders = (await list<Monitor>('/monitors')).find(({ name }) => name === 'Orders')
    assert.equal((await service.call(team.admin, 'DELETE', `/monitors/${orders?.id}`)).status, 204)
    assert.match((await local(gatus)).out, /leaves room for 1 of the 8 monitors: the others will be refused/)
    const cut = await local([...gatus, '--apply'])
    assert.equal(cut.status, 1)
    assert.match(
      cut.out,
      /^Not created:\n {2}.*10.*:\n {4}monitor api, monitor database, monitor gateway, monitor certificate, monitor graph, monitor jobs\/Import of prices, monitor core\/order$/m,
    )
    // Seven monitors, and three windows that wait for them.
    assert.match(cut.err, /10 of what is missing were not created/)
    assert.equal((await list('/monitors')).length, 10)

    await setPlan(service.services, team.id, 'business')
    const finished = await local([...gatus, '--apply', '--json'])
    const states = finished.data.monitors.map(({ state }: { state: string }) => state)
    assert.deepEqual(states, ['existing', ...Array.from({ length: 7 }, () => 'created')])
    const names = (await list<Monitor>('/monitors')).map(({ name }) => name)
    assert.equal(new Set(names).size, 17)
    assert.equal(names.length, 17)
  })

  it('stops where nothing can be created, and says why', async () => {
    const { team, list } = await createMover()
    const environment = { url: service.url, token: team.viewer }
    const refused = await person.run(['import', 'gatus', FILES['config.yaml'] ?? '', '--apply'], {
      environment,
    })
    assert.equal(refused.status, 1)
    assert.match(refused.out, /^ {2}.*:\n {4}contact slack, core, contact email/m)
    assert.deepEqual(await list('/monitors'), [])
  })

  it('refuses wrong files and wrong usage, and creates nothing', async () => {
    const { local, list } = await createMover()
    const wrong = await local(['healthchecks', FILES['config.yaml'] ?? '', '--apply'])
    assert.deepEqual([wrong.status, wrong.out], [1, ''])
    assert.match(wrong.err, /no valid JSON.*\n.*upbeat import gatus /)
    assert.equal((await local(['pingdom', 'x.json'])).status, 2)
    assert.equal((await local(['gatus'])).status, 2)
    assert.deepEqual(await list('/monitors'), [])
  })
})

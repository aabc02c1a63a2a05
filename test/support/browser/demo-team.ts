import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { insertMonitor } from '../../../src/store/monitors/monitors.ts'
import { writeNotes } from '../../../src/store/monitors/notes.ts'
import { insertRecipient } from '../../../src/store/reports/recipients.ts'
import { PLAIN_SETTINGS } from '../monitor-settings.ts'
import { addRow, ago } from '../records/rows.ts'
import type { AskedService } from '../services/asked-service.ts'
import { createQuickAccount } from '../services/quick-account.ts'
import { openBrowser } from '../sign-in/cookie-browser.ts'
import { keepDemoHistory } from './demo-history.ts'
import { type DemoWindows, planDemoMaintenance } from './demo-maintenance.ts'
import { DEMO_CONTACTS, DEMO_MONITORS, type DemoMonitor } from './demo-monitors.ts'
import { type DemoSchedules, makeDemoSchedules } from './demo-on-call.ts'
import { type DemoServers, makeDemoServers } from './demo-servers.ts'
import { type DemoSites, makeDemoSites } from './demo-sites.ts'
import { type DemoPages, makeDemoStatusPages } from './demo-status-pages.ts'
import { createPerson, PASSWORD, type Person } from './people.ts'

export type DemoTeam = {
  id: number
  owner: Person
  admin: Person
  viewer: Person
  /** Their keys are the names in demo-monitors.ts. */
  monitors: Map<string, number>
  /** One that is over and one that lasts, each with alerts. */
  incidents: { resolved: number; open: number }
  contacts: number[]
  windows: DemoWindows
  pages: DemoPages
  servers: DemoServers
  sites: DemoSites
  schedules: DemoSchedules
  /** A saved one, mailed to two addresses. */
  report: number
}

/**
 * A team as months of work leave it, for a service with `ROLES=api`: nothing checks it, so what its screens show
 * stays as it is written here.
 */
export async function createDemoTeam(service: AskedService, days: number): Promise<DemoTeam> {
  const { services } = service
  await createQuickAccount(services, { email: 'ada@example.com', name: 'Ada Lovelace', password: PASSWORD })
  const owner = { email: 'ada@example.com', name: 'Ada Lovelace' }
  const { id } = await accounts.createTeam(services, {
    name: 'Analytical Engines',
    owner: owner.email,
    plan: 'business',
  })
  await accounts.createTeam(services, { name: 'Difference Works', owner: owner.email, plan: 'free' })
  const admin = await createPerson(service, id, 'admin', 'Charles Babbage')
  const viewer = await createPerson(service, id, 'viewer', 'Mary Somerville')
  const make = await dashboardOf(service, id, owner)
  const contacts = await workInDashboard(make)
  const monitors = await insertMonitors(service, id, DEMO_MONITORS)
  await writeNotes(services.db.query, id, monitors.get('Checkout') as number, {
    runbook_url: 'https://wiki.example.com/runbooks/checkout',
    notes: 'Payments are handled by the payments team.\nRestart the workers first, then look at the queue.',
  })
  await services.db.pool.query(
    `UPDATE monitors SET created_at = now() - interval '100 days' WHERE team_id = $1`,
    [id],
  )
  const incidents = await keepDemoHistory(services.db, id, monitors, contacts, days)
  const windows = await planDemoMaintenance(service, id, monitors, make)
  const pages = await makeDemoStatusPages(services.db, monitors, make)
  const servers = await makeDemoServers(services.db, id, make)
  const sites = await makeDemoSites(services.db, id, make)
  await tagDemoTeam(make, monitors, servers, sites)
  const schedules = await makeDemoSchedules(contacts, make)
  const report = await makeDemoReport(service, id, monitors, make)
  await writeAudit(service, id)
  const records = { report, monitors, incidents, contacts, windows, pages, servers, sites, schedules }
  return { id, owner, admin, viewer, ...records }
}

/** The service of the demo sends no mail: its addresses are written by hand. */
async function makeDemoReport(
  { services: { db, vault } }: AskedService,
  teamId: number,
  monitors: ReadonlyMap<string, number>,
  make: Make,
): Promise<number> {
  const reportId = await make('/reports', {
    ...{ name: 'Shop, for customers', time_zone: 'Europe/London', all_subjects: false },
    monitor_ids: ['Shop', 'Checkout', 'Search API'].map((name) => monitors.get(name)),
  })
  for (const [address, confirmedAt] of [
    ['grace@customer.example', new Date()],
    ['katherine@customer.example', null],
  ] as const) {
    await insertRecipient(db.query, vault, { reportId, teamId, address, token: randomUUID(), confirmedAt })
  }
  return reportId
}

const DEMO_TAGS: Record<string, string[]> = {
  Shop: ['env:prod', 'team:shop'],
  Checkout: ['customer:largest-of-all-our-customers', 'env:prod', 'pci', 'team:shop'],
  'Database primary': ['env:prod', 'team:platform'],
  'Database replica': ['env:prod', 'team:platform'],
  'Router of the office': ['env:office'],
  'Nightly backup': ['env:prod', 'team:platform'],
}

/** Most records have none, as in teams that begin with tags. */
async function tagDemoTeam(
  make: Make,
  monitors: Map<string, number>,
  servers: DemoServers,
  sites: DemoSites,
): Promise<void> {
  for (const [name, tags] of Object.entries(DEMO_TAGS))
    await make(`/monitors/${monitors.get(name)}/tags`, { tags }, 'PUT')
  await make(`/servers/${servers.database}/tags`, { tags: ['env:prod', 'team:platform'] }, 'PUT')
  await make(`/sites/${sites.shop}/tags`, { tags: ['env:prod', 'team:shop'] }, 'PUT')
}

type Make = (path: string, body: unknown, method?: string) => Promise<number>

/** Makes records through the dashboard's API, as its owner. */
async function dashboardOf({ url }: AskedService, team: number, { email }: Person): Promise<Make> {
  const browser = openBrowser(url, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/147.0.0.0')
  await browser.send('POST', '/auth/sign-in', { email, password: PASSWORD })
  return async (path, body, method = 'POST') => {
    const answer = await browser.send(method, `/app/teams/${team}${path}`, body)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data.id
  }
}

/** Makes contacts, tokens and invitations, which hold secrets. */
async function workInDashboard(make: Make): Promise<number[]> {
  const contacts: number[] = []
  for (const contact of DEMO_CONTACTS) contacts.push(await make('/notification-contacts', contact))
  await make('/api-tokens', { name: 'deploy pipeline' })
  await make('/api-tokens', { name: 'Terraform', expires_at: new Date(Date.now() + 90 * DAY_MS) })
  await make('/invitations', { email: 'grace.hopper@example.com', role: 'admin' })
  await make('/invitations', {
    email: 'a.rather.long.address.of.somebody.who.was.invited@department.example.com',
    role: 'viewer',
  })
  return contacts
}

async function insertMonitors(
  { services: { db, vault } }: AskedService,
  team: number,
  monitors: readonly DemoMonitor[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  await db.query.transaction().execute(async (query) => {
    for (const { name, settings } of monitors) {
      const heartbeatToken = settings.type === 'heartbeat' ? `demo-${ids.size}-0123456789abcdef` : null
      const heartbeatDueMs = heartbeatToken ? HOUR_MS : null
      const whole = { ...PLAIN_SETTINGS, ...settings, name, heartbeat_token: heartbeatToken }
      const { id } = await insertMonitor(query, vault, team, whole, { heartbeatDueMs, announces: false })
      ids.set(name, id)
    }
  })
  return ids
}

async function writeAudit({ services: { db } }: AskedService, team: number): Promise<void> {
  const lines = [
    ['Charles Babbage', 'api', 'createMonitor', 'Checkout', []],
    [
      'Charles Babbage',
      'dashboard',
      'updateMonitor',
      'Checkout',
      ['check_interval_seconds', 'expected_status_codes'],
    ],
    ['Ada Lovelace', 'mcp', 'toggleMonitor', 'Staging', []],
    ['Ada Lovelace', 'dashboard', 'updateMember', 'Mary Somerville', ['role']],
    [null, 'cli', 'setPlan', 'Analytical Engines', ['plan']],
  ] as const
  for (const [index, [actor, door, action, subject, fields]] of lines.entries()) {
    await addRow(db, 'audit_entries', {
      team_id: team,
      at: ago((index + 1) * 7 * HOUR_MS),
      actor_name: actor,
      door,
      action,
      subject,
      fields: [...fields],
    })
  }
}

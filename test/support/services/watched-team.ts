import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { createPerson, PASSWORD, type Person } from '../browser/people.ts'
import { layer } from '../on-call/schedules.ts'
import { addIncident } from '../records/history.ts'
import { ago, changeRows } from '../records/rows.ts'
import { addFinding } from '../records/sites.ts'
import type { Scope } from '../scope.ts'
import { startReceiver } from '../servers/receivers.ts'
import { startSwitchTarget } from '../servers/switch-target.ts'
import { openBrowser } from '../sign-in/cookie-browser.ts'
import { until } from '../until.ts'
import type { Answer, AskedService } from './asked-service.ts'
import { teamClient } from './team-client.ts'

/** Where a secret of the team's stands that viewers do not see. */
export const SECRETS = {
  webhook: 'wEbHoOkSeCrEt0123456789',
  slack: 'sLaCkSeCrEt0123456789',
  telegram: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw7',
  header: 'hEaDeRsEcReT0123456789',
  password: 'pAsSwOrDsEcReT0123456789',
}

/** A team whose screens all have something to show. */
export type WatchedTeam = {
  id: number
  people: Record<'owner' | 'admin' | 'viewer', Person>
  /** Ids as they stand in addresses. */
  shop: number
  server: number
  site: number
  incident: number
  /** The incidents of the server and of the site. */
  serverIncident: number
  siteIncident: number
  webhook: number
  slack: number
  telegram: number
  /** A switch for maintenance, its secret address, and that of the calendar. */
  window: number
  switchAddress: string
  calendarAddress: string
  /** An on-call schedule, and the secret address of its calendar. */
  schedule: number
  scheduleAddress: string
  /** An escalation policy that asks it, and a drill of that. */
  policy: number
  drill: number
  /** A status page for members, and the secret address of its feeds. */
  page: number
  post: number
  feedsAddress: string
  /** Shown to nobody any more. */
  token: string
  /** Shown to owners and admins who ask for it. */
  signingSecret: string
}

/** Makes such a team: monitors of each type, one of them down; alerts that came and that were refused; people. */
export async function createWatchedTeam(service: AskedService, scope: Scope): Promise<WatchedTeam> {
  const client = await teamClient(service)
  const { teamId: id } = client
  const down = await startSwitchTarget(scope, 503)
  const up = await startSwitchTarget(scope)
  // Like the page of many a framework, it repeats the address that it does not know.
  const receiver = await startReceiver(scope, (response, { path }) =>
    response.writeHead(path.includes('slack') ? 404 : 200).end(`Answer to POST ${path}`),
  )
  const webhook = await client.webhook(receiver, { config: { url: `${receiver.url}/${SECRETS.webhook}` } })
  const contact = (name: string, type: string, config: object) =>
    client.data('POST', '/notification-contacts', { name, type, config })
  const chat = await contact('Chat', 'slack', { webhook_url: `${receiver.url}/slack/${SECRETS.slack}` })
  // Attached to nothing, and nothing alerts everybody: this one leads out of the machine.
  const telegram = await contact('Phone', 'telegram', { bot_token: SECRETS.telegram, chat_id: '-1001234' })

  const attached = { notification_contact_ids: [webhook.id, chat.id], check_interval_seconds: 3_600 }
  const web = { url: up.url, request_headers: { 'X-Key': SECRETS.header } }
  const signedIn = { ...web, username: 'robot', password: SECRETS.password }
  const shop = await client.monitor({ ...attached, ...signedIn, url: down.url, name: 'Shop' })
  await client.monitor({ ...attached, ...web, name: 'Page', type: 'keyword', expected_keyword: 'OK' })
  const paused = { ...attached, is_active: false }
  await client.monitor({ ...paused, name: 'Certificate', type: 'ssl', url: 'https://localhost:1/' })
  await client.monitor({ ...paused, name: 'Port', type: 'tcp', url: up.url, port: 1 })
  const host = await client.monitor({ ...paused, name: 'Host', type: 'icmp', url: up.url })
  await client.monitor({ ...attached, name: 'Job', type: 'heartbeat' })
  const old = await client.monitor({ ...paused, ...signedIn, name: 'Old' })
  await client.data('DELETE', `/monitors/${old.id}`)

  const people = {
    owner: await createPerson(service, id, 'owner', 'Olga'),
    admin: await createPerson(service, id, 'admin', 'Adam'),
    viewer: await createPerson(service, id, 'viewer', 'Vera'),
  }
  const make = await dashboardOf(service, id, people.owner)
  const maintenance = await planMaintenance(make, host.id)
  const onCall = await makeSchedule(make, chat.id)
  const statusPage = await makeStatusPage(make, host.id)
  const server = await makeServer(make, service)
  const site = await makeSite(make, service)
  const { token } = await accounts.createToken(service.services, {
    team: id,
    email: people.owner.email,
    name: 'Deployment',
    expires: null,
  })
  const { signing_secret: signingSecret } = await accounts.signingSecret(service.services, id, false)
  await client.untilStatus(shop.id, 'down')
  await until('the alert of each contact has ended', async () => {
    const { rows } = await service.services.db.pool.query(
      `SELECT count(*) FROM deliveries WHERE contact_id IN ($1, $2) AND finished_at IS NOT NULL`,
      [webhook.id, chat.id],
    )
    return Number(rows[0].count) >= 2
  })
  await until('the diagnosis of the outage has ended', async () => {
    const { rowCount } = await service.services.db.pool.query(
      'SELECT FROM diagnoses WHERE monitor_id = $1 AND ended_at IS NOT NULL',
      [shop.id],
    )
    return rowCount === 1
  })
  const [incident] = await client.incidents(shop.id)
  return {
    id,
    people,
    shop: shop.id,
    server,
    site,
    incident: incident?.id ?? 0,
    ...(await addSubjectIncidents(service, { team_id: id, server_id: server, site_id: site })),
    webhook: webhook.id,
    slack: chat.id,
    telegram: telegram.id,
    ...maintenance,
    ...onCall,
    ...statusPage,
    token,
    signingSecret,
  }
}

type Make = (method: string, path: string, body?: unknown) => Promise<Answer['body']>

async function dashboardOf({ url }: AskedService, team: number, { email }: Person): Promise<Make> {
  const browser = openBrowser(url)
  await browser.send('POST', '/auth/sign-in', { email, password: PASSWORD })
  return async (method, path, body) => {
    const answer = await browser.send(method, `/app/teams/${team}${path}`, body)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
}

/** A window that runs and a switch, of a monitor that is paused: nothing else depends on them. */
async function planMaintenance(make: Make, monitor: number) {
  const subjects = { monitor_ids: [monitor] }
  const times = { starts_at: new Date(), ends_at: new Date(Date.now() + DAY_MS) }
  await make('POST', '/maintenance-windows', { kind: 'one_off', name: 'Rack move', ...subjects, ...times })
  const deploys = await make('POST', '/maintenance-windows', { kind: 'switch', name: 'Deploys', ...subjects })
  const calendar = await make('POST', '/maintenance-calendar')
  return { window: deploys.id, switchAddress: deploys.addresses.start, calendarAddress: calendar.url }
}

async function makeSchedule(make: Make, contact: number) {
  const participants = [{ key: 1, name: 'Night watch', contact_ids: [contact] }]
  const layers = [layer({ rotation: [1], starts_on: '2026-01-05' })]
  const { id } = await make('POST', '/schedules', {
    name: 'Night shift',
    time_zone: 'UTC',
    ...{ participants, layers },
  })
  const { url } = await make('POST', `/schedules/${id}/calendar`)
  const policy = await make('POST', '/escalation-policies', {
    name: 'Production',
    steps: [{ after_minutes: 10, schedule_id: id }],
  })
  const drill = await make('POST', `/escalation-policies/${policy.id}/drills`)
  return { schedule: id, scheduleAddress: url, policy: policy.id, drill: drill.id }
}

/** A server that has reported once; it is never found silent, because nothing says when it would be. */
async function makeServer(make: Make, { services: { db } }: AskedService): Promise<number> {
  const { id } = await make('POST', '/servers', { name: 'Rack one' })
  const machine = {
    source: 'agent',
    host_name: 'rack-one.example.com',
    os: null,
    kernel: null,
    architecture: null,
  }
  const rest = { cpus: 4, machine_id: null, boot_id: null, agent_version: null }
  const state = { status: 'up', last_report_at: new Date(), silent_at: null } as const
  const latest = JSON.stringify({ cpu_percent: 5 })
  const columns = { ...state, machine: JSON.stringify({ ...machine, ...rest }), latest }
  await changeRows(db, 'server_state', { server_id: id }, columns)
  return id
}

/** A site that is paused, so that nothing of it is asked for, with a broken link. */
async function makeSite(make: Make, { services: { db } }: AskedService): Promise<number> {
  const url = 'https://rack-site.example.com/'
  const { id } = await make('POST', '/sites', { name: 'Rack site', url, is_active: false })
  await addFinding(db, id, { address: `${url}gone` })
  return id
}

/** An incident that is over, of the server and of the site. */
async function addSubjectIncidents(
  { services: { db } }: AskedService,
  { team_id, server_id, site_id }: { team_id: number; server_id: number; site_id: number },
): Promise<{ serverIncident: number; siteIncident: number }> {
  const times = { team_id, started_at: ago(2 * HOUR_MS), resolved_at: ago(HOUR_MS) }
  const ofServer = {
    ...times,
    server_id,
    about: 'silent',
    warns_only: false,
    cause: 'no report for 3 min',
  }
  const ofSite = { ...times, site_id, about: 'dns', cause: 'no such host' }
  return {
    serverIncident: await addIncident(db, ofServer),
    siteIncident: await addIncident(db, ofSite),
  }
}

/** A page for members, with a secret address for feed readers and a domain that is not proved. */
async function makeStatusPage(make: Make, monitor: number) {
  const settings = { name: 'Shop status', slug: 'watched-shop', visibility: 'members' }
  const { id } = await make('POST', '/status-pages', settings)
  const path = `/status-pages/${id}`
  const component = { monitor_id: monitor, name: 'Public host' }
  await make('PUT', `${path}/layout`, { items: [{ group: { name: 'Hosts', components: [component] } }] })
  await make('PUT', `${path}/password`, { password: 'nine herons on a jetty' })
  await make('POST', `${path}/domains`, { domain: 'status.watched.example.com' })
  const { private_feeds } = await make('POST', `${path}/feed-token`)
  const update = { phase: 'investigating', body: 'Orders leave an hour late.' }
  const post = await make('POST', `${path}/posts`, { kind: 'incident', title: 'Late orders', update })
  await make('POST', '/status-templates', { ...update, name: 'Outage words', title: '{component} is late' })
  return { page: id, post: post.id, feedsAddress: private_feeds }
}

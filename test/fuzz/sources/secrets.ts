import { randomUUID } from 'node:crypto'
import { BadgeKind } from '../../../src/core/monitors/badge.ts'
import { INFLUX_QUESTIONS } from '../../../src/core/servers/inputs/answer.ts'
import type { Make } from '../../support/access/team-records.ts'
import { INPUTS } from '../../support/inputs/mutations.ts'
import { REPORTS } from '../../support/servers/mutated-reports.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import type { Living, Source } from '../living.ts'
import { form, page } from './forms.ts'

/** Addresses that are known by their secret: of jobs, servers, switches, calendars and badges. */
export function secretSources(ours: Make): Source[] {
  return [...pings(ours), ...servers(ours), ...ofTeam(ours)]
}

function pings(ours: Make): Source[] {
  const tokenOf = async (type: 'heartbeat' | 'manual' = 'heartbeat') =>
    (await ours.data('POST', '/monitors', MONITORS[type])).heartbeat_token
  return [
    ...['/ping', '/hc'].flatMap((door) =>
      ['', '/start', '/fail', '/0', '/log'].map((signal) => async () => ({
        ...page(`${door}/${await tokenOf()}${signal}?rid=${randomUUID()}`),
      })),
    ),
    ...['/ping', '/hc'].flatMap((door) =>
      ['', '/log'].map((signal) => async () => ({
        ...page(`${door}/${await tokenOf()}${signal}`),
        ...{ method: 'POST', bytes: Buffer.from('Copied 12 files.') },
      })),
    ),
    ...['up', 'down', 'level'].map((word) => async () => ({
      ...page(`/manual/${await tokenOf('manual')}/${word}?msg=Back`),
      method: 'POST',
    })),
    async () => page(`/manual/${await tokenOf('manual')}`),
    async () => page(`/api/push/${await tokenOf()}?status=up&msg=OK&ping=12`),
  ]
}

/** Messages of senders to a server, each in its protocol. */
function servers(ours: Make): Source[] {
  const addressOf = async () => {
    const { address } = await ours.data('GET', `/servers/${await ours('server')}/install`)
    return new URL(address).pathname
  }
  const bodies = new Map(INPUTS.map(([name, body]) => [name, body]))
  const send =
    (name: string, below: string, headers: Record<string, string>) => async (): Promise<Living> => {
      const bytes = bodies.get(name)
      if (!bytes) throw new Error(`no input ${name}`)
      return { name, method: 'POST', path: `${await addressOf()}${below}`, headers, bytes }
    }
  const [protobuf, json, snappy] = ['application/x-protobuf', 'application/json', 'snappy']
  return [
    send('OTLP in protobuf', '/v1/metrics', { 'content-type': protobuf }),
    send('OTLP in JSON', '/v1/metrics', { 'content-type': json }),
    send('Influx lines', '/api/v2/write', { 'content-type': 'text/plain' }),
    send('Influx lines', '/write', { 'content-type': 'text/plain' }),
    send('a Snappy block', '/api/v1/write', { 'content-type': protobuf, 'content-encoding': snappy }),
    ...REPORTS.map(
      (report) => async (): Promise<Living> => ({
        ...{ name: 'report of an agent', method: 'POST', path: await addressOf() },
        headers: { 'content-type': 'text/plain' },
        bytes: Buffer.from(report),
      }),
    ),
    ...['install', 'install.ps1', ...Object.keys(INFLUX_QUESTIONS)].map(
      (below) => async () => page(`${await addressOf()}/${below}`),
    ),
    ...Object.keys(INFLUX_QUESTIONS).map(
      (below) => async () => form(`${await addressOf()}/${below}`, { q: 'CREATE DATABASE telegraf' }),
    ),
  ]
}

function ofTeam(ours: Make): Source[] {
  const pathOf = (url: string) => new URL(url).pathname
  const badgeOf = async () =>
    pathOf((await ours.data('GET', `/monitors/${await ours('monitor')}/report`)).badge_url)
  return [
    ...['start', 'stop'].map((turn) => async () => {
      const { addresses } = await ours.data('GET', `/maintenance-windows/${await ours('maintenanceWindow')}`)
      return form(pathOf(addresses[turn]), {})
    }),
    async () => page(pathOf((await ours.data('POST', '/maintenance-calendar')).url)),
    async () => page(pathOf((await ours.data('POST', `/schedules/${await ours('schedule')}/calendar`)).url)),
    ...BadgeKind.options.flatMap((kind) =>
      ['json', 'svg'].map((type) => async () => page(`${await badgeOf()}/${kind}.${type}`)),
    ),
    ...['', '-windows', '-windows/1'].map((below) => async () => page(`/api/v1/maintenance${below}`)),
  ]
}

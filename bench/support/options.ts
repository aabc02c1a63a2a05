import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PROBED_TYPES, type ProbedType } from '../../src/core/monitors/monitor-types.ts'
import type { PostgresSettings } from './embedded-server.ts'

/** The types whose checks are counted. Browsers are processes, with a test of their own. */
export type CountedType = Exclude<ProbedType, 'browser'>
const COUNTED_TYPES = PROBED_TYPES.filter((type): type is CountedType => type !== 'browser')

/** Benchmarks that take long, or need what only the tests install, and run only on request. */
const LONG_PARTS = [
  'soak',
  'capacity',
  'simulation',
  'memory',
  'promotion',
  'paint',
  'screens',
  'flapping',
  'escalation',
  'agent',
  'crawl',
  'leaks',
  'peers',
] as const
const SHORT_PARTS = [
  'checks',
  'evidence',
  'recording',
  'api',
  'dashboard',
  'pings',
  'servers',
  'detection',
  'idle',
  'maintenance',
  'storage',
  'rollups',
  'echoes',
  'verdicts',
  'restart',
  'start',
  'status',
  'publication',
] as const
export const PARTS = [...SHORT_PARTS, ...LONG_PARTS]
export type Part = (typeof PARTS)[number]
/** In this order, one after the other. */
export const PEERS = ['upbeat', 'kuma', 'prometheus', 'icinga'] as const
export type PeerName = (typeof PEERS)[number]

/** How much is measured: more rounds and longer ones give steadier figures. */
export type Options = {
  parts: ReadonlySet<Part>
  /** Rounds of ours and of its reference in turn; the table shows medians. */
  rounds: number
  roundSeconds: number
  outages: number
  idleSeconds: number
  restartSeconds: number
  /** `beforeSeconds`: how long checks are watched without the crawl. */
  crawl: { pages: number; monitors: number; beforeSeconds: number }
  /** The types of monitors, one after the other, and how often each is checked. */
  leaks: { types: CountedType[]; checks: number }
  soakMinutes: number
  /** For how long the agent is compared with an exporter. */
  agentMinutes: number
  /** How many monitors the service is measured with, one size after the other. */
  sizes: number[]
  /** For how long each size is watched. */
  minutes: number
  capacity: {
    /** For each size. */
    minutes: number[]
    /** For each size: so many hours of past checks are written, and it is watched once more; 0: it is not. */
    hours: number[]
    postgres: PostgresSettings
  }
  simulation: {
    sizes: number[]
    minutes: number
    regions: string[]
    postgres: PostgresSettings
    /** The share of monitors that fail at any time. */
    failingPercent: number
  }
  /** Other programs of the same kind; `kuma`: the folder in which an Uptime Kuma is installed. */
  peers: { names: PeerName[]; sizes: number[]; minutes: number; kuma: string | null }
  /** Where the four processes that check are; one region means all four are in it. */
  regions: string[]
  /** The file that the report of a long run goes to, besides standard output. */
  out: string | null
}

export const HELP = `npm run bench -- [--quick | --long] [--only ${PARTS.join(',')}]

  (nothing)  3 rounds of 2 s, 100 outages, 20 s of idling, 10 million checks of history
  --quick    1 round of 1 s, 50 outages, 8 s of idling, no history: a few minutes, rough
  --long     5 rounds of 5 s, 200 outages, 60 s of idling
  --only     these parts only, separated by commas

  --only soak [--soak-minutes 30] [--out FILE]
             a long run, never done unless asked for; its report also goes to the file
  --only capacity [--monitors 1000,10000,100000] [--minutes 5] [--regions lon,nyc,sgp,tor] [--out FILE]
             likewise: four processes that check and one for the rest, watched so long with each number of
             monitors; with one region all four are in it
             --minutes 1,1,3 watches each size for its own time; --hours 0,0,4 writes so many hours of past checks of the
             day of each size and watches it again, with the index as after these hours; --postgres as below
  --only simulation [--monitors 1000000] [--minutes 15] [--failing 0.1] [--postgres NAME=VALUE,…] [--out FILE]
             likewise, with made-up results in the place of probes, so that a machine holds many more: whether the
             database, the schedule and the recorder keep up, and what is the limit. --failing: percent of the monitors.
             --postgres: settings of the embedded server that differ; "none" for none, otherwise those that
             docs/capacity.md says for this size. Ends with 1 when a check is missed or doubled
  --only memory [--monitors 1000,10000,100000] [--minutes 5]
             what one process and its database take with each number of monitors, part by part
  --only paint
             when Chromium has drawn a status page on a slow line; needs what npm ci installs
  --only screens
             from the click to the painted screen in a team of 5,000 monitors, in Chromium; likewise
  --only flapping [--minutes 5]
             how far five screens of a team of 3,000 monitors move while 300 flap, in Chromium; likewise
  --only agent [--minutes 15]
             figures of the agent of servers beside those of node_exporter; needs that and stress-ng
  --only crawl [--quick]
             a crawl of 5,000 pages beside 10,000 monitors, 25 minutes; --quick: 300 beside 1,000, 3 minutes
  --only leaks [--types dns,websocket] [--checks 10000]
             what so many checks of each type leave open, at a target that answers and at those of the failure catalogue; ends with
             1 where a verdict is false or a socket stays; needs what npm ci installs
  --only peers [--monitors 500,1000] [--minutes 1] [--kuma DIR] [--peers ${PEERS.join(',')}] [--out FILE]
             beside other programs of the same kind: Uptime Kuma as it is installed in DIR (built, with its
             dependencies), Prometheus with blackbox_exporter and icinga2 with check_http where they are installed;
             lists are painted if npm ci was run. 30 minutes with all of them, half of it Kuma's start`

const SOAK_MINUTES = 30
const LEAK_CHECKS = 10_000
const CAPACITY_MINUTES = 5
const AGENT_MINUTES = 15
const PEERS_MINUTES = 1
const PEERS_SIZES = '500,1000'
const CAPACITY_SIZES = '1000,10000,100000'
const CAPACITY_REGIONS = 'lon,nyc,sgp,tor'
const SIMULATION_SIZES = '1000000'
const SIMULATION_MINUTES = 15
const SIMULATION_REGIONS = 'lon'
const SIMULATION_FAILING = '0.1'
/** As docs/capacity.md says for 1,000,000 monitors. */
const SIMULATION_POSTGRES = 'shared_buffers=2GB,max_wal_size=16GB,wal_compression=on'
const NO_SETTINGS = 'none'

const CRAWL = { pages: 5_000, monitors: 10_000, beforeSeconds: 120 }
const QUICK_CRAWL = { pages: 300, monitors: 1_000, beforeSeconds: 60 }

const SIZES = {
  default: { rounds: 3, roundSeconds: 2, outages: 100, idleSeconds: 20, restartSeconds: 60 },
  quick: { rounds: 1, roundSeconds: 1, outages: 50, idleSeconds: 8, restartSeconds: 15 },
  long: { rounds: 5, roundSeconds: 5, outages: 200, idleSeconds: 60, restartSeconds: 60 },
}

/** Reads the command line; null when help is wanted. Throws what a person can read. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean' },
      long: { type: 'boolean' },
      only: { type: 'string' },
      'soak-minutes': { type: 'string' },
      monitors: { type: 'string' },
      minutes: { type: 'string' },
      regions: { type: 'string' },
      hours: { type: 'string' },
      failing: { type: 'string' },
      postgres: { type: 'string' },
      kuma: { type: 'string' },
      peers: { type: 'string' },
      out: { type: 'string' },
      types: { type: 'string' },
      checks: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return null
  const size = values.quick ? SIZES.quick : values.long ? SIZES.long : SIZES.default
  const parts = SHORT_PARTS.filter((part) => !(values.quick && part === 'storage'))
  return {
    ...size,
    crawl: values.quick ? QUICK_CRAWL : CRAWL,
    parts: new Set(values.only === undefined ? parts : values.only.split(',').map(partOf)),
    leaks: {
      types: values.types === undefined ? COUNTED_TYPES : values.types.split(',').map(typeOf),
      checks: wholeOf('--checks', values.checks ?? String(LEAK_CHECKS)),
    },
    soakMinutes: wholeOf('--soak-minutes', values['soak-minutes'] ?? String(SOAK_MINUTES)),
    agentMinutes: wholesOf('--minutes', values.minutes ?? String(AGENT_MINUTES))[0] as number,
    sizes: sizesOf(values.monitors ?? CAPACITY_SIZES),
    minutes: wholesOf('--minutes', values.minutes ?? String(CAPACITY_MINUTES))[0] as number,
    capacity: {
      minutes: wholesOf('--minutes', values.minutes ?? String(CAPACITY_MINUTES)),
      hours: (values.hours ?? '0').split(',').map((hours) => (hours === '0' ? 0 : wholeOf('--hours', hours))),
      postgres: settingsOf(values.postgres ?? NO_SETTINGS),
    },
    simulation: {
      sizes: sizesOf(values.monitors ?? SIMULATION_SIZES),
      minutes: wholesOf('--minutes', values.minutes ?? String(SIMULATION_MINUTES))[0] as number,
      regions: (values.regions ?? SIMULATION_REGIONS).split(','),
      postgres: settingsOf(values.postgres ?? SIMULATION_POSTGRES),
      failingPercent: percentOf('--failing', values.failing ?? SIMULATION_FAILING),
    },
    peers: {
      names: values.peers === undefined ? [...PEERS] : values.peers.split(',').map(peerOf),
      sizes: sizesOf(values.monitors ?? PEERS_SIZES),
      minutes: wholesOf('--minutes', values.minutes ?? String(PEERS_MINUTES))[0] as number,
      kuma: values.kuma === undefined ? null : resolve(values.kuma),
    },
    regions: (values.regions ?? CAPACITY_REGIONS).split(','),
    out: values.out ?? null,
  }
}

function typeOf(text: string): CountedType {
  const known = COUNTED_TYPES.find((type) => type === text)
  if (!known) throw new Error(`--types takes ${COUNTED_TYPES.join(', ')}, not ${text}`)
  return known
}

function sizesOf(text: string): number[] {
  return wholesOf('--monitors', text)
}

function wholesOf(option: string, text: string): number[] {
  return text.split(',').map((part) => wholeOf(option, part))
}

function percentOf(option: string, text: string): number {
  const percent = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (percent <= 100) return percent
  throw new Error(`${option} takes a number from 0 to 100, not ${JSON.stringify(text)}`)
}

function settingsOf(text: string): PostgresSettings {
  if (text === NO_SETTINGS) return {}
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [, name, value] = /^([a-z_]+)=(\w+)$/.exec(part) ?? []
      if (name && value) return [name, value]
      throw new Error(`--postgres takes NAME=VALUE, separated by commas, not ${JSON.stringify(part)}`)
    }),
  )
}

function wholeOf(option: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new Error(`${option} takes whole numbers from 1 on, not ${JSON.stringify(text)}`)
}

function partOf(name: string): Part {
  const part = PARTS.find((known) => known === name)
  if (part) return part
  throw new Error(`There is no part ${JSON.stringify(name)}: --only takes ${PARTS.join(', ')}`)
}

function peerOf(name: string): PeerName {
  const peer = PEERS.find((known) => known === name)
  if (peer) return peer
  throw new Error(`There is no peer ${JSON.stringify(name)}: --peers takes ${PEERS.join(', ')}`)
}

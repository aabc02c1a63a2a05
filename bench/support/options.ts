import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** Benchmarks that take long, or need what only the tests install, and run only on request. */
const LONG_PARTS = [
  'soak',
  'capacity',
  'memory',
  'paint',
  'screens',
  'flapping',
  'escalation',
  'agent',
  'crawl',
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
  soakMinutes: number
  /** For how long the agent is compared with an exporter. */
  agentMinutes: number
  /** How many monitors the service is measured with, one size after the other. */
  sizes: number[]
  /** For how long each size is watched. */
  minutes: number
  /** Other programs of the same kind; `kuma`: the folder in which an Uptime Kuma is installed. */
  peers: { sizes: number[]; minutes: number; kuma: string | null }
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
  --only memory [--monitors 1000,10000,100000] [--minutes 5]
             what one process and its database take with each number of monitors, part by part
  --only paint
             when Chromium has drawn a status page on a slow line; needs what npm ci installs
  --only screens
             from the click to the painted screen in a team of 5,000 monitors, in Chromium; likewise
  --only flapping [--minutes 5]
             how far the overview of that team moves while 500 monitors flap, in Chromium; likewise
  --only agent [--minutes 15]
             figures of the agent of servers beside those of node_exporter; needs that and stress-ng
  --only crawl [--quick]
             a crawl of 5,000 pages beside 10,000 monitors, 25 minutes; --quick: 300 beside 1,000, 3 minutes
  --only peers [--monitors 500,1000] [--minutes 2] [--kuma DIR] [--out FILE]
             beside other programs of the same kind: Uptime Kuma as it is installed in DIR (built, with its
             dependencies), Prometheus with blackbox_exporter and icinga2 with check_http where they are installed;
             lists are painted if npm ci was run. 50 minutes with all of them, a third of it Kuma's start`

const SOAK_MINUTES = 30
const CAPACITY_MINUTES = 5
const AGENT_MINUTES = 15
const PEERS_MINUTES = 2
const PEERS_SIZES = '500,1000'
const CAPACITY_SIZES = '1000,10000,100000'
const CAPACITY_REGIONS = 'lon,nyc,sgp,tor'

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
      kuma: { type: 'string' },
      out: { type: 'string' },
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
    soakMinutes: wholeOf('--soak-minutes', values['soak-minutes'] ?? String(SOAK_MINUTES)),
    agentMinutes: wholeOf('--minutes', values.minutes ?? String(AGENT_MINUTES)),
    sizes: sizesOf(values.monitors ?? CAPACITY_SIZES),
    minutes: wholeOf('--minutes', values.minutes ?? String(CAPACITY_MINUTES)),
    peers: {
      sizes: sizesOf(values.monitors ?? PEERS_SIZES),
      minutes: wholeOf('--minutes', values.minutes ?? String(PEERS_MINUTES)),
      kuma: values.kuma === undefined ? null : resolve(values.kuma),
    },
    regions: (values.regions ?? CAPACITY_REGIONS).split(','),
    out: values.out ?? null,
  }
}

function sizesOf(text: string): number[] {
  return text.split(',').map((size) => wholeOf('--monitors', size))
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

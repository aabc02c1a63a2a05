// Breaks the service as often as told and judges what it did; see docs/hostile.md. Started by bin/hostile.mjs.
import { randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { progress } from '../../bench/support/progress.ts'
import { Scope } from '../../bench/support/scope.ts'
import { type FaultKind, kindNames } from './faults.ts'
import { judge } from './judge.ts'
import { readMachine } from './machine.ts'
import type { Layout } from './members.ts'
import { renderReport } from './report.ts'
import { type Orders, type Run, runHostile } from './run.ts'

const HELP = `npm run hostile -- [--faults 200] [--seed N] [--only WORDS] [--report FILE] [--keep FOLDER]
npm run hostile -- --own-trouble --help

  --faults   how many faults to inject, 1 to 10000
  --seed     repeats the same faults, on a machine as fast as that one
  --monitors 1 to 1000, 24 unless told otherwise
  --sites    0 to 100, 4 unless told otherwise
  --no-windows  nobody works with maintenance windows
  --patroni  the database is the cluster of docs/high-availability.md, which fails over and switches over
  --pooled   with --patroni: PgBouncer and HAProxy are before it
  --only     kinds whose name holds one of these words, separated by commas
  --report   adds the report to this file, too
  --keep     writes all evidence and what every process said into this folder

Kinds:
${kindNames()
  .map((kind) => `  ${kind}`)
  .join('\n')}`

const LAYOUT: Layout[] = [
  { roles: 'api,alerts,scheduler' },
  { roles: 'alerts,scheduler' },
  { roles: 'probe,scheduler', region: 'lon' },
  { roles: 'probe,alerts', region: 'nyc' },
  { roles: 'probe', region: 'sgp' },
  { roles: 'probe,scheduler', region: 'tor' },
  { roles: 'probe', region: 'ams', isRemote: true },
]
/** Each pings as often as it may, and all from one address, which may ping 300 times a minute. */
const JOBS = 4
const SERVERS = 12
const QUIET_MS = 25_000
const WEATHER: Orders['weather'] = { wellMs: [8_000, 45_000], failingMs: [1_000, 40_000] }

const scope = new Scope()
await main().catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2))
  if (given === null) return console.log(HELP)
  if (process.platform !== 'linux') throw new Error('A hostile run reads /proc: it runs on Linux only.')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void scope.close().finally(() => process.exit(1)))
  }
  const machine = await readMachine()
  const orders: Orders = {
    machine: { ...machine, ...(given.patroni && { standbys: true, disk: false }) },
    isPooled: given.pooled,
    layout: LAYOUT,
    monitors: given.monitors,
    jobs: JOBS,
    servers: SERVERS,
    sites: given.sites,
    hasWindows: given.windows,
    timeoutSeconds: 5,
    weather: WEATHER,
    seed: given.seed,
    faults: given.faults,
    atOnce: 4,
    longestFaultMs: 15_000,
    longestPauseMs: 2_000,
    roundOf: 50,
    quiet: () => delay(QUIET_MS),
    slackMs: 5_000,
    wanted: (kind) => given.only.some((word) => kind.includes(word)),
  }
  progress(`seed ${orders.seed}`)
  try {
    const run = await runHostile(scope, orders, progress).catch((error) => {
      // Closing a run that broke off may fail, too.
      progress(`broken off: ${error instanceof Error ? error.stack : error}`)
      throw error
    })
    const findings = judge(run.evidence)
    const report = renderReport(orders, run, findings)
    console.log(report)
    if (given.report !== null) await writeFile(given.report, `${report}\n`, { flag: 'a' })
    if (given.keep !== null) await keep(given.keep, run)
    if (findings.length > 0 || !run.settled) process.exitCode = 1
  } finally {
    await scope.close()
  }
}

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      faults: { type: 'string', default: '200' },
      seed: { type: 'string' },
      monitors: { type: 'string', default: '24' },
      sites: { type: 'string', default: '4' },
      only: { type: 'string', default: '' },
      report: { type: 'string' },
      keep: { type: 'string' },
      'no-windows': { type: 'boolean' },
      patroni: { type: 'boolean', default: false },
      pooled: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return null
  if (values.pooled && !values.patroni) throw new Error('--pooled is for --patroni')
  return {
    faults: wholeNumber('--faults', values.faults, 1, 10_000),
    seed: wholeNumber('--seed', values.seed ?? String(randomInt(2 ** 31)), 0, 2 ** 31),
    monitors: wholeNumber('--monitors', values.monitors, 1, 1_000),
    sites: wholeNumber('--sites', values.sites, 0, 100),
    windows: !values['no-windows'],
    patroni: values.patroni,
    pooled: values.pooled,
    only: words(values.only),
    report: values.report ?? null,
    keep: values.keep ?? null,
  }
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  if (/^\d{1,10}$/.test(value) && number >= least && number <= most) return number
  throw new Error(`${name} is ${JSON.stringify(value)}: it takes a whole number from ${least} to ${most}`)
}

function words(text: string): string[] {
  const given = text.split(',').map((word) => word.trim())
  const unknown = given.find((word) => !kindNames().some((kind: FaultKind) => kind.includes(word)))
  if (unknown === undefined) return given
  throw new Error(`--only is ${JSON.stringify(unknown)}: it takes words of the kinds that --help lists`)
}

async function keep(folder: string, { evidence, faults, world }: Run): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'evidence.json'), JSON.stringify({ ...evidence, faults }, null, 1))
  for (const { name, service } of world.members) {
    await writeFile(join(folder, `${name.replaceAll(/\W+/g, '-')}.log`), service.output())
  }
}

// Lets this machine have every trouble of its own, and counts who was blamed for it; see docs/hostile.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { progress } from '../../../bench/support/progress.ts'
import { Scope } from '../../../bench/support/scope.ts'
import { longestUndecidedMs } from '../../../src/core/probing/evidence.ts'
import { FAILURES, type Failing } from './far-side.ts'
import { isFault } from './judge-scene.ts'
import { faultsOf, renderTable } from './report.ts'
import type { Row } from './row.ts'
import { ROWS, scenesOf } from './rows.ts'
import { type Findings, runScene } from './run.ts'
import { BESIDE, type Beside } from './stage.ts'
import { buildWorld, type Plan } from './world.ts'

const HELP = `npm run hostile -- --own-trouble [--only WORDS] [--beside WORDS] [--monitors 100] [--report FILE]

  --only     troubles whose name holds one of these words, separated by commas
  --monitors of all types, 10 to 1000, that are well all the time
  --interval seconds between two checks of a target, 2 unless told otherwise
  --timeout  seconds that a target has to answer, 2 unless told otherwise
  --seconds  how long a trouble lasts; otherwise two intervals and two time-outs, and some more
  --beside   what is monitored beside public targets, separated by commas:
             ${BESIDE.join(', ')}
  --failing  how other targets fail in the middle of it, separated by commas, or "all" of the ways below
  --report   adds the table to this file, too
  --log      writes what the service said into this file

Troubles:
${ROWS.map(({ name }) => `  ${name}`).join('\n')}

Ways to fail:
${Object.keys(FAILURES)
  .map((way) => `  ${way}`)
  .join('\n')}`

/** All of them together tell no more. */
const USUALLY_BESIDE: Beside[] = ['nothing', 'loopback', 'local network', 'internal names']
/** After two intervals and two time-outs the wrong would be decided, by the check after that. */
const LONGER = 1.5
const USUAL_WAYS: Failing[] = ['says 503', 'refuses', 'is silent']

/** Set for ourselves in the namespaces. */
const INSIDE = 'OWN_TROUBLE_REAL_ROOT'

const given = readArguments(process.argv.slice(2))
if (given === null) console.log(HELP)
else if (process.platform !== 'linux') throw new Error('A run of own trouble needs the namespaces of Linux.')
else if (process.env[INSIDE] === undefined) process.exitCode = await goInside()
else await main(given)

async function main({
  rows,
  besides,
  plan,
  troubleMs,
  report,
  log,
}: NonNullable<ReturnType<typeof readArguments>>) {
  const scope = new Scope()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void scope.close().finally(() => process.exit(1)))
  const all: Findings[] = []
  try {
    const world = await buildWorld(scope, plan, progress)
    try {
      const scenes = scenesOf(rows, besides)
      for (const [i, scene] of scenes.entries()) {
        progress(`${i + 1} of ${scenes.length}: ${scene.row.name}, beside ${scene.stage.beside}`)
        const findings = await runScene(world, scene, troubleMs)
        for (const wrong of faultsOf(findings)) progress(`  ${wrong}`)
        all.push(findings)
      }
    } finally {
      if (log !== undefined) await writeFile(log, world.service.output())
      if (all.length > 0) {
        const table = renderTable(plan, all)
        console.log(table)
        if (report !== undefined) await writeFile(report, `${table}\n`, { flag: 'a' })
      }
    }
    if (all.some(isFault)) process.exitCode = 1
  } finally {
    await scope.close()
  }
}

/** Starts this program anew where the network, the mounts and the routes are its own; returns its exit code. */
async function goInside(): Promise<number> {
  const isRoot = process.geteuid?.() === 0
  const namespaces = ['--net', '--mount', ...(isRoot ? [] : ['--user', '--map-root-user'])]
  const self = [process.execPath, ...process.execArgv, join(import.meta.dirname, 'command.ts')]
  const child = spawn('unshare', [...namespaces, ...self, ...process.argv.slice(2)], {
    env: { ...process.env, [INSIDE]: isRoot ? 'yes' : 'no' },
    stdio: 'inherit',
  })
  // A Ctrl-C reaches the child by itself, other signals through us. It cleans up before it ends.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return code ?? 1
}

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      'own-trouble': { type: 'boolean' },
      only: { type: 'string', default: '' },
      monitors: { type: 'string', default: '100' },
      beside: { type: 'string', default: USUALLY_BESIDE.join(',') },
      interval: { type: 'string', default: '2' },
      timeout: { type: 'string', default: '2' },
      seconds: { type: 'string' },
      failing: { type: 'string', default: USUAL_WAYS.join(',') },
      report: { type: 'string' },
      log: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return null
  const plan: Plan = {
    monitors: wholeNumber('--monitors', values.monitors, 10, 1_000),
    intervalSeconds: wholeNumber('--interval', values.interval, 1, 300),
    timeoutSeconds: wholeNumber('--timeout', values.timeout, 1, 60),
    failing: ways(values.failing),
  }
  return {
    rows: wantedRows(values.only),
    plan,
    besides: wantedBesides(values.beside),
    troubleMs:
      values.seconds === undefined
        ? longestUndecidedMs(plan.intervalSeconds, plan.timeoutSeconds) * LONGER
        : wholeNumber('--seconds', values.seconds, 1, 900) * 1_000,
    report: values.report,
    log: values.log,
  }
}

function wantedRows(only: string): Row[] {
  const words = only.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !ROWS.some(({ name }) => name.includes(word)))
  if (unknown !== undefined)
    throw new Error(`--only is ${JSON.stringify(unknown)}: it takes words of the troubles that --help lists`)
  return ROWS.filter(
    ({ name, isPossible }) => words.some((word) => name.includes(word)) && (isPossible?.() ?? true),
  )
}

function wantedBesides(text: string): Beside[] {
  return text.split(',').map((word) => {
    const beside = BESIDE.find((name) => name === word.trim())
    if (beside === undefined)
      throw new Error(`--beside is ${JSON.stringify(word)}: it takes what --help lists`)
    return beside
  })
}

function ways(text: string): Failing[] {
  const known = Object.keys(FAILURES) as Failing[]
  if (text === 'all') return known
  return text.split(',').map((word) => {
    const way = known.find((name) => name === word.trim())
    if (way === undefined) throw new Error(`--failing is ${JSON.stringify(word)}: it takes what --help lists`)
    return way
  })
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  if (/^\d{1,10}$/.test(value) && number >= least && number <= most) return number
  throw new Error(`${name} is ${JSON.stringify(value)}: it takes a whole number from ${least} to ${most}`)
}

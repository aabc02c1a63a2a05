import { type CheckThreads, startCheckThreads } from './check-threads.ts'
import { cpuMicros, databaseRoot, treeCpuMicros } from './processes.ts'
import { findBlackbox, startBlackbox } from './programs/blackbox.ts'
import { findIcinga, IcingaRefused, runIcinga } from './programs/icinga.ts'
import { findOpenssl, runOpenssl } from './programs/openssl.ts'
import { closedLoop } from './support/closed-loop.ts'
import { type BenchDatabase, openBenchDatabase } from './support/open-database.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { measureInTurn, pairsOf, type Round } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { seedMonitors } from './support/seed.ts'
import { startConstantServer } from './support/start-constant-server.ts'
import { compare, type Row } from './support/table.ts'

const IN_FLIGHT = 256
const MONITORS = 1_000
const BODY_BYTES = 100
const LIMIT_SECONDS = 30

type Cost = { perSecond: number; ownMicros: number; databaseMicros: number }

/** Whole checks, from the connection to the durable row, as fast as they go with 256 under way. */
export async function benchChecks(scope: Scope, options: Options): Promise<Row[]> {
  progress('checks: opening a database')
  const database = await openBenchDatabase(scope)
  const server = await startConstantServer(scope)
  const monitors = await seedMonitors(database.store, database.teamId, MONITORS, () => ({}))
  const ids = monitors.map(({ id }) => id)
  const threads = await startCheckThreads(scope, database.store, server.authority, ids)
  const rows: Row[] = []
  for (const scheme of ['http', 'https'] as const) {
    const url = `${scheme}://127.0.0.1:${server.ports[scheme]}/${BODY_BYTES}`
    const checks = createCheckLoop(threads, database, url)
    const bare = createBareLoop(threads, url)
    rows.push(...(await againstBare(scheme, threads.count, options, checks, bare)))
    rows.push(...(await againstBlackbox(scope, scheme, options, checks, url, server.authority)))
    if (scheme === 'http') rows.push(...(await againstIcinga(scope, options, checks, url)))
    else rows.push(...(await againstOpenssl(database.dataDir, options, checks, url, server.authority)))
  }
  return rows
}

async function againstBare(
  scheme: string,
  threads: number,
  options: Options,
  checks: (seconds: number) => Promise<Cost>,
  bare: (seconds: number) => Promise<Cost>,
): Promise<Row[]> {
  const rounds = await measureInTurn(`checks over ${scheme}`, options, checks, bare)
  const reference = `bare node:${scheme} loops, as many threads, agent: false, nothing recorded`
  const rate = `${scheme.toUpperCase()} checks, recorded: rate, ${IN_FLIGHT} under way, threads: ${threads}`
  return [
    compare(rate, '/s', reference, pairsOf(rounds, perSecond)),
    ...cpuWithAndWithoutDatabase(scheme, reference, rounds),
  ]
}

const perSecond = (cost: Cost) => cost.perSecond
const ownMicrosOf = ({ ownMicros }: Cost) => ownMicros
const allMicros = ({ ownMicros, databaseMicros }: Cost) => ownMicros + databaseMicros

function createCheckLoop(threads: CheckThreads, { store, dataDir }: BenchDatabase, url: string) {
  return async (seconds: number): Promise<Cost> => {
    const before = await countChecks(store)
    const database = databaseRoot(dataDir)
    const ownBefore = cpuMicros(process.pid)
    const databaseBefore = treeCpuMicros(database)
    const { done, perSecond } = await threads.run({ kind: 'checks', url, inFlight: IN_FLIGHT, seconds })
    const ownMicros = (cpuMicros(process.pid) - ownBefore) / done
    const databaseMicros = (treeCpuMicros(database) - databaseBefore) / done
    const kept = (await countChecks(store)) - before
    if (kept !== done) throw new Error(`${done} checks ran, and ${kept} were kept`)
    return { perSecond, ownMicros, databaseMicros }
  }
}

function createBareLoop(threads: CheckThreads, url: string) {
  return async (seconds: number): Promise<Cost> => {
    const before = cpuMicros(process.pid)
    const { done, perSecond } = await threads.run({ kind: 'bare', url, inFlight: IN_FLIGHT, seconds })
    return { perSecond, ownMicros: (cpuMicros(process.pid) - before) / done, databaseMicros: 0 }
  }
}

/** The exporter checks on request and keeps nothing; each of its checks costs a request of its own. */
async function againstBlackbox(
  scope: Scope,
  scheme: 'http' | 'https',
  options: Options,
  checks: (seconds: number) => Promise<Cost>,
  url: string,
  authority: string,
): Promise<Row[]> {
  const program = findBlackbox()
  if (program === null) {
    progress('checks: no blackbox_exporter on PATH, the comparison with it is left out')
    return []
  }
  const module = {
    prober: 'http' as const,
    timeoutSeconds: LIMIT_SECONDS,
    options: { preferred_ip_protocol: 'ip4' },
    ...(scheme === 'https' && { authority }),
  }
  const exporter = await startBlackbox(scope, program, { [scheme]: module }, IN_FLIGHT)
  const isUp = exporter.prober(scheme, url)
  const probe = async (seconds: number): Promise<Cost> => {
    const before = cpuMicros(exporter.pid)
    const { done, perSecond } = await closedLoop(IN_FLIGHT, seconds, async (worker) => {
      if (!(await isUp(worker))) throw new Error('the exporter found the target down')
    })
    return { perSecond, ownMicros: (cpuMicros(exporter.pid) - before) / done, databaseMicros: 0 }
  }
  const rounds = await measureInTurn(`checks over ${scheme} by blackbox_exporter`, options, checks, probe)
  return rateAndCpu(scheme, 'blackbox_exporter, nothing recorded', rounds)
}

/** Icinga starts a process for every check, as all of its family do, and keeps only the latest result. */
async function againstIcinga(
  scope: Scope,
  options: Options,
  checks: (seconds: number) => Promise<Cost>,
  url: string,
): Promise<Row[]> {
  const programs = findIcinga()
  if (programs === null) {
    progress('checks: no icinga2 with check_http, the comparison with it is left out')
    return []
  }
  const schedule = async (seconds: number): Promise<Cost> => {
    const round = await runIcinga(scope, programs, new URL(url), IN_FLIGHT, seconds)
    const { done, elapsedSeconds, cpuMicros } = round
    return { perSecond: done / elapsedSeconds, ownMicros: cpuMicros / done, databaseMicros: 0 }
  }
  try {
    const rounds = await measureInTurn('checks over http by icinga2', options, checks, schedule)
    return rateAndCpu('http', 'icinga2 with check_http, a process for each check', rounds)
  } catch (error) {
    if (!(error instanceof IcingaRefused)) throw error
    progress(`checks: the comparison with icinga2 is left out: ${error.message}`)
    return []
  }
}

/** OpenSSL's own client makes one connection after the other: its CPU time is the limit, its rate says nothing. */
async function againstOpenssl(
  folder: string,
  options: Options,
  checks: (seconds: number) => Promise<Cost>,
  url: string,
  authority: string,
): Promise<Row[]> {
  const program = findOpenssl()
  if (program === null) {
    progress('checks: no openssl on PATH, the comparison with it is left out')
    return []
  }
  const loop = async (seconds: number): Promise<Cost> => {
    const round = await runOpenssl(program, new URL(url), authority, folder, seconds)
    const { done, elapsedSeconds, cpuMicros } = round
    return { perSecond: done / elapsedSeconds, ownMicros: cpuMicros / done, databaseMicros: 0 }
  }
  const rounds = await measureInTurn('checks over https by openssl', options, checks, loop)
  return cpuWithAndWithoutDatabase('https', 'openssl s_time, nothing recorded', rounds)
}

function cpuWithAndWithoutDatabase(scheme: string, reference: string, rounds: Round<Cost>[]): Row[] {
  const name = `${scheme.toUpperCase()} checks, recorded: CPU each`
  return [
    compare(`${name}, ours + database`, 'µs', reference, pairsOf(rounds, allMicros)),
    compare(`${name}, ours`, 'µs', reference, pairsOf(rounds, ownMicrosOf)),
  ]
}

function rateAndCpu(scheme: string, reference: string, rounds: Round<Cost>[]): Row[] {
  const name = `${scheme.toUpperCase()} checks, recorded`
  return [
    compare(`${name}: rate`, '/s', reference, pairsOf(rounds, perSecond)),
    compare(`${name}: CPU each`, 'µs', reference, pairsOf(rounds, allMicros)),
  ]
}

async function countChecks({ db }: BenchDatabase['store']): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>('SELECT count(*) AS count FROM checks')
  return rows[0]?.count ?? 0
}

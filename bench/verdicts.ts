import { isIP } from 'node:net'
import { type CheckStatus, passes } from '../src/core/monitors/check.ts'
import type { ProbeSettings } from '../src/core/monitors/probe-settings.ts'
import { parseTarget, targetHost } from '../src/core/monitors/target.ts'
import { openEchoSockets } from '../src/probes/icmp/echo.ts'
import { createIcmpProbe, type EchoProbe } from '../src/probes/icmp.ts'
import { createProbes, probeBy } from '../src/probes/run.ts'
import { type Case, LIMIT_SECONDS, type Started } from '../test/catalogue/case.ts'
import { CATALOGUE } from '../test/catalogue/catalogue.ts'
import { settingsFor, testNetwork } from '../test/support/servers/targets-settings.ts'
import { type Blackbox, type BlackboxModule, findBlackbox, startBlackbox } from './programs/blackbox.ts'
import { reportTrouble } from './support/open-database.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { renderCells } from './support/table.ts'

/** Few enough that nobody misses a time limit because the others are busy. */
const AT_ONCE = 4

/** Why blackbox_exporter sees these otherwise. A difference that is not here fails the run. */
const KNOWN_DIFFERENCES: Record<string, string> = {
  'The body stalls, of a page that is asked for its status':
    'it reads the body to its end; we judge the status alone',
  'A body of 10 GB, of a page that is asked for its status':
    'it reads the body to its end; we judge the status alone',
  'Header flood: one header of 70,000 characters': 'it takes up to 10 MiB of headers, we 64 KiB',
  'Header flood: 10,000 headers': 'it takes up to 10 MiB of headers, we 64 KiB',
  'A chain of 6 redirects': 'it follows 10 redirects, we 5',
  'Of a POST to another origin, with 307': 'it asks another origin with any method',
}

/** It must not be let loose on these. */
const OFF_THE_LOOPBACK: ReadonlySet<string> = new Set([
  "To a cloud's metadata address",
  'From a public address to a private one',
  'From a public address to a private one, with `PRIVATE_REDIRECTS=allow`',
  'To a private address where those are denied',
])

/** The catalogue has none: without a network, hosts that do not answer are hard to come by. */
const PINGS: Case[] = ['127.0.0.1', '127.0.0.2', '[::1]'].map((host) => ({
  name: `${host} answers`,
  type: 'icmp',
  status: 'up',
  cause: null,
  start: async () => ({ settings: { url: `ping://${host}` } }),
}))

type Trial = { failure: Case; started: Started; settings: ProbeSettings; module: string; target: string }
type Verdict = { type: string; name: string; ours: CheckStatus; theirs: 'up' | 'down'; why: string }

/** The failure catalogue, judged by us and by blackbox_exporter; a table of its own. */
export async function benchVerdicts(scope: Scope): Promise<string> {
  const program = findBlackbox()
  if (program === null) {
    progress('verdicts: no blackbox_exporter on PATH, there is nobody to compare with')
    return 'Verdicts: no blackbox_exporter on the PATH, so nothing was compared.'
  }
  progress('verdicts: starting the targets of the catalogue')
  const { trials, leftOut } = await startTrials(scope)
  const modules = Object.fromEntries(trials.map((trial) => [trial.module, moduleFor(trial)]))
  const exporter = await startBlackbox(scope, program, modules, AT_ONCE)
  const icmp = startIcmp(scope)
  progress(`verdicts: ${trials.length} cases`)
  const verdicts: Verdict[] = new Array(trials.length)
  const waiting = trials.entries()
  const judgeWaiting = async (worker: number) => {
    for (const [index, trial] of waiting) verdicts[index] = await judge(trial, exporter, icmp, worker)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => judgeWaiting(worker)))
  return report(verdicts, leftOut)
}

async function startTrials(scope: Scope): Promise<{ trials: Trial[]; leftOut: string[] }> {
  const compared: ProbeSettings['type'][] = ['http', 'ssl', 'tcp', 'icmp']
  const cases = [...CATALOGUE.flatMap((group) => group.cases), ...PINGS].filter(({ type }) =>
    compared.includes(type),
  )
  for (const name of [...Object.keys(KNOWN_DIFFERENCES), ...OFF_THE_LOOPBACK]) {
    if (!cases.some((failure) => failure.name === name)) throw new Error(`no case is called ${name}`)
  }
  const trials: Trial[] = []
  const leftOut: string[] = []
  for (const failure of cases) {
    const started = await failure.start(scope)
    const settings = settingsFor(failure.type, {
      request_timeout_seconds: LIMIT_SECONDS,
      ...started.settings,
    })
    const target = targetOf(settings)
    if (target === null || OFF_THE_LOOPBACK.has(failure.name)) leftOut.push(failure.name)
    else trials.push({ failure, started, settings, module: `case-${trials.length}`, target })
  }
  return { trials, leftOut }
}

/** As the exporter takes it; null for a name, because it asks the system's name servers and no others. */
function targetOf(settings: ProbeSettings): string | null {
  const { type, url } = settings
  const parsed = parseTarget(url)
  const host = parsed && targetHost(parsed)
  if (!parsed || !host || isIP(host) === 0) return null
  if (type === 'http') return url
  if (type === 'icmp') return host
  return `${parsed.hostname}:${settings.type === 'tcp' ? settings.port : parsed.port}`
}

function moduleFor({ settings, started: { authority } }: Trial): BlackboxModule {
  const common = { timeoutSeconds: LIMIT_SECONDS, ...(authority !== undefined && { authority }) }
  const family = { preferred_ip_protocol: 'ip4' }
  switch (settings.type) {
    case 'ssl':
      return { ...common, prober: 'tcp', options: { ...family, tls: true } }
    case 'tcp':
      return { ...common, prober: 'tcp', options: family }
    case 'icmp':
      return { ...common, prober: 'icmp', options: family }
    case 'dns':
    case 'smtp':
    case 'imap':
    case 'pop3':
    case 'ssh':
    case 'ftp':
    case 'udp':
    case 'ntp':
    case 'snmp':
    case 'radius':
    case 'sip':
    case 'game':
    case 'grpc':
    case 'ldap':
    case 'docker':
    case 'postgresql':
    case 'mysql':
    case 'redis':
    case 'mongodb':
    case 'sqlserver':
    case 'mqtt':
    case 'amqp':
    case 'nats':
    case 'kafka':
      throw new Error('its prober knows no such protocol')
    case 'domain':
    case 'websocket':
    case 'steps':
    case 'browser':
      throw new Error(`checks of the type ${settings.type} are not compared`)
    default: {
      const { http_method: method, expected_status_codes: valid_status_codes } = settings
      return { ...common, prober: 'http', options: { ...family, method, valid_status_codes } }
    }
  }
}

async function judge(
  { failure: { name, type }, started, settings, module, target }: Trial,
  exporter: Blackbox,
  icmp: EchoProbe,
  worker: number,
): Promise<Verdict> {
  const network = started.network ?? testNetwork()
  const probes = createProbes({ network, now: () => new Date(), icmp, onBug: reportTrouble })
  const { status: ours, errorMessage } = await probeBy(probes, settings, new AbortController().signal)
  const isUp = await exporter.prober(module, target)(worker)
  const verdict = { type, name, ours, theirs: isUp ? ('up' as const) : ('down' as const) }
  if (ours === 'pending') return { ...verdict, why: `not judged here: ${errorMessage}` }
  if (passes(ours) === isUp) return { ...verdict, why: '' }
  return { ...verdict, why: KNOWN_DIFFERENCES[name] ?? UNEXPLAINED }
}

const UNEXPLAINED = 'UNEXPLAINED'

function startIcmp(scope: Scope): EchoProbe {
  const sockets = openEchoSockets()
  scope.after(async () => sockets.close())
  const resolve = async (host: string) => ({
    kind: 'addresses' as const,
    addresses: [{ address: host, family: host.includes(':') ? (6 as const) : (4 as const) }],
  })
  return createIcmpProbe({ resolve, sockets, now: () => new Date() })
}

function report(verdicts: Verdict[], leftOut: string[]): string {
  const unexplained = verdicts.filter(({ why }) => why === UNEXPLAINED).length
  if (unexplained > 0) process.exitCode = 1
  const agreed = verdicts.filter(({ why }) => why === '').length
  const rows = verdicts.map(({ type, name, ours, theirs, why }) => [
    name,
    type,
    ours,
    theirs,
    why === '' ? 'yes' : 'no',
    why === '' ? '–' : why,
  ])
  return [
    `Verdicts: ${agreed} of ${verdicts.length} agree, ${unexplained} differ without a known reason.`,
    `Not asked of the exporter, because it knows no name server but the system's or would leave the loopback: ${leftOut.length} cases.`,
    '',
    renderCells([['Case', 'Type', 'Upbeat', 'blackbox_exporter', 'Agree', 'Why not'], ...rows]),
  ].join('\n')
}

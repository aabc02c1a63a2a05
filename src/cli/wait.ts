import { type Command, InvalidArgumentError, Option } from 'commander'
import { CheckStatus } from '../core/monitors/check.ts'
import type { Monitor } from '../core/monitors/monitor.ts'
import { intervalSecondsOf } from '../core/probing/schedule.ts'
import { askData, type Client, NoAnswer, Refused } from './client/client.ts'
import { addServiceOptions, type Context, type ServiceOptions, toId, withClient } from './client/connect.ts'
import type { Delays } from './client/delays.ts'
import { type OutputOptions, print } from './output.ts'

const DEFAULT_TIMEOUT_S = 60
const MAX_TIMEOUT_S = 86_400
const MAX_MONITORS = 20
/** Half of the rate limit, which is shared with other programs of the same account. */
const MS_PER_QUESTION = 2_000
const REPORT_EVERY_MS = 15_000

type WaitOptions = {
  monitor: number[]
  status: CheckStatus
  timeout: number
  allowCurrent?: boolean
} & OutputOptions &
  ServiceOptions

export function addWait(program: Command, context: Context): void {
  const command = program
    .command('wait')
    .description('wait until monitors have a status, as a deployment gate')
    .addOption(
      new Option('--monitor <id>', 'monitor to wait for; may be repeated')
        .argParser(toIds)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--status <status>', 'status to wait for').choices(CheckStatus.options).default('up'),
    )
    .addOption(
      new Option('--timeout <seconds>', 'give up after this time')
        .argParser(toSeconds)
        .default(DEFAULT_TIMEOUT_S),
    )
    .option('--allow-current', 'accept the last result, too; by default only new checks count')
    .option('--json', 'print {"data": …}: the monitors')
  addServiceOptions(command).action((options: WaitOptions) => wait(context, options))
}

async function wait(context: Context, options: WaitOptions): Promise<void> {
  const { terminal, deployment } = context
  const { delays } = deployment
  const gaveUp = delays.within(options.timeout * 1_000)
  const watched = options.monitor.map((id): Watched => ({ id, first: undefined, latest: undefined }))
  await withClient(context, options, async (client) => {
    try {
      await watchAll(client, watched, options, { delays, signal: gaveUp, report: terminal.err })
    } catch (error) {
      if (!gaveUp.aborted) throw error
    }
  })
  const missing = watched.filter((each) => !isReached(each, options))
  if (missing.length > 0) throw new Error(missing.map((each) => faultOf(each, options)).join('\n'))
  const monitors = watched.map(({ latest }) => latest as Monitor)
  const plain = monitors.map(({ id, name, status }) => `monitor ${id} (${name}) is ${status}`).join('\n')
  print(terminal, options, monitors, plain)
}

/** A monitor as first and last seen by this wait. */
type Watched = { id: number; first: Monitor | undefined; latest: Monitor | undefined }

/**
 * Polls until every monitor has been seen with the status. Throws when the signal aborts, and when waiting is hopeless.
 */
async function watchAll(
  client: Client,
  watched: Watched[],
  options: WaitOptions,
  waiting: { delays: Delays; signal: AbortSignal; report: (line: string) => void },
): Promise<void> {
  const { delays, signal, report } = waiting
  let reportAt = Date.now()
  for (;;) {
    const open = watched.filter((each) => !isReached(each, options))
    if (open.length === 0) return
    for (const each of open) {
      const isFirst = each.first === undefined
      each.latest = await ask(client, each, signal, report)
      each.first ??= each.latest
      if (isFirst) warnOfSlow(each.latest, options, report)
    }
    const missing = open.filter((each) => !isReached(each, options))
    const hopeless = missing.find(({ latest }) => latest && !latest.is_active)
    if (hopeless)
      throw new Error(`monitor ${hopeless.id} (${hopeless.latest?.name}) is paused: it is not checked`)
    if (missing.length > 0 && Date.now() >= reportAt) {
      report(`waiting: ${missing.map((each) => stateOf(each, options)).join('; ')}`)
      reportAt = Date.now() + REPORT_EVERY_MS
    }
    if (missing.length > 0) await delays.pause(missing.length * MS_PER_QUESTION, signal)
  }
}

/** Once reached, the service may also be restarting, so the wait goes on when it is unreachable. */
async function ask(
  client: Client,
  { id, latest }: Watched,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<Monitor> {
  try {
    return await askData<Monitor>(client, 'getMonitor', { params: { monitor: id }, signal })
  } catch (error) {
    if (error instanceof Refused) throw new Error(`monitor ${id}: ${error.message}`, { cause: error })
    if (!(error instanceof NoAnswer) || !latest) throw error
    report(error.message)
    return latest
  }
}

/** A result from before the wait says nothing about a new deployment. A status once reached may change again. */
function isReached({ first, latest }: Watched, { status, allowCurrent }: WaitOptions): boolean {
  if (!first || !latest || latest.status !== status) return false
  return allowCurrent === true || isFresh(first, latest)
}

function isFresh(first: Monitor, latest: Monitor): boolean {
  return latest.last_checked_at !== null && latest.last_checked_at !== first.last_checked_at
}

function warnOfSlow(monitor: Monitor, options: WaitOptions, report: (line: string) => void): void {
  const interval = intervalSecondsOf(monitor)
  const isAwaited = monitor.is_active && !(options.allowCurrent && monitor.status === options.status)
  // A heartbeat's interval is a deadline for its job, not a schedule.
  if (!isAwaited || monitor.type === 'heartbeat' || interval <= options.timeout) return
  report(
    `monitor ${monitor.id} is checked every ${interval} s only: no check may come within ${options.timeout} s (--allow-current takes the last one)`,
  )
}

function stateOf({ id, first, latest }: Watched, { status }: WaitOptions): string {
  if (!first || !latest) return `monitor ${id} was not seen`
  const name = `monitor ${id} (${latest.name})`
  if (latest.status === status) return `${name} is ${status} by a check before this wait`
  if (latest.status === 'maintenance') return `${name} fails inside a maintenance window`
  const cause = latest.open_incident?.cause
  return `${name} is ${latest.status}${cause ? `: ${cause}` : ''}`
}

function faultOf(watched: Watched, options: WaitOptions): string {
  return `${stateOf(watched, options)}; not ${options.status} within ${options.timeout} s`
}

function toIds(value: string, former: number[] = []): number[] {
  if (former.length === MAX_MONITORS) throw new InvalidArgumentError(`It takes at most ${MAX_MONITORS}.`)
  return [...former, toId(value)]
}

function toSeconds(value: string): number {
  if (/^[1-9]\d{0,4}$/.test(value) && Number(value) <= MAX_TIMEOUT_S) return Number(value)
  throw new InvalidArgumentError(`It takes seconds, a whole number from 1 to ${MAX_TIMEOUT_S}.`)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Place, Report } from './reporter.ts'

/** One process of a run: a group of test files, or a check of the sources. */
export type Step = {
  name: string
  /** Arguments of Node. */
  args: string[]
  /** Needed besides the environment of the run. */
  environment?: Record<string, string>
  /** The test files; none where it is no test. */
  files: string[]
  /** A command that runs just this. */
  runAlone: string
}

export type StepEnd = {
  code: number
  output: string
  ms: number
  /** The tests that were under way when nothing had come from the step for too long; null where it ended by itself. */
  hung: Place[] | null
}

export type RunningStep = {
  step: Step
  ended: Promise<StepEnd>
  /** Ends it with every process that it has started. */
  stop(): Promise<void>
  /** Ends it likewise, as one that hangs. */
  giveUp(): Promise<void>
}

export type StepSettings = {
  root: string
  environment: Record<string, string | undefined>
  /** Its output goes where ours goes, instead of being kept. */
  isClose: boolean
  /** A step that prints and reports nothing for so long is ended, in milliseconds; null for never. */
  silenceMs: number | null
  onReport: (report: Report) => void
}

const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url))
export const TEST_REPORTER = [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout']

/** The part of a step's output that is kept: enough for the end of a crash. */
const MAX_KEPT_CHARACTERS = 64 * 1024
/** A service ends its database first; whatever is left after that is killed. */
const STOP_GRACE_MS = 10_000
const STOP_POLL_MS = 50

/** Starts a step in a process group of its own, so that what it starts can be ended with it. */
export function startStep(step: Step, settings: StepSettings): RunningStep {
  const { root, environment, isClose, silenceMs, onReport } = settings
  const began = performance.now()
  const output = isClose ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, step.args, {
    cwd: root,
    env: { ...environment, ...step.environment },
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
  })
  const underWay = new Map<string, Place>()
  let hung: Place[] | null = null
  const silence = silenceMs === null ? undefined : setTimeout(() => giveUp(), silenceMs)
  let kept = ''
  const keep = (text: string) => {
    silence?.refresh()
    kept = (kept + text).slice(-MAX_KEPT_CHARACTERS)
  }
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep)
  child.on('message', (report: Report) => {
    silence?.refresh()
    if (report.kind === 'said') keep(report.text)
    else if (report.kind === 'began') underWay.set(keyOf(report), report)
    else if (report.kind === 'over') underWay.delete(keyOf(report))
    onReport(report)
  })
  const exited = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      keep(error.message)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
  // Does not come while a process that was left behind holds the output open.
  const closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  const stop = () => endGroup(child)
  const giveUp = () => {
    hung = [...underWay.values()]
    return stop()
  }
  // Processes left behind by the step, such as a service, would go on using the machine.
  const ended = exited.then(async (code) => {
    clearTimeout(silence)
    await stop()
    await Promise.race([closed, delay(STOP_GRACE_MS, undefined, { ref: false })])
    return { code, output: kept, ms: performance.now() - began, hung }
  })
  return { step, ended, stop, giveUp }
}

function keyOf({ file, line, name }: Place): string {
  return JSON.stringify([file, line, name])
}

async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return
  const deadline = performance.now() + STOP_GRACE_MS
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS))
    if (!signalGroup(pid, 0)) return
  }
  signalGroup(pid, 'SIGKILL')
}

/** Whether there was anybody to get it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

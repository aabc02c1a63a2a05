import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Report } from './reporter.ts'

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

export type StepEnd = { code: number; output: string; ms: number }

export type RunningStep = {
  step: Step
  ended: Promise<StepEnd>
  /** Ends it with every process that it has started. */
  stop(): Promise<void>
}

export type StepSettings = {
  root: string
  environment: Record<string, string | undefined>
  /** Its output goes where ours goes, instead of being kept. */
  isClose: boolean
  onReport: (report: Report) => void
}

const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url))
export const TEST_REPORTER = [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout']

/** Of what a step prints: enough for the end of a crash. */
const MAX_KEPT_CHARACTERS = 64 * 1024
/** A service ends its database first; whatever is left after that is killed. */
const STOP_GRACE_MS = 10_000
const STOP_POLL_MS = 50

/** Starts a step in a process group of its own, so that what it starts can be ended with it. */
export function startStep(step: Step, { root, environment, isClose, onReport }: StepSettings): RunningStep {
  const began = performance.now()
  const output = isClose ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, step.args, {
    cwd: root,
    env: { ...environment, ...step.environment },
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
  })
  let kept = ''
  const keep = (text: string) => {
    kept = (kept + text).slice(-MAX_KEPT_CHARACTERS)
  }
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep)
  child.on('message', (report: Report) => {
    if (report.kind === 'said') keep(report.text)
    onReport(report)
  })
  const exited = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      keep(error.message)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
  const stop = () => endGroup(child)
  // Processes left behind by the step, such as a service, would go on using the machine.
  const ended = exited.then(async (code) => {
    await stop()
    return { code, output: kept, ms: performance.now() - began }
  })
  return { step, ended, stop }
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

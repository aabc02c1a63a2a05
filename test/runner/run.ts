import { relative } from 'node:path'
import type { Progress } from './progress.ts'
import type { Place, Report } from './reporter.ts'
import { type RunningStep, type Step, startStep } from './step.ts'

export type Failure = { where: string; error: string; runAlone: string }

export type RunSettings = {
  root: string
  environment: Record<string, string | undefined>
  /** How many steps run at once. */
  lanes: number
  isClose: boolean
  /** A step that prints and reports nothing for so long is ended and has failed, in milliseconds; null for never. */
  silenceMs: number | null
  progress: Progress
}

export type Run = {
  /** The failures, in the order they happened; resolves when every started step has ended. */
  failures: Promise<Failure[]>
  /** Begins no further step, and ends those under way with all that they have started. */
  stop(): Promise<void>
}

/** Runs steps in their order, as many at once as there are lanes. One that fails does not keep others from running. */
export function runSteps(steps: Step[], settings: RunSettings): Run {
  const waiting = [...steps]
  const running = new Set<RunningStep>()
  const failures: Failure[] = []

  function fail(failure: Failure) {
    failures.push(failure)
    settings.progress.failed(failure)
  }

  async function runLane(): Promise<void> {
    for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step)
  }

  async function runStep(step: Step): Promise<void> {
    const { progress, root } = settings
    let passed = 0
    let failed = 0
    let cpuMs = 0
    let loadingMs = 0
    const onReport = (report: Report) => {
      if (report.kind === 'loaded') loadingMs = report.cpuMs
      if (report.kind === 'over' && report.took) {
        cpuMs += report.took.cpuMs
        progress.took(relative(root, report.file), report.took)
      }
      if (report.kind !== 'passed' && report.kind !== 'failed') return
      const file = relative(root, report.file)
      progress.tested(step, file)
      if (report.kind === 'passed') passed++
      else {
        failed++
        fail({
          where: `${file}:${report.line}  ${report.name}`,
          error: report.error,
          runAlone: `npm test -- ${relative(root, report.outermost)}`,
        })
      }
    }
    progress.began(step)
    const started = startStep(step, { ...settings, onReport })
    running.add(started)
    const { code, output, ms, hung } = await started.ended
    running.delete(started)
    const isTest = step.files.length > 0 && !settings.isClose
    const silence = hung && describeSilence(hung, root)
    const trouble = silence ?? (failed > 0 ? null : troubleOf(code, isTest && passed === 0))
    if (trouble) fail({ where: step.name, error: `${output}${trouble}`, runAlone: step.runAlone })
    const isGood = failed === 0 && trouble === null
    progress.ended(step, {
      ...{ isGood, tests: passed + failed, ms, cpuMs: cpuMs + loadingMs, loadingMs },
      output: trouble ? '' : output,
    })
  }

  return {
    failures: Promise.all(Array.from({ length: settings.lanes }, runLane)).then(() => failures),
    async stop() {
      waiting.length = 0
      await Promise.all([...running].map((step) => step.stop()))
    },
  }
}

/** The trouble of a step that failed without naming a test, or ran none. */
function troubleOf(code: number, isEmpty: boolean): string | null {
  if (code !== 0) return `It ended with exit code ${code}.`
  return isEmpty ? 'It ran no test.' : null
}

function describeSilence(underWay: Place[], root: string): string {
  const lines = underWay.map(({ file, line, name }) => `\n${relative(root, file)}:${line}  ${name}`)
  return `It said nothing for so long that it was ended. Under way:${lines.join('') || ' no test'}`
}

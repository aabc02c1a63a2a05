import { processorMs } from './processor-time.ts'
import type { Took } from './reporter.ts'
import type { Failure } from './run.ts'
import type { Step } from './step.ts'

/** The files that took the longest are named, this many. */
const NAMED_FILES = 10
/** The most often that a terminal is redrawn, and only when something has changed. */
const REDRAW_MS = 100
const TICK_MS = 1_000
const CLEAR_LINE = '\r\u001B[2K'

export type StepResult = {
  isGood: boolean
  tests: number
  ms: number
  /** Processor time; 0 where nothing counts it. `loadingMs` of it went before the first test. */
  cpuMs: number
  loadingMs: number
  output: string
}

/** Shows people how a run goes: each step and each failure as it ends, and on a terminal a line that says the rest. */
export type Progress = {
  began(step: Step): void
  tested(step: Step, file: string): void
  failed(failure: Failure): void
  /** A test or suite of a file is over, which is in no other one. */
  took(file: string, took: Took): void
  ended(step: Step, result: StepResult): void
  /** The last words: everything that failed once more, with the command that runs it alone. */
  finished(failures: Failure[]): void
}

/** For a run whose steps show their own output. */
export const NO_PROGRESS: Progress = {
  began() {},
  tested() {},
  failed() {},
  took() {},
  ended() {},
  finished() {},
}

export type Screen = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export function showProgress(screen: Screen, steps: Step[], lanes: number): Progress {
  const began = performance.now()
  const filesInAll = steps.reduce((sum, { files }) => sum + files.length, 0)
  /** The file that each running step is at. */
  const running = new Map<Step, string>()
  const files = new Set<string>()
  const tooks = new Map<string, Took>()
  let tests = 0
  let failures = 0
  let drawnAt = Number.NEGATIVE_INFINITY

  function line(): string {
    const steps = [...running].map(([{ name }, file]) => (file ? `${name} (${nameOf(file)})` : name))
    const failed = failures > 0 ? ` · ${failures} failed` : ''
    const done = `${tests} tests, ${files.size} of ${filesInAll} files${failed}`
    return `${secondsSince(began)} · ${done} · ${steps.join(', ')}`.slice(0, (screen.columns ?? 80) - 1)
  }

  function draw() {
    if (!screen.isTTY || performance.now() - drawnAt < REDRAW_MS) return
    drawnAt = performance.now()
    screen.write(CLEAR_LINE + line())
  }

  function print(text: string) {
    screen.write(`${screen.isTTY ? CLEAR_LINE : ''}${text}\n`)
    drawnAt = Number.NEGATIVE_INFINITY
    draw()
  }

  function longest(): string {
    const most = (key: keyof Took) =>
      [...tooks]
        .sort(([, one], [, other]) => other[key] - one[key])
        .slice(0, NAMED_FILES)
        .map(([file, took]) => `${nameOf(file)} ${seconds(took[key])}`)
        .join(', ')
    if (tooks.size === 0) return ''
    return `\nThe files that took the longest: ${most('ms')}\nThe most processor time: ${most('cpuMs')}\n`
  }

  const ticking = screen.isTTY ? setInterval(draw, TICK_MS).unref() : undefined

  return {
    began(step) {
      running.set(step, '')
      draw()
    },
    tested(step, file) {
      tests++
      files.add(file)
      running.set(step, file)
      draw()
    },
    failed(failure) {
      failures++
      print(`\n${describe(failure)}\n`)
    },
    took(file, { ms, cpuMs }) {
      const before = tooks.get(file) ?? { ms: 0, cpuMs: 0 }
      tooks.set(file, { ms: before.ms + ms, cpuMs: before.cpuMs + cpuMs })
    },
    ended(step, { isGood, tests, ms, cpuMs, loadingMs, output }) {
      running.delete(step)
      const count = tests > 0 ? `, ${plural(tests, 'test')}` : ''
      const printed = isGood || output === '' ? '' : `; it printed:\n${indent(output.trimEnd())}`
      const processor = cpuMs > 0 ? ` (processor: ${seconds(cpuMs)}, ${seconds(loadingMs)} to load)` : ''
      print(`${isGood ? '✔' : '✖'} ${step.name}${count}, ${seconds(ms)}${processor}${printed}`)
    },
    finished(failed) {
      clearInterval(ticking)
      if (screen.isTTY) screen.write(CLEAR_LINE)
      const counted = tests > 0 ? `${plural(tests, 'test')}, ` : ''
      const processor = `${seconds(processorMs())} of processor time`
      const ran = `${counted}${plural(lanes, 'step')} at a time, in ${secondsSince(began)} and ${processor}`
      screen.write(longest())
      if (failed.length === 0) screen.write(`\nEverything passed: ${ran}\n`)
      else screen.write(`\n${failed.map(describe).join('\n\n')}\n\n${failed.length} failed: ${ran}\n`)
    },
  }
}

function describe({ where, error, runAlone }: Failure): string {
  return `✖ ${where}\n${indent(error.trimEnd())}\n  Run it alone: ${runAlone}`
}

function nameOf(file: string): string {
  return file.replace(/^test\//, '').replace(/\.test\.ts$/, '')
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}

function secondsSince(began: number): string {
  return seconds(performance.now() - began)
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}

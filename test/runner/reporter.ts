import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { testFailed } from '../support/hang-guard.ts'
import { processorMs } from './processor-time.ts'

/** The reports that a process of tests sends to the runner. */
export type Report =
  | ({ kind: 'began' } & Place)
  /** `took` is null for what is inside of another one. */
  | ({ kind: 'over'; took: Took | null } & Place)
  /** The files are imported, before the first test of them. */
  | { kind: 'loaded'; cpuMs: number }
  | { kind: 'passed'; file: string }
  /** `outermost` is the file of the suite that it is in: what stands in other files is run by that one. */
  | { kind: 'failed'; file: string; line: number; name: string; error: string; outermost: string }
  | { kind: 'said'; text: string }

/** How long something took, and how much processor time, with that of the processes that it started and ended. */
export type Took = { ms: number; cpuMs: number }

/** Names a test or a suite of tests. */
export type Place = { file: string; line: number; name: string }

// A run that is killed takes its tests, and the services that they started, with it.
process.on('disconnect', () => process.kill(0, 'SIGTERM'))
// Listening alone would keep this process alive.
process.channel?.unref()

/** A reporter of `node --test` that prints nothing: results go to the parent process, one by one. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = []
  let outermost = ''
  let spentMs: number | null = null
  const spent = () => {
    const before = spentMs ?? 0
    spentMs = processorMs()
    return spentMs - before
  }
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') {
      if (spentMs === null) tell({ kind: 'loaded', cpuMs: spent() })
      const { file = '', line = 0, name } = data
      tell({ kind: 'began', file, line, name })
    } else if (type === 'test:complete') {
      const { file = '', line = 0, name, nesting, details } = data
      const took = nesting === 0 ? { ms: isFile(data) ? 0 : details.duration_ms, cpuMs: spent() } : null
      tell({ kind: 'over', file, line, name, took })
    } else if (type === 'test:start') {
      names.length = data.nesting
      names.push(data.name)
      if (data.nesting === 0) outermost = data.file ?? ''
    } else if (type === 'test:pass' && data.details.type !== 'suite' && !isFile(data)) {
      tell({ kind: 'passed', file: data.file ?? '' })
    } else if (type === 'test:fail' && isCause(data.details.error)) {
      const name = [...names.slice(0, data.nesting), data.name].join(' > ')
      const { file = '', line = 0 } = data
      const error = describe(data.details.error)
      testFailed.publish(name)
      tell({ kind: 'failed', file, line, name, error, outermost })
    } else if (type === 'test:diagnostic' && (data.nesting > 0 || isLate(data.message))) {
      tell({ kind: 'said', text: `${data.message}\n` })
    } else if (type === 'test:stdout' || type === 'test:stderr') {
      tell({ kind: 'said', text: data.message })
    }
  }
  yield ''
}

function tell(report: Report) {
  // A runner that was killed meanwhile must not crash the tests: they end by the disconnection, with their services.
  process.send?.(report, undefined, undefined, () => {})
}

/** An error that came after its test had passed, which fails the run and belongs to no test any more. The rest are counts. */
function isLate(message: string): boolean {
  return message.startsWith('Error: ')
}

/** A file without a test counts as one that passed. */
function isFile({ name, file }: { name: string; file?: string }): boolean {
  return file !== undefined && resolve(name) === file
}

/** Not just that something inside failed, which has been told. */
function isCause(error: Error & { failureType?: string }): boolean {
  return error.failureType !== 'subtestsFailed'
}

function describe(error: Error): string {
  const { cause } = error
  return cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause ?? error)
}

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { HANG_GUARD_MS } from './hang-guard.ts'

/** Waits for the end of a process, as status and signal. One that does not end is killed, and fails the test. */
export async function exitOf(
  child: ChildProcess,
  what: string,
  printed: () => string = () => '',
): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  const { exitCode, signalCode } = child
  if (exitCode !== null || signalCode !== null) return [exitCode, signalCode]
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, HANG_GUARD_MS)
  const [code, signal] = await once(child, 'exit')
  clearTimeout(timer)
  assert.ok(!isLate, `waited in vain for ${what} to end\n${printed()}`)
  return [code, signal]
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Lets a running process open nothing any more, by a limit below what it has open; returns what undoes it. */
export async function lowerDescriptors(pid: number, limit: number): Promise<() => Promise<void>> {
  const set = async (text: string) => void (await run('prlimit', ['--pid', String(pid), `--nofile=${text}:`]))
  const args = ['--pid', String(pid), '--nofile', '--output=SOFT', '--noheadings']
  const { stdout } = await run('prlimit', args)
  await set(String(limit))
  return () => set(stdout.trim())
}

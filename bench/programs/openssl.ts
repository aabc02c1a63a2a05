import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { endedChildrenCpuMicros } from '../processes.ts'
import { findProgram } from '../support/programs.ts'

/** The command of OpenSSL; null when it is not installed. */
export function findOpenssl(): string | null {
  return findProgram(['openssl'])
}

/**
 * One round of OpenSSL's own client loop (`openssl s_time`): a connection, a full handshake with the certificate verified,
 * and a request, one after the other. It is about the least that a check over HTTPS can cost.
 */
export async function runOpenssl(
  program: string,
  url: URL,
  authority: string,
  folder: string,
  seconds: number,
): Promise<{ done: number; elapsedSeconds: number; cpuMicros: number }> {
  const file = join(folder, 'authority.pem')
  await writeFile(file, authority)
  const before = endedChildrenCpuMicros(process.pid)
  const began = performance.now()
  const [to, limit] = [`${url.hostname}:${url.port}`, String(Math.ceil(seconds))]
  const child = spawn(
    program,
    ['s_time', '-new', '-connect', to, '-www', url.pathname, '-time', limit, '-CAfile', file, '-verify', '2'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const elapsedSeconds = (performance.now() - began) / 1_000
  const done = Number(/(\d+) connections in \d+ real seconds/.exec(printed)?.[1] ?? 0)
  if (done === 0) throw new Error(`openssl s_time made no connection: ${printed}`)
  return { done, elapsedSeconds, cpuMicros: endedChildrenCpuMicros(process.pid) - before }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inheritedEnvironment } from '../../test/support/environment.ts'
import { freePort } from '../../test/support/free-port.ts'
import { postmaster, treeCpuMicros } from '../processes.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { compare, type Row } from '../support/table.ts'
import { makeBareProject, type Project } from './bare-project.ts'

const OURS: Project = { folder: fileURLToPath(new URL('../..', import.meta.url)), env: {} }
/** A start is short: many of them make a steadier median than the rounds of other parts. */
const STARTS_PER_ROUND = 3
const ASK_EVERY_MS = 5

/** One start: the time until it answers, and the CPU time of all its processes by then, in milliseconds. */
type Start = { readyMs: number; cpuMs: number }

/**
 * A second `npm start`: dependencies are installed, the dashboard is built, the database exists. From the command to
 * the first 200 of GET /health, beside a bare server and the same PostgreSQL started by npm.
 */
export async function benchStart(scope: Scope, { rounds }: Options): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
  scope.after(() => rm(dataDir, { recursive: true, force: true }))
  // As root the database runs as somebody else, who must be able to pass.
  await chmod(dataDir, 0o711)
  progress('start: the first start, not measured')
  await startOnce(OURS, dataDir)
  const bare = await makeBareProject(scope, dataDir)
  await startOnce(bare, dataDir)
  const pairs: { ours: Start; reference: Start }[] = []
  for (let n = 1; n <= rounds * STARTS_PER_ROUND; n++) {
    progress(`start: ${n} of ${rounds * STARTS_PER_ROUND}`)
    pairs.push({ ours: await startOnce(OURS, dataDir), reference: await startOnce(bare, dataDir) })
  }
  const bareIs = 'npm start of a bare node:http server and the same PostgreSQL'
  const row = (name: string, unit: string, read: (start: Start) => number) =>
    compare(
      `Second npm start: ${name}`,
      unit,
      bareIs,
      pairs.map(({ ours, reference }) => ({ ours: read(ours), reference: read(reference) })),
    )
  return [
    row('until GET /health answers 200', 's', ({ readyMs }) => readyMs / 1_000),
    row('CPU by then, all processes', 's', ({ cpuMs }) => cpuMs / 1_000),
  ]
}

/** Starts the project in `folder`, asks until it answers, and stops it. */
async function startOnce({ folder, env }: Project, dataDir: string): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...inheritedEnvironment(), ...env, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(npm, 'exit')
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  while (!(await isHealthy(port))) {
    if (hasEnded) throw new Error(`npm start ended in ${folder}`)
    await delay(ASK_EVERY_MS)
  }
  const readyMs = performance.now() - began
  // The server that pg_ctl starts is no longer below npm.
  const cpuMs = treeCpuMicros(npm.pid as number, postmaster(dataDir)) / 1_000
  npm.kill('SIGTERM')
  await ended
  return { readyMs, cpuMs }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).status === 200
  } catch {
    return false
  }
}

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cgroup, createCgroup } from './cgroup.ts'
import { holdBack } from './duty-cycle.ts'
import { type Hardship, spin } from './hardships.ts'

export type StressRun = { code: number; wallSeconds: number; cpuSeconds: number; output: string }

/** Runs a command to its end under a hardship. Its processor time is that of everything it started, and waited for. */
export async function runOnce(command: string[], hardship: Hardship): Promise<StressRun> {
  const { launcher = [], cores = null, loops = 0 } = hardship
  const cgroup = createCgroup(`upbeat-stress-${process.pid}`, cores, loops)
  const folder = mkdtempSync(join(tmpdir(), 'upbeat-stress-'))
  const timesFile = join(folder, 'times')
  const end = spin(loops, cgroup?.beside ?? null)
  try {
    const began = performance.now()
    const script = [...joining(cgroup), '"$@"', 'code=$?', `times > '${timesFile}'`, 'exit $code'].join('\n')
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...launcher, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    const held = cgroup || cores === null || !child.pid ? null : holdBack(child.pid, shareOf(cores))
    const code = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
    await held?.stop()
    const wallSeconds = (performance.now() - began) / 1_000
    const cpuSeconds = cgroup?.cpuSeconds() ?? sumTimes(readFileSync(timesFile, 'utf8'))
    return { code, wallSeconds, cpuSeconds, output }
  } finally {
    end()
    cgroup?.remove()
    rmSync(folder, { recursive: true })
  }
}

function joining(cgroup: Cgroup | null): string[] {
  return (cgroup?.procsFiles ?? []).map((file) => `echo $$ > '${file}'`)
}

/** Processes that are stopped for a share of the time have that share of every core. */
function shareOf(cores: number): number {
  return cores / navigator.hardwareConcurrency
}

/** The seconds of children, user and system, as the shell's `times` prints them on its second line: `1m2.50s 0m3.00s`. */
export function sumTimes(printed: string): number {
  const [, children = ''] = printed.split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}

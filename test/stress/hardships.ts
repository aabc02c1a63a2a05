import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const LOOPS = 8

/** The conditions that a run of the tests is put under. */
export type Hardship = {
  /** For the table. */
  says: string
  /** The program that starts the command. */
  launcher?: string[]
  /** The cores that all its processes share; less than there are. */
  cores?: number
  /** How many processes want all that they can get beside it. */
  loops?: number
}

/** The option of `npm run test:stress` that asks for it is its key. */
export const HARDSHIPS = {
  quiet: { says: 'nothing else' },
  loops: { says: `${LOOPS} busy loops beside it`, loops: LOOPS },
  'one-core': { says: 'one core', launcher: ['taskset', '-c', '0'] },
  half: {
    says: `half of ${availableParallelism()} cores`,
    cores: availableParallelism() / 2,
  },
  'half-core': { says: 'half a core', cores: 0.5 },
} satisfies Record<string, Hardship>

export type HardshipName = keyof typeof HARDSHIPS

/** Starts busy loops, by `stress-ng` where it is installed, after they have joined a control group; returns what ends them. */
export function spin(count: number, group: string | null): () => void {
  if (count === 0) return () => {}
  const hasProgram = spawnSync('stress-ng', ['--version'], { stdio: 'ignore' }).status === 0
  const loops = hasProgram
    ? [startJoined(group, ['stress-ng', '--cpu', String(count), '--quiet'])]
    : Array.from({ length: count }, () => startJoined(group, [process.execPath, '-e', 'for (;;);']))
  const end = () => {
    for (const loop of loops) loop.kill(hasProgram ? 'SIGTERM' : 'SIGKILL')
  }
  process.once('exit', end)
  return () => {
    process.off('exit', end)
    end()
  }
}

function startJoined(group: string | null, command: string[]): ChildProcess {
  const joining = group === null ? '' : `echo $$ > '${group}'; `
  return spawn('/bin/sh', ['-c', `${joining}exec "$@"`, 'sh', ...command], { stdio: 'ignore' })
}

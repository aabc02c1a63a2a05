import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const LOOPS = 8

/** What a run of the tests has to put up with. */
export type Hardship = {
  /** For the table. */
  says: string
  /** What the command is started by. */
  launcher?: string[]
  /** The cores that all its processes share; less than there are. */
  cores?: number
  /** Begins what runs beside it, and gives what ends that. */
  begin?(): () => void
}

/** By the option of `npm run test:stress` that asks for it. */
export const HARDSHIPS = {
  quiet: { says: 'nothing else' },
  loops: { says: `${LOOPS} busy loops beside it`, begin: spin },
  'one-core': { says: 'one core', launcher: ['taskset', '-c', '0'] },
  half: {
    says: `half of ${availableParallelism()} cores`,
    cores: availableParallelism() / 2,
  },
  'half-core': { says: 'half a core', cores: 0.5 },
} satisfies Record<string, Hardship>

export type HardshipName = keyof typeof HARDSHIPS

/** By `stress-ng` where it is installed. */
function spin(): () => void {
  const hasProgram = spawnSync('stress-ng', ['--version'], { stdio: 'ignore' }).status === 0
  const loops: ChildProcess[] = hasProgram
    ? [spawn('stress-ng', ['--cpu', String(LOOPS), '--quiet'], { stdio: 'ignore' })]
    : Array.from({ length: LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  const end = () => {
    for (const loop of loops) loop.kill(hasProgram ? 'SIGTERM' : 'SIGKILL')
  }
  process.once('exit', end)
  return () => {
    process.off('exit', end)
    end()
  }
}

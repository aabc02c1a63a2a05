import type { Database } from '../../postgres/database.ts'
import type { Loop, LoopReports } from '../../postgres/loop.ts'
import { worksLeft } from '../../store/history/stretches.ts'
import { chunksOfChecks, chunksOfSamples } from './compact.ts'
import { daysOfChecks, hoursOfChecks } from './roll-up.ts'
import { startRounds, timed } from './rounds.ts'
import { type SharedWork, workOnStretch } from './shared-work.ts'

/** The leader alone is done before that with an hour of a small service. */
const LOOK_EVERY_MS = 5_000
/** A process looks again this often after a span is done, as the next one may be shared out. */
const LOOK_AGAIN_MS = 500
const LOOKS_AGAIN = 20

type HelpDeps = { db: Database } & LoopReports

/** Helps the process that leads with its work on history from `begin` to `end`, in the same steps and with the same rests. */
export function createHelp(deps: HelpDeps): { begin(): void; end(): Promise<void> } {
  let help: Loop | null = null
  return {
    begin() {
      help ??= startHelp(deps)
    },
    async end() {
      const former = help
      help = null
      await former?.close()
    },
  }
}

function startHelp(deps: HelpDeps): Loop {
  let looks = LOOKS_AGAIN
  return startRounds(
    () => timed(helpRound(deps)),
    (steps) => {
      looks = steps > 0 ? 0 : looks + 1
      return looks < LOOKS_AGAIN ? LOOK_AGAIN_MS : LOOK_EVERY_MS
    },
    deps,
  )
}

/** Takes stretches of all works until none can be taken. Failures are reported, and left to a later round. */
export async function* helpRound({ db, onTrouble, onRound }: HelpDeps): AsyncGenerator<void> {
  const works: SharedWork[] = [hoursOfChecks(db), daysOfChecks(), chunksOfChecks(), chunksOfSamples()]
  try {
    const left = await worksLeft(db.pool)
    for (const work of works.filter(({ name }) => left.includes(name)))
      while (await workOnStretch(db, work)) yield
  } catch (error) {
    onTrouble(error)
  }
  onRound?.()
}

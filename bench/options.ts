import { parseArgs } from 'node:util'

export const PARTS = ['checks', 'recording', 'api', 'detection', 'idle', 'storage'] as const
export type Part = (typeof PARTS)[number]

/** How much is measured: more rounds and longer ones give steadier figures. */
export type Options = {
  parts: ReadonlySet<Part>
  /** Rounds of ours and of its reference in turn; the table shows medians. */
  rounds: number
  roundSeconds: number
  outages: number
  idleSeconds: number
}

export const HELP = `npm run bench -- [--quick | --long] [--only ${PARTS.join(',')}]

  (nothing)  3 rounds of 2 s, 100 outages, 20 s of idling, 10 million checks of history: about 5 minutes
  --quick    1 round of 1 s, 50 outages, 8 s of idling: about 2 minutes, rough
  --long     5 rounds of 5 s, 200 outages, 60 s of idling: about 10 minutes
  --only     these parts only, separated by commas`

const SIZES = {
  default: { rounds: 3, roundSeconds: 2, outages: 100, idleSeconds: 20 },
  quick: { rounds: 1, roundSeconds: 1, outages: 50, idleSeconds: 8 },
  long: { rounds: 5, roundSeconds: 5, outages: 200, idleSeconds: 60 },
}

/** Reads the command line; null when help is wanted. Throws what a person can read. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean' },
      long: { type: 'boolean' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return null
  const size = values.quick ? SIZES.quick : values.long ? SIZES.long : SIZES.default
  const parts = values.quick ? PARTS.filter((part) => part !== 'storage') : PARTS
  return { parts: new Set(values.only === undefined ? parts : values.only.split(',').map(partOf)), ...size }
}

function partOf(name: string): Part {
  const part = PARTS.find((known) => known === name)
  if (part) return part
  throw new Error(`There is no part ${JSON.stringify(name)}: --only takes ${PARTS.join(', ')}`)
}

// Sends requests that are nearly right to every route, or judges answers by assertions, and counts what goes wrong; see docs/fuzzing.md. Started by bin/fuzz.mjs.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { progress } from '../../bench/support/progress.ts'
import { fuzzAssertions } from './assertions.ts'
import { renderFuzz } from './report.ts'
import { runFuzz } from './run.ts'
import { startFuzzed } from './service.ts'

const HELP = `npm run fuzz -- [--requests 100000 | --assertions 200000] [--seed N]

  --requests    how many to send, 1 to 10000000
  --assertions  judges answers by so many lists of assertions instead
  --seed        the same ones again`

const MAX_COUNT = 10_000_000
const MAX_SEED = 2 ** 31

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    assertions: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    help: { type: 'boolean' },
  },
})
if (values.help) console.log(HELP)
else if (values.assertions !== undefined) await judge(Number(values.assertions), Number(values.seed))
else await main(Number(values.requests), Number(values.seed))

async function judge(count: number, seed: number): Promise<void> {
  refuseOdd({ '--assertions': [count, MAX_COUNT], '--seed': [seed, MAX_SEED] })
  progress(`seed ${seed}`)
  const { slow, troubles, ...figures } = await fuzzAssertions(count, seed)
  console.log({ ...figures, slow: slow.length, troubles: troubles.length })
  for (const trouble of [...slow, ...troubles]) console.log(JSON.stringify(trouble))
  if (slow.length + troubles.length > 0) process.exitCode = 1
}

function refuseOdd(given: Record<string, [value: number, most: number]>): void {
  for (const [name, [value, most]] of Object.entries(given)) {
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new Error(`${name} takes a whole number from 1 to ${most}`)
  }
}

async function main(requests: number, seed: number): Promise<void> {
  refuseOdd({ '--requests': [requests, MAX_COUNT], '--seed': [seed, MAX_SEED] })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  progress(`seed ${seed}`)
  const closers: (() => Promise<void>)[] = []
  // A server of its own is stopped with the service.
  const service = await startFuzzed({ after: (close) => closers.push(close) }, { DATABASE_URL: '' })
  const report = await runFuzz(service, { requests, seed, note: progress }, collect)
  await service.close()
  for (const close of closers) await close()
  console.log(renderFuzz({ requests, seed }, report))
  if (report.troubles.length > 0) process.exitCode = 1
}

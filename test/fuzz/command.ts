// Sends requests that are nearly right to every route and counts what goes wrong; see docs/fuzzing.md. Started by bin/fuzz.mjs.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { progress } from '../../bench/support/progress.ts'
import { renderFuzz } from './report.ts'
import { runFuzz } from './run.ts'
import { startFuzzed } from './service.ts'

const HELP = `npm run fuzz -- [--requests 100000] [--seed N]

  --requests  how many to send, 1 to 10000000
  --seed      sends the same ones`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    help: { type: 'boolean' },
  },
})
if (values.help) console.log(HELP)
else await main(Number(values.requests), Number(values.seed))

async function main(requests: number, seed: number): Promise<void> {
  for (const [name, value, most] of [
    ['--requests', requests, 10_000_000],
    ['--seed', seed, 2 ** 31],
  ] as const) {
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new Error(`${name} takes a whole number from 1 to ${most}`)
  }
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

// `npm run test:stress`: the tests again and again, on a machine that has other things to do.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HARDSHIPS, type HardshipName } from './hardships.ts'
import { runOnce, type StressRun } from './run-once.ts'
import { stressTable } from './table.ts'

const HELP = `npm run test:stress -- [--quiet N] [--loops N] [--one-core N] [--half N] [--half-core N] [--out FILE] [-- TESTS]

Runs npm test so many times under each hardship, once under each if none is named, and prints a table.
Arguments after -- are those of npm test. --out keeps the table, and what failing runs printed, in a file.
`

const names = Object.keys(HARDSHIPS) as HardshipName[]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    out: { type: 'string' },
    ...(Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as Record<
      HardshipName,
      { type: 'string' }
    >),
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}

const isChosen = names.some((name) => values[name] !== undefined)
const orders = names.flatMap((name) =>
  Array.from({ length: countOf(values[name] ?? (isChosen ? '0' : '1'), name) }, () => name),
)
const command = [process.execPath, join(import.meta.dirname, '../../bin/test.mjs'), ...positionals]
const runs: (StressRun & { says: string })[] = []
for (const name of orders) {
  const { says } = HARDSHIPS[name]
  console.log(`Run ${runs.length + 1} of ${orders.length}: ${says} …`)
  const run = { ...(await runOnce(command, HARDSHIPS[name])), says }
  runs.push(run)
  if (run.code !== 0) console.log(run.output)
  if (values.out) writeFileSync(values.out, report())
}
console.log(`\n${stressTable(runs)}`)
process.exitCode = runs.some(({ code }) => code !== 0) ? 1 : 0

function countOf(given: string, name: string): number {
  if (/^\d{1,3}$/.test(given)) return Number(given)
  process.stderr.write(`--${name} takes a number of runs from 0 to 999, not ${JSON.stringify(given)}\n`)
  process.exit(2)
}

function report(): string {
  const failed = runs.filter(({ code }) => code !== 0)
  return [stressTable(runs), ...failed.map(({ output }) => `\`\`\`text\n${output}\`\`\``)].join('\n\n')
}

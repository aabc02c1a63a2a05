// `npm test`: everything. Test files as arguments run only those, `npm run test:long` runs what takes minutes, and
// `npm run test:programs` what needs programs that are not from npm.
import { readdirSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { memoryFolder } from './memory-folder.ts'
import { missingPrograms, PROGRAMS } from './programs.ts'
import { NO_PROGRESS, showProgress } from './progress.ts'
import { runSteps } from './run.ts'
import { planSteps } from './steps.ts'

/** Ends a step that would keep everybody waiting; far longer than any test takes, and than waits for conditions last. */
const SILENCE_MS = 10 * 60_000

const root = join(import.meta.dirname, '../..')
const given = process.argv.slice(2)
const missing = given.length > 0 ? [] : await missingPrograms()
const { steps, isClose } = planSteps(given, testFiles(), missing)
// Output that is shown as it comes would mix. More than cores, since most groups wait for half of their time.
const lanes = isClose ? 1 : availableParallelism() + 2
const progress = isClose ? NO_PROGRESS : showProgress(process.stdout, steps, lanes)
const folder = memoryFolder()
// A set has time for all of what `npm test` tries a sample of.
const isAtLength = given.some((argument) => /^--(long|programs)$|^(\.\/)?test\/long\//.test(argument))
const atLength = isAtLength && { TEST_AT_LENGTH: 'yes' }
const environment = { ...process.env, ...(folder && { TMPDIR: folder }), ...atLength }
const silenceMs = isClose ? null : SILENCE_MS
const run = runSteps(steps, { root, environment, lanes, isClose, silenceMs, progress })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await run.stop()
    process.exit(128 + constants.signals[signal])
  })
}

const failures = await run.failures
progress.finished(failures)
if (missing.length > 0) {
  const named = missing.map((name) => `${name} (${PROGRAMS[name]})`)
  console.log(`Not run, because the program is not installed: ${named.join(', ')}`)
}
process.exitCode = failures.length > 0 ? 1 : 0

/** From the root of the project, in a settled order. */
function testFiles(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
}

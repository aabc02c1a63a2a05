// `npm test`: everything, in order, ending at the first failure. Test files as arguments run only those,
// `npm run test:long` runs what takes minutes, and `npm run test:programs` what needs programs that are not from npm.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join, normalize } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './bootstrap.mjs'
import { ensureDashboard } from './build-dashboard.mjs'
import { memoryFolder } from './memory-folder.mjs'
import { missingPrograms, PROGRAMS } from './programs.mjs'
import { nodeFlags, pinnedNode, runtimeEnvironment } from './runtime.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** These start whole services and wait with patience; the tests beside them notice a busy machine, as a service does. */
const PATIENT_NICENESS = 10
const ONE_PROCESS = '--test-isolation=none'
/** Groups of tests that run side by side, each in one process or in one for each file. */
const GROUPS = [
  // All files that no other group names.
  { name: 'tests' },
  { name: 'tests with a database', folders: /^test\/(engine|operations|store)\// },
  // One running service for all of a folder.
  { name: 'tests of shared services', folders: /^test\/service-(api|whole)\//, isPatient: true },
  // A service inside the process for each suite.
  { name: 'tests of services with settings', folders: /^test\/service-settings\//, isPatient: true },
  // One browser for all of them.
  { name: 'tests in a browser', folders: /^test\/browser\//, isPatient: true },
  // They wait for one program after the other.
  { name: 'tests with programs', folders: /^test\/programs\//, isPatient: true },
  // They wait much, for leases and for processes that are gone.
  {
    name: 'tests of whole services',
    folders: /^test\/(service|crash|long)\//,
    isPatient: true,
    isolation: ['--test-concurrency=2'],
  },
]
/** What runs by a name of its own. */
const SETS = { '--long': /^test\/long\//, '--programs': /^test\/programs\// }
/** Several threads check what they share once each; the checks run side by side instead. */
const TYPE_CHECK = ['node_modules/typescript/bin/tsc', '--singleThreaded']
const LONGEST_OUTPUT_BYTES = 64 * 1024 * 1024

const began = Date.now()
await ensureInstalled(root, { withDev: true })
await ensureDashboard(root)
const folder = memoryFolder()
const { checks, tests, missing } = stepsFor(process.argv.slice(2))
const checking = checks.map((step) => ({ step, running: start(step, 'pipe') }))
for (const { step, running } of checking) await show(step, running)
// Tests mostly wait, so all groups run at once; what the others print follows the first.
const [first, ...others] = tests
const started = others.map((step) => ({ step, running: start(step, 'pipe') }))
if (first) await show(first, start(first, 'inherit'))
for (const { step, running } of started) await show(step, running)
console.log(`\nEverything passed in ${seconds()} s`)
if (missing.length > 0) {
  const named = missing.map((name) => `${name} (${PROGRAMS[name]})`)
  console.log(`Not run, because the program is not installed: ${named.join(', ')}`)
}

function stepsFor(given) {
  const set = Object.keys(SETS).find((name) => given.includes(name))
  const options = given.filter((argument) => argument.startsWith('-') && argument !== set)
  const named = given.filter((argument) => !argument.startsWith('-')).map((file) => normalize(file))
  const missing = set || named.length > 0 ? [] : missingPrograms()
  const files = named.length > 0 ? named : findTests(set, missing)
  const checks = [
    { name: 'type check', args: TYPE_CHECK },
    { name: 'type check of the dashboard', args: [...TYPE_CHECK, '-p', 'dashboard'] },
    { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  ]
  const test = ['--test', '--test-reporter=spec', ...options]
  const tests = GROUPS.map(({ name, folders, isPatient, isolation = [ONE_PROCESS] }) => {
    const own = files.filter(
      (file) => folders?.test(file) ?? !GROUPS.some((group) => group.folders?.test(file)),
    )
    return { name, args: [...test, ...isolation, ...own], files: own, isPatient }
  }).filter((step) => step.files.length > 0)
  return { checks: given.length > 0 ? [] : checks, tests, missing }
}

/** The files of a set; without one all but what takes minutes, and what needs a program that is missing. */
function findTests(set, missing) {
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
  if (set) return files.filter((file) => SETS[set].test(file))
  const without = missing.map((name) => join('test/programs', `${name}.test.ts`))
  return files.filter((file) => !SETS['--long'].test(file) && !without.includes(file))
}

/** Prints what a step has to say, and ends everything with its exit code if it fails. */
async function show({ name }, running) {
  console.log(`\n== ${name}`)
  if (running.output) await pipeline(running.output, process.stdout, { end: false })
  const code = await running.code
  if (code === 0) return
  console.log(`\n${name}: failed after ${seconds()} s`)
  process.exit(code)
}

/** Starts a step. A Ctrl-C reaches it by itself, other signals and our end through us. */
function start({ args, isPatient }, output) {
  const child = spawn(pinnedNode(root), [...nodeFlags, ...args], {
    cwd: root,
    env: { ...runtimeEnvironment(root), ...(folder && { TMPDIR: folder }) },
    stdio: ['inherit', output, 'inherit'],
  })
  if (isPatient && child.pid) setPriority(child.pid, PATIENT_NICENESS)
  // Kept until its turn comes, so that the child never waits for a reader.
  const kept = child.stdout?.pipe(new PassThrough({ highWaterMark: LONGEST_OUTPUT_BYTES }))
  const forward = (signal) => child.kill(signal)
  const end = () => child.kill('SIGTERM')
  process.on('SIGTERM', forward).on('SIGHUP', forward).on('exit', end)
  const code = new Promise((resolve) => {
    child.on('error', (error) => {
      console.log(error.message)
      resolve(1)
    })
    child.on('close', (exitCode) => {
      process.off('SIGTERM', forward).off('SIGHUP', forward).off('exit', end)
      resolve(exitCode ?? 1)
    })
  })
  return { code, output: kept }
}

function seconds() {
  return Math.round((Date.now() - began) / 1_000)
}

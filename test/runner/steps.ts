import { join, normalize } from 'node:path'
import { type Step, TEST_REPORTER } from './step.ts'

const WRONG_TIMERS = new URL('wrong-timers.ts', import.meta.url).href
/**
 * Tests make much and keep little: with so much room for new objects, in MB, they are collected less often. Several steps
 * share few cores, where threads that collect together wait for each other with their cores held: one thread takes a
 * quarter less processor time.
 */
const COLLECTION = ['--min-semi-space-size=128', '--max-semi-space-size=128', '--single-threaded-gc']
const TEST = ['--disable-warning=ExperimentalWarning', `--import=${WRONG_TIMERS}`, ...COLLECTION, '--test']
const IN_ONE_PROCESS = ['--test-isolation=none']
const IN_A_PROCESS_EACH = ['--test-concurrency=1']
/** The last of the longer groups to begin: one after the other they would be what everybody waits for. */
const TWO_AT_ONCE = ['--test-concurrency=2']
/** They mostly wait, for leases and for each other: together they do not fill a core. */
const SIDE_BY_SIDE = ['--test-concurrency=3']

/** `folders` is null for what no other group names. */
type Group = { name: string; folders: RegExp | null; isolation: string[] }

/** Groups of test files, each run as one step, the longest first. A file is of the first one that names it. */
const GROUPS: Group[] = [
  {
    name: 'many processes',
    folders:
      /^test\/long\/(crashes|external-database|hostile|many-processes|processes|remote-probes|site-crawl)\.test\.ts$/,
    isolation: SIDE_BY_SIDE,
  },
  // One browser for all of a group. Two groups, as one would be what everybody waits for: a browser mostly waits itself.
  { name: 'more of the dashboard', folders: /^test\/long\/browser\/[\w-]+\//, isolation: IN_ONE_PROCESS },
  { name: 'more screens', folders: /^test\/long\/browser\//, isolation: IN_ONE_PROCESS },
  { name: 'more services', folders: /^test\/long\/services\//, isolation: IN_ONE_PROCESS },
  { name: 'more of the database', folders: /^test\/long\/database\//, isolation: IN_ONE_PROCESS },
  { name: 'much work', folders: /^test\/long\//, isolation: TWO_AT_ONCE },
  // One running service for all of a folder.
  { name: 'shared API', folders: /^test\/service-api\//, isolation: IN_ONE_PROCESS },
  { name: 'everything else', folders: null, isolation: IN_ONE_PROCESS },
  {
    name: 'the database',
    folders: /^test\/(engine|operations|postgres|roles|store)\//,
    isolation: IN_ONE_PROCESS,
  },
  // Mostly waits for answers that do not come.
  { name: 'probes', folders: /^test\/(catalogue|net|probes|runner)\//, isolation: IN_ONE_PROCESS },
  // A service inside the process for each suite.
  { name: 'services with settings', folders: /^test\/service-settings\//, isolation: IN_ONE_PROCESS },
  { name: 'the dashboard in a browser', folders: /^test\/browser\//, isolation: IN_ONE_PROCESS },
  // A process that starts others is copied each time, and touches its memory anew after it: this one is small.
  { name: 'the launcher', folders: /^test\/(launcher|stress\/)/, isolation: IN_ONE_PROCESS },
  { name: 'shared service', folders: /^test\/service-whole\//, isolation: IN_ONE_PROCESS },
  // Services that are killed, stopped and starved.
  { name: 'services as processes', folders: /^test\/service\//, isolation: IN_A_PROCESS_EACH },
  { name: 'other programs', folders: /^test\/programs\//, isolation: IN_ONE_PROCESS },
]

/** The files that run by a name of their own, by the option that asks for them. */
const SETS: Record<string, RegExp> = { '--long': /^test\/long\//, '--programs': /^test\/programs\// }

const TYPE_CHECK = ['node_modules/typescript/bin/tsc', '-b', '.', 'dashboard', '--singleThreaded']
/**
 * The compiler keeps most of what it makes: looking for garbage is a quarter of its work, and finds some only once in 3 GiB,
 * which is what the whole check takes.
 */
const TYPE_CHECK_ENVIRONMENT = { GOGC: 'off', GOMEMLIMIT: '3GiB' }
const LINT = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']

export type Plan = {
  steps: Step[]
  /** Files were named: their output is shown as it comes. */
  isClose: boolean
}

/**
 * The steps that the arguments of `npm test` ask for, in the order in which they begin. `files` are all test files
 * there are; `missing` are programs that are not installed, whose tests run only when they are asked for.
 */
export function planSteps(given: string[], files: string[], missing: string[]): Plan {
  const set = Object.keys(SETS).find((name) => given.includes(name))
  const options = given.filter((argument) => argument.startsWith('-') && argument !== set)
  const named = given.filter((argument) => !argument.startsWith('-')).map((file) => normalize(file))
  const chosen = named.length > 0 ? named : filesOf(set, files, missing)
  const reporter = named.length > 0 ? ['--test-reporter=spec'] : TEST_REPORTER
  const steps = groupFiles(chosen).map(({ name, isolation, files }): Step => {
    const args = [...TEST, ...isolation, ...reporter, ...options, ...files]
    return { name, args, files, runAlone: `npm test -- ${files.join(' ')}` }
  })
  const checks: Step[] = [
    {
      name: 'type check',
      args: TYPE_CHECK,
      environment: TYPE_CHECK_ENVIRONMENT,
      files: [],
      runAlone: 'npx tsc -b . dashboard',
    },
    { name: 'lint', args: LINT, files: [], runAlone: 'npx biome check --error-on-warnings' },
  ]
  return { steps: given.length > 0 ? steps : [...steps, ...checks], isClose: named.length > 0 }
}

/** Without a set, everything but what takes minutes, and what needs a program that is missing. */
function filesOf(set: string | undefined, files: string[], missing: string[]): string[] {
  const chosen = set && SETS[set]
  if (chosen) return files.filter((file) => chosen.test(file))
  const without = missing.map((name) => join('test/programs', `${name}.test.ts`))
  return files.filter((file) => !SETS['--long']?.test(file) && !without.includes(file))
}

function groupFiles(files: string[]): (Group & { files: string[] })[] {
  const plain = GROUPS.find(({ folders }) => folders === null)
  const byGroup = Map.groupBy(files, (file) => GROUPS.find(({ folders }) => folders?.test(file)) ?? plain)
  return GROUPS.flatMap((group) => {
    const own = byGroup.get(group)
    return own ? [{ ...group, files: own }] : []
  })
}

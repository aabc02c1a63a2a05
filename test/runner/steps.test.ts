import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { planSteps } from './steps.ts'

const FILES = [
  'test/browser/first-run.test.ts',
  'test/core/teams/plan.test.ts',
  'test/launcher.test.ts',
  'test/long/browser/accessible.test.ts',
  'test/long/hostile.test.ts',
  'test/long/upgrade.test.ts',
  'test/postgres/migrate.test.ts',
  'test/programs/caddy.test.ts',
  'test/programs/php.test.ts',
  'test/service-api/mcp-http.test.ts',
  'test/service-settings/accounts/setup.test.ts',
  'test/service/processes.test.ts',
]

const filesOf = (given: string[], missing: string[] = []) =>
  planSteps(given, FILES, missing).steps.flatMap(({ files }) => files)

test('each file is part of one step, besides what takes minutes and what needs a missing program', () => {
  const expected = FILES.filter((file) => !/long|php/.test(file))
  assert.deepEqual(filesOf([], ['php']).sort(), expected)
})

test('the sources are checked when nothing else is asked for', () => {
  const names = (given: string[]) => planSteps(given, FILES, []).steps.map(({ name }) => name)
  assert.deepEqual(names([]).slice(-2), ['type check', 'lint'])
  assert.deepEqual(names(['--long']), ['many processes', 'more screens', 'much work'])
})

test('a set has its files, whatever is missing', () => {
  assert.deepEqual(
    filesOf(['--long']).sort(),
    FILES.filter((file) => file.startsWith('test/long/')),
  )
  assert.deepEqual(filesOf(['--programs'], ['php']), [
    'test/programs/caddy.test.ts',
    'test/programs/php.test.ts',
  ])
})

test('files that are named run alone, with the options of Node that are given', () => {
  const { steps, isClose } = planSteps(
    ['./test/core/teams/plan.test.ts', '--test-name-pattern=free'],
    FILES,
    [],
  )
  assert.deepEqual([steps.map(({ files }) => files), isClose], [[['test/core/teams/plan.test.ts']], true])
  assert.deepEqual(steps[0]?.args.slice(-3), [
    '--test-reporter=spec',
    '--test-name-pattern=free',
    'test/core/teams/plan.test.ts',
  ])
})

test('a step can be run alone by the command it names', () => {
  const { steps } = planSteps([], FILES, [])
  for (const { files, runAlone } of steps.filter(({ files }) => files.length > 0)) {
    assert.deepEqual(filesOf(runAlone.replace('npm test -- ', '').split(' ')), files)
  }
})

test('a file that adds to a table of the product has a process of its own: what derives from the table is read once', () => {
  const files = globSync('test/**/*.test.ts')
  const adding = files.filter((file) => {
    const text = readFileSync(file, 'utf8')
    return /Object\.assign\([A-Z_]+, |\/invented-option\.ts'/.test(text)
  })
  assert.ok(adding.length >= 3, `${adding}`)
  const { steps } = planSteps([], files, [])
  const long = planSteps(['--long'], files, [])
  for (const file of adding) {
    const step = [...steps, ...long.steps].find((step) => step.files.includes(file))
    assert.ok(
      step && !step.args.includes('--test-isolation=none'),
      `${file} runs beside others in "${step?.name}"`,
    )
  }
})

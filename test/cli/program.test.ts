import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { REAL_DELAYS } from '../../src/cli/client/delays.ts'
import type { Deployment } from '../../src/cli/deployment.ts'
import { runCommand } from '../../src/cli/program.ts'
import { Refusal } from '../../src/core/errors.ts'
import { inWords, said } from '../../src/core/language/said.ts'
import { diagnose } from '../../src/operations/diagnose.ts'
import { createDeployment } from '../../src/roles/deployment.ts'

/** A deployment in which nothing may be done, unless the test allows it. */
function run(args: string[], allowed: Partial<Deployment> = {}) {
  const said = { out: '', err: '' }
  const forbidden = async () => assert.fail(`${args.join(' ')} must not get that far`)
  const deployment: Deployment = {
    serve: forbidden,
    withServices: forbidden,
    migrate: forbidden,
    diagnose: forbidden,
    tidy: forbidden,
    backup: forbidden,
    exportStatusPages: forbidden,
    restore: forbidden,
    moveDatabase: forbidden,
    remote: () => assert.fail(`${args.join(' ')} must not get that far`),
    variable: () => undefined,
    delays: REAL_DELAYS,
    version: () => '',
    ...allowed,
  }
  const terminal = {
    out: (text: string) => (said.out += `${text}\n`),
    err: (text: string) => (said.err += `${text}\n`),
    readInput: async () => null,
    readFile: async () => '',
    ask: async () => null,
    askSecret: async () => null,
    width: null,
    color: false,
  }
  return runCommand(args, deployment, terminal).then((status) => ({ status, ...said }))
}

describe('wrong usage is status 2, with a word about it, and nothing is done', () => {
  const table: string[] = [
    'nonsense',
    'user',
    'user create --email x@example.com',
    'user create --email x@example.com --name X --color red',
    'user reset-second-factor',
    'user reset-second-factor ann@example.com',
    'team create --name X',
    'team set-plan 1',
    'team set-plan one pro',
    'team signing-secret',
    'member add --team 1 --email x@example.com',
    'member add --team 1 --email x@example.com --role king',
    'member remove --team x --email x@example.com',
    'token create --team 1 --email x@example.com',
    'token revoke',
    'token revoke -1',
    'token list --unknown',
    'probe create --region nyc',
    'probe revoke x',
    'monitor restore 1.5',
    'backup',
    'restore',
    'move-database',
  ]
  for (const args of table) {
    test(args, async () => {
      const { status, out, err } = await run(args.split(' '))
      assert.deepEqual([status, out], [2, ''])
      assert.match(err, /^(error: |Usage: )/)
    })
  }
})

test('help is status 0, on standard output, and names every command', async () => {
  const { status, out, err } = await run(['--help'])
  assert.deepEqual([status, err], [0, ''])
  for (const name of [
    'serve',
    'user',
    'team',
    'member',
    'token',
    'monitor',
    'migrate',
    'doctor',
    'backup',
    'restore',
    'move-database',
  ]) {
    assert.match(out, new RegExp(`^  ${name}\\b`, 'm'))
  }
})

test('the version is said with the date of the changelog, which tells releases apart, and the runtime', async () => {
  const { version } = createDeployment(
    async () => {},
    () => {},
    {},
  )
  for (const flag of ['--version', '-V']) {
    const { status, out, err } = await run([flag], { version })
    assert.deepEqual([status, err], [0, ''])
    assert.match(out, /^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\), Node \d+\.\d+\.\d+\n$/)
  }
})

test('an ID is any whole number: what is larger than all of them is a record that there is not', async () => {
  const asked: unknown[] = []
  const withServices = async () => {
    asked.push('asked')
    throw new Refusal('notFound', { detail: inWords('there is no valid token') })
  }
  for (const id of ['1000000000', '2147483647']) {
    const { status, err } = await run(['token', 'revoke', id], { withServices })
    assert.deepEqual([status, err], [1, 'there is no valid token\n'])
  }
  assert.equal(asked.length, 2)
  for (const id of ['2147483648', '9'.repeat(30)]) {
    const { status, err } = await run(['token', 'revoke', id])
    assert.deepEqual([status, err], [1, `there is no ID ${id}: IDs go up to 2147483647\n`])
  }
})

test('a refusal is status 1, with each reason on a line of its own', async () => {
  const refusal = Refusal.invalid({ email: [said('has an account already')], name: [said('is required')] })
  const withServices = () => Promise.reject(refusal)
  const { status, out, err } = await run(['token', 'list'], { withServices })
  assert.deepEqual([status, out, err], [1, '', 'email has an account already\nname is required\n'])
})

test('doctor is status 1 when a part does not work, after saying which', async () => {
  const diagnose = async () => [
    { part: 'runtime', state: 'working' as const, detail: 'Node' },
    { part: 'secret key', state: 'failing' as const, detail: 'does not open what is stored' },
  ]
  const plain = await run(['doctor'], { diagnose })
  assert.deepEqual(
    [plain.status, plain.out],
    [1, 'ok    runtime: Node\nFAIL  secret key: does not open what is stored\n'],
  )
  const json = await run(['doctor', '--json'], { diagnose })
  assert.deepEqual([json.status, JSON.parse(json.out)], [1, { data: await diagnose() }])
})

test('doctor tells of a database whose data directory is gone, and settles whose it is only when told to', async () => {
  const system = {
    nodeVersion: 'v26',
    icmp: { v4: 'raw', v6: 'raw', reason: null },
    mailConfigured: true,
    externalClusters: [
      { directory: '/kept/cluster-a', dataDir: '/srv/a', isOrphan: true },
      { directory: '/kept/cluster-b', dataDir: '/srv/b', isOrphan: false },
    ],
    externalClustersBefore: [{ directory: '/kept/cluster-b', dataDir: '/srv/old', isOrphan: true }],
  }
  const asked: unknown[] = []
  const allowed = {
    diagnose: async () => await diagnose({ refusal: 'not ours' }, system),
    tidy: async (wanted: unknown) => void asked.push(wanted),
  }
  const { out } = await run(['doctor'], allowed)
  assert.match(
    out,
    /^warn {2}left database: \/kept\/cluster-a belongs to \/srv\/a, which is gone\..*--remove \/kept\/cluster-a/m,
  )
  assert.match(out, /^ok {4}data directory: was \/srv\/old and is \/srv\/b now/m)
  assert.equal(out.match(/cluster-b/g)?.length, 1)
  assert.deepEqual(asked, [])
  await run(['doctor', '--take-over'], allowed)
  await run(['doctor', '--remove', '/kept/cluster-a'], allowed)
  assert.deepEqual(asked, [{ takesOver: true }, { takesOver: false, remove: '/kept/cluster-a' }])
})

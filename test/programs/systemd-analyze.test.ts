import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Block, blocksIn } from '../support/documents/docs-blocks.ts'
import { runProgram } from '../support/programs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DEPLOYED = join(import.meta.dirname, '../../deploy/systemd')

test('systemd takes the units of the deployment', () => {
  verify(DEPLOYED, readdirSync(DEPLOYED).sort())
})

test('systemd takes the units of the documentation', (context) => {
  const folder = temporaryFolder(context)
  const blocks = blocksIn('ini').filter(({ text }) => /^\[(?:Unit|Service|Timer)\]/m.test(text))
  const units = blocks.map((block) => ({ text: block.text, name: fileOf(block) }))
  const names = units.map(({ name }) => name)
  assert.deepEqual(names, ['heartbeat@.service', 'backup.service', 'backup.timer', 'old-backup.service'])
  for (const { name, text } of units) writeFileSync(join(folder, name), text)
  // A template is looked at as one that is started.
  writeFileSync(join(folder, 'heartbeat@backup.service'), units[0]?.text ?? '')
  verify(
    folder,
    names.map((name) => name.replace('@.', '@backup.')),
  )
})

function verify(folder: string, names: string[]): void {
  const paths = names.map((name) => join(folder, name))
  const { stderr } = runProgram('systemd-analyze', ['verify', '--man=no', ...paths])
  // It looks at the units of this machine, too, and has its opinions about those.
  const isOurs = (line: string) => [folder, ...names].some((name) => line.includes(name))
  assert.deepEqual(stderr.split('\n').filter(isOurs), [], stderr)
}

/** The file that the words before a unit tell to put it into. */
function fileOf({ text }: Block): string {
  if (text.includes('[Timer]')) return 'backup.timer'
  if (text.includes('%i')) return 'heartbeat@.service'
  return text.includes('OnSuccess=') ? 'backup.service' : 'old-backup.service'
}

/** The service that the agent of servers makes for itself, more exposed than which it may not be. */
const AGENT_FILE = join(import.meta.dirname, '../../agent/upbeat-agent.sh')
const MAX_EXPOSURE = 2

test('systemd takes the service of the agent, and finds it hardly exposed', (context) => {
  const folder = temporaryFolder(context)
  const script = join(folder, 'unit.sh')
  const unit = join(folder, 'upbeat-agent.service')
  writeFileSync(script, readFileSync(AGENT_FILE, 'utf8').replace('main "$@"', 'dir=/etc/upbeat && unit'))
  writeFileSync(unit, runProgram('sh', [script], { env: process.env }).stdout)
  verify(folder, ['upbeat-agent.service'])
  const limits = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE * 10}`]
  runProgram('systemd-analyze', [...limits, unit])
})

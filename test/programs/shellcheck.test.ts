import { join } from 'node:path'
import { test } from 'node:test'
import { runProgram } from '../support/programs.ts'

test('shellcheck finds nothing in the agent', () => {
  const script = join(import.meta.dirname, '../../agent/upbeat-agent.sh')
  runProgram('shellcheck', ['--shell=sh', '--severity=style', script])
})

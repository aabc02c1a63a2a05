import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runProgram } from '../programs.ts'
import { commander } from '../services/remote-command.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const person = commander()
after(() => person.close())

export async function completionScript(shell: string): Promise<string> {
  const { status, out } = await person.run(['completion', shell])
  assert.equal(status, 0)
  return out
}

const table: [line: string, offers: string[], not: string[]][] = [
  ['upbeat ', ['monitors', 'apply', 'serve', 'completion'], ['list', 'bash']],
  ['upbeat mon', ['monitor', 'monitors'], ['migrate']],
  ['upbeat monitors ', ['list', 'show', 'create', 'pause', 'resume'], ['monitors', 'restore']],
  ['upbeat monitors create --check-i', ['--check-interval-minutes'], ['--name']],
  ['upbeat monitors list --status ', ['pending', 'up', 'down', 'degraded', 'maintenance'], ['--type']],
  ['upbeat contacts create --type ', ['slack', 'webhook'], ['http']],
  ['upbeat monitors show 5 --', ['--json', '--profile'], ['--name']],
  ['upbeat monitors list --profile ', [], ['list', '--json']],
  ['upbeat completion ', ['bash', 'zsh', 'fish'], []],
]

/** The completions that a shell offers at the end of a line, once it has read the script. */
export type Offers = (script: string, line: string) => string[]

/** Holds a shell to what every shell is to offer. */
export function testCompletion(shell: string, offersOf: Offers): void {
  describe(`${shell} completes`, () => {
    for (const [line, offers, not] of table) {
      test(line, async () => {
        const found = offersOf(await completionScript(shell), line)
        const missing = offers.filter((each) => !found.includes(each))
        assert.deepEqual([missing, not.filter((each) => found.includes(each))], [[], []], found.join(' '))
      })
    }
  })

  test(`the script for ${shell} parses`, async (context) => {
    const file = join(temporaryFolder(context), 'script')
    writeFileSync(file, await completionScript(shell))
    assert.deepEqual(linesOf(shell, ['-n', file]), [])
  })
}

/** The output of a shell, which must print no errors. */
export function linesOf(shell: string, args: string[]): string[] {
  const { stdout, stderr } = runProgram(shell, args)
  assert.equal(stderr, '')
  return stdout.split('\n').filter((each) => each !== '')
}

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { commander } from '../support/remote-command.ts'

const person = commander()
after(() => person.close())

async function script(shell: string): Promise<string> {
  const { status, out } = await person.run(['completion', shell])
  assert.equal(status, 0)
  return out
}

const table: [line: string, offers: string[], not: string[]][] = [
  ['upbeat ', ['monitors', 'apply', 'serve', 'completion'], ['list', 'bash']],
  ['upbeat mon', ['monitor', 'monitors'], ['migrate']],
  ['upbeat monitors ', ['list', 'show', 'create', 'pause', 'resume'], ['monitors', 'restore']],
  ['upbeat monitors create --check-i', ['--check-interval-minutes'], ['--name']],
  ['upbeat monitors list --status ', ['pending', 'up', 'down', 'degraded'], ['--type']],
  ['upbeat contacts create --type ', ['slack', 'webhook'], ['http']],
  ['upbeat monitors show 5 --', ['--json', '--profile'], ['--name']],
  ['upbeat monitors list --profile ', [], ['list', '--json']],
  ['upbeat completion ', ['bash', 'zsh', 'fish'], []],
]

/** What a shell offers at the end of each line. */
type Offers = (script: string, line: string) => string[]

const inBash: Offers = (text, line) => {
  const words = line.split(' ').map((word) => `'${word}'`)
  const asked = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _upbeat; printf '%s\\n' "\${COMPREPLY[@]}"`
  return ran('bash', ['--norc', '-uc', `${text}\n${asked}`])
}

const inFish: Offers = (text, line) =>
  ran('fish', ['--no-config', '-c', `${text}\ncomplete -C '${line}'`]).map(
    (each) => each.split('\t')[0] as string,
  )

/** Zsh completes only for somebody who types: what its functions are told is looked at instead. */
const inZsh: Offers = (text, line) => {
  const stubs = `_describe() { print -l -- "\${(@)\${(@P)2}%%:*}" }; compadd() { shift; print -l -- "$@" }; _files() { }; compdef() { }`
  const words = line.split(' ').map((word) => `'${word}'`)
  const offered = ran('zsh', [
    '-f',
    '-c',
    `${stubs}\n${text}\nwords=(${words.join(' ')}); CURRENT=${words.length}; _upbeat`,
  ])
  return offered.filter((each) => each.startsWith(line.split(' ').at(-1) ?? ''))
}

function ran(shell: string, args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', timeout: 30_000 })
  assert.deepEqual([status, stderr], [0, ''])
  return stdout.split('\n').filter((each) => each !== '')
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0
}

for (const [shell, offersOf] of Object.entries({ bash: inBash, zsh: inZsh, fish: inFish })) {
  describe(`${shell} completes`, { skip: !isInstalled(shell) && `${shell} is not installed here` }, () => {
    for (const [line, offers, not] of table) {
      test(line, async () => {
        const found = offersOf(await script(shell), line)
        assert.deepEqual(
          offers.filter((each) => !found.includes(each)),
          [],
          found.join(' '),
        )
        assert.deepEqual(
          not.filter((each) => found.includes(each)),
          [],
          found.join(' '),
        )
      })
    }
  })

  test(`the script for ${shell} parses, where it is installed`, async (context) => {
    if (!isInstalled(shell)) return context.skip(`${shell} is not installed here`)
    const folder = mkdtempSync(join(tmpdir(), 'upbeat-completion-'))
    context.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'script'), await script(shell))
    assert.deepEqual(ran(shell, ['-n', join(folder, 'script')]), [])
  })
}

test('bash offers the files of the folder where a command takes one', async () => {
  const offered = inBash(`cd '${import.meta.dirname}'\n${await script('bash')}`, 'upbeat apply compl')
  assert.deepEqual(offered, ['completion.test.ts'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionScript, linesOf, type Offers, testCompletion } from '../support/documents/completions.ts'

const inBash: Offers = (text, line) => {
  const words = line.split(' ').map((word) => `'${word}'`)
  const asked = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _upbeat; printf '%s\\n' "\${COMPREPLY[@]}"`
  return linesOf('bash', ['--norc', '-uc', `${text}\n${asked}`])
}

testCompletion('bash', inBash)

test('bash offers the files of the folder where a command takes one', async () => {
  const offered = inBash(
    `cd '${import.meta.dirname}'\n${await completionScript('bash')}`,
    'upbeat apply compl',
  )
  assert.deepEqual(offered, ['completion.test.ts'])
})

/*
 * The estimate of guesses, in a thread of its own: its dictionaries take a fifth of a second to read, and 60 MB.
 */

import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as german from '@zxcvbn-ts/language-de'
import * as english from '@zxcvbn-ts/language-en'
import type { GuessedBy, Guesses } from '../../core/sign-in/password.ts'

export type PasswordQuestion = { id: number; password: string; names: readonly string[] }
export type PasswordAnswer = Guesses & { id: number }

const COMMON_PASSWORDS = 'passwords-common'

const estimator = new ZxcvbnFactory({
  dictionary: {
    [COMMON_PASSWORDS]: common.dictionary[COMMON_PASSWORDS],
    'words-en': english.dictionary['commonWords-en'],
    'first-names-en': english.dictionary['firstnames-en'],
    'words-de': german.dictionary.commonWords,
    'first-names-de': german.dictionary.firstnames,
    'last-names-de': german.dictionary.lastnames,
  },
  graphs: common.adjacencyGraphs,
  // Each reading of `p@$$w0rd` is searched on its own: a hundred of them, the default, take twenty times as long.
  l33tMaxSubstitutions: 5,
})

parentPort?.on('message', ({ id, password, names }: PasswordQuestion) => {
  const { guessesLog10, sequence } = estimator.check(password, [...names])
  parentPort?.postMessage({ id, log10: guessesLog10, by: guessedBy(sequence) } satisfies PasswordAnswer)
})

type Match = ZxcvbnResult['sequence'][number]

/** The kind of the longest part that was recognized. */
function guessedBy(sequence: readonly Match[]): GuessedBy {
  const known = sequence.filter(({ pattern }) => pattern !== 'bruteforce' && pattern !== 'separator')
  const [longest] = known.toSorted((a, b) => b.token.length - a.token.length)
  switch (longest?.pattern) {
    case 'repeat':
      return 'repeat'
    case 'spatial':
      return 'keyboard'
    case 'sequence':
      return 'sequence'
    case 'date':
    case 'regex':
      return 'date'
    case 'dictionary':
      if (longest.dictionaryName === 'userInputs') return 'own'
      return longest.dictionaryName === COMMON_PASSWORDS ? 'common' : 'words'
    default:
      return 'words'
  }
}

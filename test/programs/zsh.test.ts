import { linesOf, type Offers, testCompletion } from '../support/documents/completions.ts'

/** Zsh completes only for somebody who types: what its functions are told is looked at instead. */
const inZsh: Offers = (text, line) => {
  const stubs = `_describe() { print -l -- "\${(@)\${(@P)2}%%:*}" }; compadd() { shift; print -l -- "$@" }; _files() { }; compdef() { }`
  const words = line.split(' ').map((word) => `'${word}'`)
  const offered = linesOf('zsh', [
    '-f',
    '-c',
    `${stubs}\n${text}\nwords=(${words.join(' ')}); CURRENT=${words.length}; _upbeat`,
  ])
  return offered.filter((each) => each.startsWith(line.split(' ').at(-1) ?? ''))
}

testCompletion('zsh', inZsh)

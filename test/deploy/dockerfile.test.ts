import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ValidationSeverity, validate } from 'dockerfile-utils'
import { readDockerfile } from '../support/documents/dockerfile.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the Dockerfile', () => {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const { stages } = readDockerfile(text)
  const image = stages.at(-1) ?? []
  const argumentsOf = (name: string) => image.filter((step) => step.name === name).map((step) => step.args)

  it('has nothing that a linter finds', () => {
    const { ERROR } = ValidationSeverity
    const found = validate(text, {
      directiveCasing: ERROR,
      instructionCasing: ERROR,
      emptyContinuationLine: ERROR,
      instructionCmdMultiple: ERROR,
      instructionEntrypointMultiple: ERROR,
      instructionHealthcheckMultiple: ERROR,
      instructionJSONInSingleQuotes: ERROR,
      instructionWorkdirRelative: ERROR,
    })
    assert.deepEqual(
      found.map(({ message, range }) => `${range.start.line + 1}: ${message}`),
      [],
    )
  })

  it('pins its base images by digest', () => {
    const bases = stages.flatMap((steps) =>
      steps.filter(({ name }) => name === 'FROM').map(({ args }) => args),
    )
    assert.equal(bases.length, 2)
    for (const base of bases) assert.match(base, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}( AS \w+)?$/)
  })

  it('ends as a user without rights, known by number, so that a cluster can tell', () => {
    assert.deepEqual(argumentsOf('USER'), ['10001:10001'])
    assert.match(text, /useradd --uid 10001 --user-group/)
  })

  it('runs behind a first process that passes signals on, without a shell', () => {
    assert.deepEqual(
      argumentsOf('ENTRYPOINT').map((args) => JSON.parse(args)),
      [['tini', '--', 'upbeat']],
    )
    assert.deepEqual(
      argumentsOf('CMD').map((args) => JSON.parse(args)),
      [['serve']],
    )
    assert.deepEqual(argumentsOf('STOPSIGNAL'), ['SIGTERM'])
  })

  it('copies what is there and what the builder is sent', () => {
    const sent = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const copied = (stages[0] ?? [])
      .filter((step) => step.name === 'COPY')
      .flatMap((step) => step.args.split(/\s+/).slice(0, -1))
    assert.deepEqual(copied.toSorted(), sent.toSorted())
    for (const path of copied) assert.ok(existsSync(join(ROOT, path)), path)
  })
})
